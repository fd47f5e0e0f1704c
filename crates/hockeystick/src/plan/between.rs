//! A composition between two others: upper ends from one, lower ends from the other.

use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    pair::Slack,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability, rounding::sub_down};

/// The curves of both.
pub(super) struct Between {
    pub(super) above: Box<dyn PrivacyProfile>,
    /// Nothing is known from below without it.
    pub(super) below: Option<Box<dyn PrivacyProfile>>,
    pub(super) slack: Slack,
}

impl Between {
    fn ends(&self, of: impl Fn(&dyn PrivacyProfile) -> Probability, above: Probability) -> Probability {
        self.slack.between(above, self.below.as_deref().map_or(Probability::ZERO, of))
    }
}

impl PrivacyProfile for Between {
    /// # Guarantee
    /// The truth is at most the curve above and the slack, and at least the curve below less the slack.
    fn delta(&self, epsilon: f64) -> Evaluation {
        let above = self.above.delta(epsilon);
        let delta = self.ends(|below| below.delta(epsilon).delta, above.delta);
        let budget = above.budget;
        let rest = (0.5 * delta.value().width() - budget.total()).max(0.0);
        Evaluation { delta, budget: Budget { discretisation: budget.discretisation + rest, ..budget } }
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        let room = if self.slack.above == 0.0 { delta } else { sub_down(delta, self.slack.above) };
        self.above.is_at_most(epsilon, room)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.ends(|below| below.mass_at_infinity(), self.above.mass_at_infinity())
    }

    fn largest_finite_loss(&self) -> Enclosure {
        let above = self.above.largest_finite_loss();
        self.below.as_ref().map_or(above, |below| below.largest_finite_loss()).hull(above)
    }

    fn dual_at_hand(&self, epsilon: f64) -> Option<f64> {
        let bound = self.above.dual_at_hand(epsilon)?;
        let slack = self.slack.above;
        Some(if slack == 0.0 { bound } else { (Enclosure::point(bound) + slack).upper() })
    }

    fn near(&self, delta: f64) -> Option<f64> {
        self.above.near(delta)
    }
}
