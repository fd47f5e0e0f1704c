//! Integrals as weighted sums, together with what a caller needs to bound their round-off.
//!
//! In: a function and an interval. Out: nodes and weights, or the sum with the size of its terms.
//!
//! # Guarantee
//! Nodes and weights have a stated error, and sums a bound of their round-off. How far a sum is from the integral is bounded by [`bernstein`]
//! where a bound on the function is given.

pub mod bernstein;
pub mod gauss_legendre;
pub mod trapezoid;

use crate::summation::CompensatedSum;

/// A weighted sum of function values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedSum {
    /// Σ wⱼ f(xⱼ).
    pub value: f64,
    /// Σ |wⱼ f(xⱼ)|, rounded: a relative error η of the summands moves the value by at most η times this.
    pub absolute: f64,
    /// A bound on the rounding of the additions alone: the summands as computed count as exact.
    pub summation_error: f64,
}

impl FromIterator<f64> for WeightedSum {
    fn from_iter<I: IntoIterator<Item = f64>>(summands: I) -> Self {
        let (mut sum, mut absolute) = (CompensatedSum::new(), CompensatedSum::new());
        for summand in summands {
            sum.add(summand);
            absolute.add(summand.abs());
        }
        Self { value: sum.value(), absolute: absolute.value(), summation_error: sum.error_bound() }
    }
}
