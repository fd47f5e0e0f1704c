//! What every piece can do.

use super::Outline;
use crate::engine::contour::line::Integral;
use std::fmt;

/// What one event A contributes to δ.
pub(crate) trait Piece: fmt::Debug + Send + Sync {
    /// `E[(1 − e^{ε−L})₊; A, L < ∞]`.
    ///
    /// # Guarantee
    /// Encloses it, for every ε.
    fn contribution(&self, epsilon: f64) -> Integral;

    /// What its errors leave in doubt at least, without summing anything.
    fn least_width(&self, epsilon: f64) -> f64;

    /// What it is, and what it costs.
    fn outline(&self) -> Outline;
}
