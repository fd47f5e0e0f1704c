//! One exponential in the ratio.

use super::Quadratic;

/// A term `w e^{l}` of the ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    /// `w`.
    pub(crate) weight: f64,
    /// `log w`.
    pub(crate) log_weight: f64,
    /// `l`.
    pub(crate) exponent: Quadratic,
}

impl Term {
    /// A bound of `|log w + l(x)|` for |x| ≤ radius, x real or complex.
    #[inline]
    pub(crate) fn magnitude(&self, radius: f64) -> f64 {
        self.log_weight.abs() + self.exponent.magnitude(radius)
    }

    /// The error of `l(x)` as computed, in units of u, for |x| ≤ radius: coefficients are within 4 u, x itself within
    /// [`NODE_ERROR`]·u·radius, and `l` is rounded twice, or four times if it has a square.
    #[inline(always)]
    pub(crate) fn exponent_error(&self, radius: f64) -> f64 {
        let units = if self.exponent.square == 0.0 { 6.1 } else { 8.1 };
        units * self.exponent.magnitude(radius) + NODE_ERROR * radius * self.exponent.steepness(radius)
    }
}

/// The error of a node in units of u times the largest |x| of its interval: the middle, the half-width, the rule's node
/// (1.05 u) and the fused sum are rounded.
pub(crate) const NODE_ERROR: f64 = 4.1;
