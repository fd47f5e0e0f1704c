//! A pair that is known by one that dominates it and one that it dominates: upper ends of answers come from the first, lower ends from the second.

use super::{Bounds, Details, DominatingPair, RatioLaw, SharedPair, Slack, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// Nothing else is known of the pair. The order of curves says nothing about their slopes, nor how the losses are distributed.
#[derive(Clone, Debug)]
pub(super) struct Between(pub(super) Bounds);

impl Between {
    /// What only one of the laws can produce: the limit of a curve that is between two others.
    fn unmatched(&self, mass: impl Fn(&SharedPair) -> Probability) -> Probability {
        self.0.slack.between(mass(&self.0.above), mass(&self.0.below))
    }
}

impl DominatingPair for Between {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.0.slack.between(self.0.above.delta(epsilon), self.0.below.delta(epsilon))
    }

    fn tails(&self, _epsilon: Ball) -> Tails {
        Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN }
    }

    fn infinite_mass(&self) -> Probability {
        self.unmatched(|pair| pair.infinite_mass())
    }

    fn vanishing_mass(&self) -> Probability {
        self.unmatched(|pair| pair.vanishing_mass())
    }

    /// With slack, losses may end anywhere.
    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (low, high) = self.0.above.finite_losses().into_inner();
        let (least, most) = self.0.below.finite_losses().into_inner();
        let (low, high) = (low.hull(least), high.hull(most));
        if self.0.slack == Slack::NONE {
            low..=high
        } else {
            low.hull(Enclosure::ZERO)..=high.hull(Enclosure::ZERO)
        }
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw::unknown()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self(self.0.dual()))
    }

    /// What is known of it is known of its dual.
    fn is_self_dual(&self) -> bool {
        self.0.above.is_self_dual() && self.0.below.is_self_dual()
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for Between {
    fn bounds(&self) -> Option<&Bounds> {
        Some(&self.0)
    }

    fn is_known_by_curve(&self) -> bool {
        self.0.above.is_known_by_curve()
    }
}
