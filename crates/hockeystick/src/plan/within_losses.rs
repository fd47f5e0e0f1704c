//! Questions beyond every finite loss, or beyond all but a share of them that is no double: what is left of δ there needs no engine.

use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{
        Goal, contour,
        masses::{infinite_mass, largest_finite_loss},
    },
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, limits::check, probability::Probability};

/// A δ at which every engine is at ease.
const ORDINARY: f64 = 1e-6;

/// Below this, e^ε is a double, and engines are at ease.
const FAR: f64 = 700.0;

/// An ε from which on finite losses add nothing to `P(L = ∞)` that a double tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    epsilon: f64,
    /// An upper bound of δ from there on.
    most: f64,
}

/// That a question is beyond such an end, if one moment shows it.
///
/// # Guarantee
/// `δ(ε)` is at most what Chernoff's bound says, and falls: `P(L = ∞) ≤ δ ≤ most` from the ε of the question on.
pub(super) fn end_of_losses(goal: Goal, pairs: &[(SharedPair, u64)]) -> Option<End> {
    let Goal::Delta { epsilon } = goal else { return None };
    let infinite = infinite_mass(pairs).value().upper();
    let most = infinite.next_up().max(f64::MIN_POSITIVE);
    if epsilon <= FAR || infinite > 0.5 {
        return None;
    }
    let bound = contour::chernoff(pairs, epsilon, most)?;
    (bound.delta <= most).then_some(End { epsilon, most })
}

/// An ordinary question in place of one that is beyond every loss: an engine that was made for where there is nothing would look
/// for it with all its might.
pub(super) fn within_losses(goal: Goal, pairs: &[(SharedPair, u64)], end: Option<End>) -> Goal {
    match goal {
        Goal::Delta { epsilon } if end.is_some() || epsilon >= largest_finite_loss(pairs).upper() => {
            Goal::Epsilon { delta: ORDINARY }
        }
        Goal::Delta { .. } | Goal::Epsilon { .. } => goal,
    }
}

/// A profile that knows where its losses end.
pub(super) struct WithinLosses {
    pub(super) profile: Box<dyn PrivacyProfile>,
    pub(super) end: Option<End>,
}

impl WithinLosses {
    /// What is left of δ at this ε, if that is beyond the losses.
    ///
    /// # Guarantee
    /// From the largest finite loss on, `(1 − e^{ε−L})₊` is 0 for every finite loss: `δ(ε) = P(L = ∞)`.
    fn beyond(&self, epsilon: f64) -> Option<Probability> {
        let infinite = self.mass_at_infinity();
        if epsilon >= self.largest_finite_loss().upper() {
            return Some(infinite);
        }
        let end = self.end.filter(|end| epsilon >= end.epsilon)?;
        Some(Probability::from_value(Enclosure::new(infinite.value().lower(), end.most)))
    }
}

impl PrivacyProfile for WithinLosses {
    fn delta(&self, epsilon: f64) -> Evaluation {
        check();
        self.beyond(epsilon)
            .map_or_else(|| self.profile.delta(epsilon), |delta| Evaluation::exact(delta, 0.0))
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        self.beyond(epsilon)
            .map_or_else(|| self.profile.is_at_most(epsilon, delta), |left| left.is_certainly_at_most(delta))
    }

    fn mass_at_infinity(&self) -> Probability {
        self.profile.mass_at_infinity()
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.profile.largest_finite_loss()
    }

    fn dual_at_hand(&self, epsilon: f64) -> Option<f64> {
        self.profile.dual_at_hand(epsilon)
    }

    fn near(&self, delta: f64) -> Option<f64> {
        self.profile.near(delta)
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
        let profile = WithinLosses { profile: Box::new(BoundOnly), end: None };
        assert!(profile.is_at_most(0.5, 0.6) && !profile.is_at_most(0.5, 0.4));
        assert!(profile.is_at_most(1.0, 0.0));
    }
}
