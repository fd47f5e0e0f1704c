//! Just enough arithmetic on unevaluated sums of two numbers to compute nodes and weights beyond double
//! precision.

use crate::residual::{two_product, two_sum};

/// An unevaluated sum high + low, good to about 100 bits.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Pair {
    pub(super) fn sum(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, b);
        Self { high, low }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        let (high, residual) = two_sum(self.high, other.high);
        Self::sum(high, residual + (self.low + other.low))
    }

    pub(super) fn times(self, other: Self) -> Self {
        let (high, residual) = two_product(self.high, other.high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        Self::sum(high, residual + cross)
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        let (high, residual) = two_product(self.high, factor);
        Self::sum(high, self.low.mul_add(factor, residual))
    }

    /// One Newton correction of the quotient of the high parts.
    pub(super) fn over(self, divisor: Self) -> Self {
        let quotient = self.high / divisor.high;
        let remainder = self.plus(divisor.scaled(-quotient));
        Self::sum(quotient, remainder.high / divisor.high)
    }

    pub(super) fn rounded(self) -> f64 {
        self.high + self.low
    }
}
