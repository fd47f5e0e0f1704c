//! What calibration found: the number, the mechanism with it, and what that mechanism spends.

use super::{outcome::Outcome, target::Target};
use crate::{
    mechanism::{Hole, Mechanism},
    query::Answer,
};

/// What calibration found.
#[derive(Clone, Debug)]
pub struct Calibration {
    pub(super) hole: Hole,
    pub(super) target: Target,
    pub(super) outcome: Outcome,
    pub(super) mechanism: Mechanism,
    pub(super) answer: Answer,
}

impl Calibration {
    /// What the `?` stands for.
    pub fn hole(&self) -> Hole {
        self.hole
    }

    /// The target that was asked for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The number, or why there is none.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The number to use, if there is one.
    ///
    /// # Guarantee
    /// The mechanism with this number meets the target.
    pub fn value(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Found { value, .. } | Outcome::EveryValue { value } => Some(value),
            Outcome::Impossible { .. } => None,
        }
    }

    /// The nearest number proven to miss the target.
    pub fn too_little(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Found { too_little, .. } => too_little,
            Outcome::EveryValue { .. } | Outcome::Impossible { .. } => None,
        }
    }

    /// The mechanism with the number, or with the closest there is.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// What that mechanism spends, in the terms of the target.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }
}
