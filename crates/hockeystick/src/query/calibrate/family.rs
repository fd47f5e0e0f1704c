//! What is calibrated: mechanisms, one for each number.

use super::error::CalibrationError;
use crate::mechanism::{Hole, Mechanism, Template};

/// What is tried first: one of them is in the range of every parameter.
pub(super) const SEEDS: [f64; 12] = [1.0, 0.5, 2.0, 3.0, 10.0, 0.1, 100.0, 1e3, 0.01, 1e4, 1e6, 0.0];

/// Mechanisms, one for each number that is allowed.
///
/// The numbers that are allowed lie between two ends, and all numbers between them are: whole ones, if [`Hole::whole`] says so.
/// The same number always gives the same mechanism.
pub trait Family: Sync {
    /// What the number is.
    fn hole(&self) -> Hole;

    /// The mechanism of a number, or why the number is not allowed.
    fn fill(&self, value: f64) -> Result<Mechanism, CalibrationError>;

    /// Whether numbers that are not needed may be tried, to know beforehand which ones are allowed.
    fn is_quick(&self) -> bool {
        true
    }
}

impl Family for Template {
    fn hole(&self) -> Hole {
        Self::hole(self)
    }

    fn fill(&self, value: f64) -> Result<Mechanism, CalibrationError> {
        Ok(Self::fill(self, value)?)
    }
}
