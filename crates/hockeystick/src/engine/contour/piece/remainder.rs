//! A piece so small that one moment bounds it well enough.

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

/// A remainder may exceed the allowed bound by this, as a logarithm: sketches are off by as much.
const SKETCH_ERROR: f64 = 0.1;

impl Remainder {
    /// Outcomes of a mass of no more than `e^{log_mass}`.
    pub(crate) fn of_mass(log_mass: f64) -> Self {
        Self(Moment { tilt: 0.0, log: log_mass })
    }

    /// The whole composition, if one moment bounds its g(ε) by about `e^{log_most}`.
    pub(crate) fn at_most(factors: &Factors, epsilon: f64, log_most: f64) -> Option<Self> {
        let tilt = saddle::negligible(factors, epsilon, log_most)?;
        let moment = Moment { tilt, log: log_moment(factors, tilt)? };
        // A sketch does not see that `e^{cL}` may outgrow the weight near the end of a cut.
        (ln(moment.bound(epsilon)) <= log_most + SKETCH_ERROR).then_some(Self(moment))
    }
}

impl Piece for Remainder {
    fn contribution(&self, epsilon: f64) -> Integral {
        let most = self.0.bound(epsilon);
        let budget = Budget { truncation: 0.5 * most, ..Budget::default() };
        Integral { bounds: Enclosure::new(0.0, most), budget }
    }

    fn width_without_sum(&self, epsilon: f64) -> f64 {
        self.0.bound(epsilon)
    }

    fn outline(&self) -> Outline {
        Outline::Remainder { tilt: self.0.tilt, log_moment: self.0.log }
    }
}
