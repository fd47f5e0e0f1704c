//! A line and a lattice for the same composition: each end from whichever is narrower.

use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{contour::Contour, lattice::Lattice},
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// A line whose error alone is so many times the width of the lattice has no end that is nearer to the truth.
const FAR_WIDER: f64 = 4.0;

/// The intersection of two enclosures of one curve.
#[derive(Debug)]
pub(super) struct Narrowest {
    line: Contour,
    lattice: Lattice,
}

impl Narrowest {
    pub(super) fn new(line: Contour, lattice: Lattice) -> Self {
        Self { line: line.with_one_assembly(), lattice }
    }
}

impl PrivacyProfile for Narrowest {
    /// # Guarantee
    /// Both enclose the truth, so their intersection does, and so does the lattice by itself.
    fn delta(&self, epsilon: f64) -> Evaluation {
        let on_lattice = self.lattice.delta(epsilon);
        if self.line.width_without_sum(epsilon) > FAR_WIDER * on_lattice.delta.value().width() {
            return on_lattice;
        }
        let on_line = self.line.delta(epsilon);
        let is_line = on_line.delta.value().width() <= on_lattice.delta.value().width();
        let (a, b) = (on_line.delta, on_lattice.delta);
        let delta = Probability::from_both(
            a.value().intersection(b.value()),
            a.complement().intersection(b.complement()),
        );
        Evaluation { delta, budget: if is_line { on_line.budget } else { on_lattice.budget } }
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        self.lattice.is_at_most(epsilon, delta) || self.line.is_at_most(epsilon, delta)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.line.mass_at_infinity()
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.line.largest_finite_loss()
    }

    fn near(&self, delta: f64) -> Option<f64> {
        self.lattice.near(delta)
    }
}
