//! What another composition reached: one that stays below it need not be narrow.

use super::{choice::LatticePlan, estimate::Saddle, tuning::TUNING};
use crate::engine::Goal;

/// What another composition reached: a lattice that stays below need not be fine.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// The ε.
    pub epsilon: f64,
    /// The δ.
    pub delta: f64,
    /// The plan of the other, if that is a lattice: estimates of the same kind are off alike.
    pub plan: Option<LatticePlan>,
}

impl Ceiling {
    /// The tolerance with which it is worth trying: a part of what is expected to lie between.
    pub(crate) fn worth_trying(&self, goal: Goal, saddle: Saddle) -> f64 {
        let between = self.plan.map_or(f64::INFINITY, |other| match goal {
            Goal::Delta { .. } => 1.0 - saddle.delta / other.delta,
            Goal::Epsilon { .. } => 1.0 - saddle.epsilon / other.epsilon,
        });
        // (Not if it is no number.)
        let tolerance = TUNING.below_ceiling * between;
        if between > 0.0 { tolerance.min(TUNING.coarse_tolerance) } else { 0.0 }
    }
}
