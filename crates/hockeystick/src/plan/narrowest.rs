//! Two profiles of the same composition: each end from whichever is narrower.

use crate::curve::{Evaluation, PrivacyProfile};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// The intersection of two enclosures of one curve.
#[derive(Debug)]
pub(super) struct Narrowest<A, B> {
    first: A,
    second: B,
}

impl<A: PrivacyProfile, B: PrivacyProfile> Narrowest<A, B> {
    pub(super) fn new(first: A, second: B) -> Self {
        Self { first, second }
    }
}

impl<A: PrivacyProfile, B: PrivacyProfile> PrivacyProfile for Narrowest<A, B> {
    /// # Guarantee
    /// Both enclose the truth, so their intersection does.
    fn delta(&self, epsilon: f64) -> Evaluation {
        let (a, b) = (self.first.delta(epsilon), self.second.delta(epsilon));
        let narrower = if a.delta.value().width() <= b.delta.value().width() { a } else { b };
        let delta = Probability::from_both(
            a.delta.value().intersection(b.delta.value()),
            a.delta.complement().intersection(b.delta.complement()),
        );
        Evaluation { delta, ..narrower }
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        self.first.is_at_most(epsilon, delta) || self.second.is_at_most(epsilon, delta)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.first.mass_at_infinity()
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.first.largest_finite_loss()
    }
}
