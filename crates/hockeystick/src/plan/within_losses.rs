//! Questions beyond every finite loss: what is left of δ there needs no engine.

use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{Goal, masses::largest_finite_loss},
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, limits::check, probability::Probability};

/// A δ at which every engine is at ease.
const ORDINARY: f64 = 1e-6;

/// An ordinary question in place of one that is beyond every loss: an engine that was made for where there is nothing would look
/// for it with all its might.
pub(super) fn within_losses(goal: Goal, pairs: &[(SharedPair, u64)]) -> Goal {
    match goal {
        Goal::Delta { epsilon } if epsilon >= largest_finite_loss(pairs).upper() => {
            Goal::Epsilon { delta: ORDINARY }
        }
        Goal::Delta { .. } | Goal::Epsilon { .. } => goal,
    }
}

/// A profile that knows where its losses end.
pub(super) struct WithinLosses(pub(super) Box<dyn PrivacyProfile>);

impl PrivacyProfile for WithinLosses {
    /// # Guarantee
    /// From the largest finite loss on, `(1 − e^{ε−L})₊` is 0 for every finite loss: `δ(ε) = P(L = ∞)`.
    fn delta(&self, epsilon: f64) -> Evaluation {
        check();
        if epsilon >= self.largest_finite_loss().upper() {
            return Evaluation::exact(self.mass_at_infinity(), 0.0);
        }
        self.0.delta(epsilon)
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        if epsilon >= self.largest_finite_loss().upper() {
            return self.mass_at_infinity().is_certainly_at_most(delta);
        }
        self.0.is_at_most(epsilon, delta)
    }

    fn above(&self, epsilon: f64, delta: f64) -> Enclosure {
        if epsilon >= self.largest_finite_loss().upper() {
            return self.mass_at_infinity().value() - delta;
        }
        self.0.above(epsilon, delta)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.0.mass_at_infinity()
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.0.largest_finite_loss()
    }

    fn dual_at_hand(&self, epsilon: f64) -> Option<f64> {
        self.0.dual_at_hand(epsilon)
    }

    fn near(&self, delta: f64) -> Option<f64> {
        self.0.near(delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losses up to 1, and a bound that needs no value.
    struct BoundOnly;

    impl PrivacyProfile for BoundOnly {
        fn delta(&self, _: f64) -> Evaluation {
            panic!("a bound is enough")
        }

        fn is_at_most(&self, _: f64, delta: f64) -> bool {
            delta >= 0.5
        }

        fn mass_at_infinity(&self) -> Probability {
            Probability::from_value(Enclosure::ZERO)
        }

        fn largest_finite_loss(&self) -> Enclosure {
            Enclosure::point(1.0)
        }
    }

    /// Every sweep once composed lines for the direction that spends less, because the question for a bound was not passed on.
    #[test]
    fn a_bound_is_asked_for_as_a_bound() {
        let profile = WithinLosses(Box::new(BoundOnly));
        assert!(profile.is_at_most(0.5, 0.6) && !profile.is_at_most(0.5, 0.4));
        assert!(profile.is_at_most(1.0, 0.0));
    }
}
