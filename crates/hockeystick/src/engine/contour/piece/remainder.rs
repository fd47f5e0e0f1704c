//! What is too little to be integrated, and only bounded.

use super::{Outline, Piece};
use crate::{
    curve::Budget,
    engine::contour::{
        bound::Moment,
        factors::Factors,
        line::{Integral, log_moment},
        search::saddle,
    },
};
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

/// Outcomes of which `0 ≤ g(ε) ≤ κ(c) e^{K(c) − cε}` is all that is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remainder(Moment);

/// How much larger than a sketch says a remainder may be, as a logarithm.
const SKETCH_ERROR: f64 = 0.1;

impl Remainder {
    /// Outcomes of a mass of no more than `e^{log_mass}`.
    pub(crate) fn of_mass(log_mass: f64) -> Self {
        Self(Moment { tilt: 0.0, log: log_mass })
    }

    /// All of a composition, if it is no more than `e^{log_most}` at ε, or little more.
    pub(crate) fn at_most(factors: &Factors, epsilon: f64, log_most: f64) -> Option<Self> {
        let tilt = saddle::negligible(factors, epsilon, log_most)?;
        let moment = Moment { tilt, log: log_moment(factors, tilt)? };
        // A sketch does not see where `e^{cL}` begins to outgrow the end of a cut.
        (ln(moment.bound(epsilon)) <= log_most + SKETCH_ERROR).then_some(Self(moment))
    }
}

impl Piece for Remainder {
    fn contribution(&self, epsilon: f64) -> Integral {
        let most = self.0.bound(epsilon);
        let budget = Budget { truncation: 0.5 * most, ..Budget::default() };
        Integral { bounds: Enclosure::new(0.0, most), budget }
    }

    fn least_width(&self, epsilon: f64) -> f64 {
        self.0.bound(epsilon)
    }

    fn outline(&self) -> Outline {
        Outline::Remainder { tilt: self.0.tilt, log_moment: self.0.log }
    }
}
