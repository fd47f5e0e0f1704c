//! What every piece can do.

use super::Outline;
use crate::engine::contour::line::Integral;
use std::fmt;

/// The contribution of one event A to δ. If cuts are smooth, A is a weight between 0 and 1 for each outcome.
pub(crate) trait Piece: fmt::Debug + Send + Sync {
    /// `E[(1 − e^{ε−L})₊; A, L < ∞]`.
    ///
    /// # Guarantee
    /// Encloses it, for every ε.
    fn contribution(&self, epsilon: f64) -> Integral;

    /// The part of the width that is known without summing a line.
    fn width_without_sum(&self, epsilon: f64) -> f64;

    /// What it is, and what it costs.
    fn outline(&self) -> Outline;

    /// The share of pairs and points that it took to sum, if it was not all of them.
    fn summed(&self) -> f64 {
        1.0
    }
}
