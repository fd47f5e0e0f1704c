//! How far a curve may be outside of two others.

use hockeystick_numerics::{enclosure::Enclosure, probability::Probability, rounding::add_up};

/// How much of a law the bounding pairs do not cover, for each use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slack {
    /// `H_α(P‖Q)` is at most the curve above and this.
    pub above: f64,
    /// `H_α(P‖Q)` is at least the curve below less this.
    pub below: f64,
}

impl Slack {
    /// Both curves bound what is between them.
    pub const NONE: Self = Self { above: 0.0, below: 0.0 };

    /// Of so many uses.
    #[must_use]
    pub fn of_uses(self, count: u64) -> Self {
        let all = |slack: f64| {
            if slack == 0.0 { 0.0 } else { (Enclosure::point(slack) * count as f64).upper() }
        };
        Self { above: all(self.above), below: all(self.below) }
    }

    /// Of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let sum = |a: f64, b: f64| if a == 0.0 || b == 0.0 { a + b } else { add_up(a, b) };
        Self { above: sum(self.above, other.above), below: sum(self.below, other.below) }
    }

    /// What is between what is true above and below.
    ///
    /// # Guarantee
    /// Encloses every probability that is at most `above` and this slack, and at least `below` less this slack.
    pub fn between(self, above: Probability, below: Probability) -> Probability {
        // (Without slack nothing is rounded.)
        let wider = |end: Enclosure, by: f64| if by == 0.0 { end } else { end + by };
        let ends = |low: Enclosure, less: f64, high: Enclosure, more: f64| {
            Enclosure::new(wider(low, -less).lower(), wider(high, more).upper()).clamp(0.0, 1.0)
        };
        Probability::from_both(
            ends(below.value(), self.below, above.value(), self.above),
            ends(above.complement(), self.above, below.complement(), self.below),
        )
    }
}
