//! Values between two fractions.

use super::super::super::decimal::NumberProblem;
use super::ratio::Ratio;
use std::ops::{Add, Mul, Neg};

/// All numbers from one fraction to another. Equal ends are an exact value.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    low: Ratio,
    high: Ratio,
    /// Whether the ends are known to be the same, so that only one has to be calculated with.
    is_point: bool,
}

impl Interval {
    pub(super) fn point(value: Ratio) -> Self {
        Self { low: value.clone(), high: value, is_point: true }
    }

    fn between(low: Ratio, high: Ratio) -> Self {
        Self { low, high, is_point: false }
    }

    /// `1/x`; `None` if `x` may be 0.
    pub(super) fn inverse(self) -> Option<Self> {
        if self.is_point {
            return self.low.inverse().map(Self::point);
        }
        let is_clear = self.low.is_positive() || self.high.is_negative();
        is_clear.then_some(())?;
        Some(Self::between(self.high.inverse()?, self.low.inverse()?))
    }

    /// `√x` to so many bits; `None` if `x` may be negative.
    pub(super) fn root(self, bits: u64) -> Option<Self> {
        let (low, high) = self.low.root(bits)?;
        if self.is_point {
            return Some(if low == high { Self::point(low) } else { Self::between(low, high) });
        }
        Some(Self::between(low, self.high.root(bits)?.1))
    }

    /// The same, a little wider, with fractions of about so many bits: those of roots grow with every step.
    pub(super) fn trimmed(self, bits: u64) -> Self {
        if self.is_point {
            return self;
        }
        Self::between(self.low.trimmed(bits, false), self.high.trimmed(bits, true))
    }

    /// The double nearest to every number of the interval, or why there is none; `None` if that is not the same for all.
    pub(super) fn nearest(&self) -> Option<Result<f64, NumberProblem>> {
        let low = self.low.nearest();
        if self.is_point {
            return Some(low);
        }
        let (high, is_one_sided) = (self.high.nearest(), self.low.is_positive() || self.high.is_negative());
        (low == high && is_one_sided).then_some(low)
    }

    /// The whole number that it is.
    pub(super) fn whole(&self) -> Option<u64> {
        if self.is_point { self.low.whole() } else { None }
    }
}

impl Neg for Interval {
    type Output = Self;

    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low, is_point: self.is_point }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.is_point && other.is_point {
            return Self::point(&self.low + &other.low);
        }
        Self::between(&self.low + &other.low, &self.high + &other.high)
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if self.is_point && other.is_point {
            return Self::point(&self.low * &other.low);
        }
        let ends = [&self.low, &self.high];
        let others = [&other.low, &other.high];
        let mut products = ends.into_iter().flat_map(|end| others.map(|other| end * other));
        let first = products.next().expect("two ends times two ends");
        let (low, high) = products.fold((first.clone(), first), |(low, high), product| {
            (low.min(product.clone()), high.max(product))
        });
        Self::between(low, high)
    }
}
