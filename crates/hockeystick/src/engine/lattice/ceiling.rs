//! The answer of another direction: a composition that is proven to stay below it need not be narrow.

use super::{choice::LatticePlan, estimate::Saddle, tuning::TUNING};
use crate::engine::Goal;

/// The answer of another direction.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// The ε.
    pub epsilon: f64,
    /// The δ.
    pub delta: f64,
    /// The plan of the other direction, if it was a lattice: saddle-point estimates of both have similar errors.
    pub plan: Option<LatticePlan>,
}

impl Ceiling {
    /// The tolerance to try first: a fraction of the estimated distance between both answers.
    pub(crate) fn worth_trying(&self, goal: Goal, saddle: Saddle) -> f64 {
        let between = self.plan.map_or(f64::INFINITY, |other| match goal {
            Goal::Delta { .. } => 1.0 - saddle.delta / other.delta,
            Goal::Epsilon { .. } => 1.0 - saddle.epsilon / other.epsilon,
        });
        // (0 for NaN.)
        let tolerance = TUNING.below_ceiling * between;
        if between > 0.0 { tolerance.min(TUNING.coarse_tolerance) } else { 0.0 }
    }
}
