//! What a pass over a question aims at.

use super::{Accuracy, search::Saddle, tuning::TUNING};
use crate::engine::Goal;
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

/// Where `g(ε) = E[(1 − e^{ε−L})₊; L < ∞]` is wanted, and how exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    /// About the ε that the answer is about.
    pub(super) epsilon: f64,
    /// About `log g(ε)`; −∞ if nothing is known of it.
    pub(super) log_delta: f64,
    /// The width of g(ε), relative to itself, that errors are aimed at. A few times that is accepted.
    pub(super) needed: f64,
}

impl Target {
    /// Before anything is drawn, from a saddle point.
    pub(super) fn first(goal: Goal, accuracy: Accuracy, saddle: &Saddle) -> Self {
        match goal {
            Goal::Delta { epsilon } => Self::of_delta(epsilon, saddle, accuracy),
            Goal::Epsilon { delta } => {
                let needed = needed(accuracy.of_epsilon(saddle.epsilon.max(0.0)), saddle.tilt);
                let least = accuracy.aimed_at();
                Self { epsilon: saddle.epsilon, log_delta: ln(delta), needed: needed.max(least) }
            }
        }
    }

    fn of_delta(epsilon: f64, saddle: &Saddle, accuracy: Accuracy) -> Self {
        // ε is rounded, and δ moves with it.
        let rounded = TUNING.rounding * saddle.tilt * epsilon.abs();
        let needed = accuracy.aimed_at().max(rounded);
        Self { epsilon, log_delta: f64::NEG_INFINITY, needed }
    }

    /// The same question asked at the ε that an answer was near, where `log g` falls by `slope` for every ε.
    pub(super) fn moved(self, goal: Goal, accuracy: Accuracy, epsilon: f64, slope: f64) -> Self {
        match goal {
            Goal::Delta { .. } => self,
            Goal::Epsilon { delta } => {
                let needed = needed(accuracy.of_epsilon(epsilon), slope);
                Self { epsilon, log_delta: ln(delta), needed }
            }
        }
    }

    /// Is a width of g(ε), relative to itself, as small as is wanted?
    pub(super) fn is_met_by(self, width: f64) -> bool {
        width <= TUNING.accepted * self.needed
    }

    /// Is what was made for another target as good as it gets for this one, too?
    pub(super) fn is_served_by(self, other: Self) -> bool {
        let is_near = (self.epsilon - other.epsilon).abs() <= TUNING.near * self.epsilon.abs();
        is_near && self.needed >= TUNING.part_aimed_at * other.needed
    }
}

/// An ε next to the largest loss need not be found: up to there is less than anyone asks for, and it is enough to see that δ is above the
/// target before. That is a question about δ, and about its first digit.
pub(super) fn before_largest(
    goal: Goal,
    accuracy: Accuracy,
    saddle: &Saddle,
    largest: Enclosure,
) -> Option<(Goal, Accuracy)> {
    let below = |part: f64| largest.lower() * (1.0 - part);
    let is_next_to_it = largest.upper().is_finite() && saddle.epsilon >= below(TUNING.next_to_largest);
    let question = || {
        let epsilon = below(1.5 * TUNING.next_to_largest);
        (Goal::Delta { epsilon }, Accuracy { relative: TUNING.first_digit, ..accuracy })
    };
    (matches!(goal, Goal::Epsilon { .. }) && is_next_to_it).then(question)
}

/// What part of g may be in doubt for ε to be as narrow as allowed: a width w of g is one of `w/(slope·g)` of ε.
fn needed(allowed: f64, slope: f64) -> f64 {
    // Without a slope there is nothing to go by.
    let slope = if slope.is_finite() { slope } else { 1.0 };
    (TUNING.part_aimed_at * allowed * slope).clamp(TUNING.least_in_doubles, TUNING.first_digits)
}
