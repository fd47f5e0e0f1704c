//! What a pass over a question aims at.

use super::{Accuracy, search::Saddle, tuning::TUNING};
use crate::engine::Goal;
use hockeystick_numerics::{enclosure::Enclosure, special::ln};

/// The ε at which `g(ε) = E[(1 − e^{ε−L})₊; L < ∞]` is computed, and the relative width aimed at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    /// An estimate of the ε asked for.
    pub(super) epsilon: f64,
    /// An estimate of `log g(ε)`; −∞ if there is none.
    pub(super) log_delta: f64,
    /// The relative width of g(ε) aimed at. Up to `TUNING.accepted` times that is accepted.
    pub(super) needed: f64,
    /// The same where `|M|` does not decay.
    pub(super) needed_without_decay: f64,
}

impl Target {
    /// Before anything is drawn, from a saddle point.
    pub(super) fn first(goal: Goal, accuracy: Accuracy, saddle: &Saddle) -> Self {
        match goal {
            Goal::Delta { epsilon } => Self::of_delta(epsilon, saddle, accuracy),
            Goal::Epsilon { delta } => {
                let needed = |accuracy: Accuracy| {
                    let allowed = accuracy.of_epsilon(saddle.epsilon.max(0.0));
                    needed(allowed, saddle.tilt).max(accuracy.aimed_at())
                };
                Self {
                    epsilon: saddle.epsilon,
                    log_delta: ln(delta),
                    needed: needed(accuracy),
                    needed_without_decay: needed(accuracy.without_decay()),
                }
            }
        }
    }

    fn of_delta(epsilon: f64, saddle: &Saddle, accuracy: Accuracy) -> Self {
        // ε has a round-off error, which changes g by a relative amount proportional to c·ε.
        let rounded = TUNING.rounding * saddle.tilt * epsilon.abs();
        let needed = |accuracy: Accuracy| accuracy.aimed_at().max(rounded);
        Self {
            epsilon,
            log_delta: f64::NEG_INFINITY,
            needed: needed(accuracy),
            // An ε of the width w goes with a δ of the relative width cεw.
            needed_without_decay: needed(accuracy.without_decay())
                * (saddle.tilt * epsilon).clamp(1.0, 100.0),
        }
    }

    /// The target after a pass, which found `epsilon`, with `slope = −d log g/dε` there.
    pub(super) fn moved(self, goal: Goal, accuracy: Accuracy, epsilon: f64, slope: f64) -> Self {
        match goal {
            Goal::Delta { .. } => self,
            Goal::Epsilon { delta } => {
                let needed = |accuracy: Accuracy| needed(accuracy.of_epsilon(epsilon), slope);
                Self {
                    epsilon,
                    log_delta: ln(delta),
                    needed: needed(accuracy),
                    needed_without_decay: needed(accuracy.without_decay()),
                }
            }
        }
    }

    /// The same, to be so many times as narrow where `|M|` does not decay.
    pub(super) fn finer_without_decay(self, factor: f64) -> Self {
        Self { needed_without_decay: factor * self.needed_without_decay, ..self }
    }

    /// What is needed of a recipe that needs decay, or of one that does not.
    fn needed_of(self, needs_decay: bool) -> f64 {
        if needs_decay { self.needed } else { self.needed_without_decay }
    }

    /// Is a width of g(ε), relative to itself, as small as is wanted of a recipe that needs decay, or of one that does not?
    pub(super) fn is_met_by(self, width: f64, needs_decay: bool) -> bool {
        width <= TUNING.accepted * self.needed_of(needs_decay)
    }

    /// Does an assembly built for `other` serve this target as well as a new one would?
    pub(super) fn is_served_by(self, other: Self, needs_decay: bool) -> bool {
        let is_near = (self.epsilon - other.epsilon).abs() <= TUNING.near * self.epsilon.abs();
        is_near && self.needed_of(needs_decay) >= TUNING.part_aimed_at * other.needed_of(needs_decay)
    }
}

/// The question asked instead if ε lies just below the largest loss: is δ above the one asked for a little before that loss?
///
/// If it is, the largest loss is a narrow enough bound of ε. One digit of δ decides that.
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
        (Goal::Delta { epsilon }, Accuracy { relative: TUNING.one_digit, ..accuracy })
    };
    (matches!(goal, Goal::Epsilon { .. }) && is_next_to_it).then(question)
}

/// The relative width of g that gives ε the width `allowed`: a width w of g gives ε the width `w/(slope·g)`.
fn needed(allowed: f64, slope: f64) -> f64 {
    // An unknown slope is replaced by 1.
    let slope = if slope.is_finite() { slope } else { 1.0 };
    (TUNING.part_aimed_at * allowed * slope).clamp(TUNING.least_in_doubles, TUNING.max_needed)
}
