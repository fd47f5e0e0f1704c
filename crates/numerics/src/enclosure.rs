//! Closed intervals of doubles with outward rounding.
//!
//! # The inclusion principle
//! For every operation `∘` here and all real `a ∈ A`, `b ∈ B`: `a ∘ b ∈ A ∘ B`. Each result is rounded outward, so a
//! chain of operations on enclosures of the inputs encloses the value of the same chain on the inputs in exact
//! arithmetic. That is the only property certificates rest on; tightness is a matter of taste, inclusion is not.
//!
//! An operation that is undefined somewhere on its operands (a quotient by an interval around 0, ∞ − ∞) returns
//! [`Enclosure::ENTIRE`]; there is no empty interval and no `NaN` end.

use crate::rounding::{
    UNIT_ROUNDOFF, add_down, add_up, div_down, div_up, mul_down, mul_up, sqrt_down, sqrt_up, sub_down, sub_up,
};
use crate::special;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A closed interval `[lower, upper]` that contains some real number of interest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    lower: f64,
    upper: f64,
}

impl Enclosure {
    /// The whole real line: nothing is known.
    pub const ENTIRE: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    /// Exactly 0.
    pub const ZERO: Self = Self { lower: 0.0, upper: 0.0 };
    /// Exactly 1.
    pub const ONE: Self = Self { lower: 1.0, upper: 1.0 };
    /// `[0, 1]`, all that is known of an unknown probability.
    pub const UNIT_INTERVAL: Self = Self { lower: 0.0, upper: 1.0 };
    /// `√(2π)`.
    pub const SQRT_TWO_PI: Self = Self { lower: 2.5066282746310002, upper: 2.5066282746310007 };
    /// `√(π/2)`.
    pub const SQRT_HALF_PI: Self = Self { lower: 1.2533141373155001, upper: 1.2533141373155003 };

    /// `[lower, upper]`; the entire line if an end is `NaN` or they are in the wrong order.
    #[inline]
    pub fn new(lower: f64, upper: f64) -> Self {
        if lower <= upper { Self { lower, upper } } else { Self::ENTIRE }
    }

    /// The double itself, exactly (the entire line for `NaN`).
    #[inline]
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// A computed `x` whose error is at most `r` times the exact value, `r < 10⁻³`, plus [`special::UNDERFLOW_FLOOR`].
    ///
    /// An overflow to ∞ says that the exact value is larger than every double.
    #[inline]
    pub fn relative(x: f64, r: f64) -> Self {
        if x == f64::INFINITY {
            return Self { lower: f64::MAX, upper: x };
        }
        // |x − exact| ≤ r|exact| ≤ r|x|/(1 − r); the second step up is for the underflow.
        let radius = mul_up(x.abs(), r * (1.0 + 1.01 * r)).next_up().next_up();
        Self::new(sub_down(x, radius), add_up(x, radius))
    }

    /// The lower end.
    #[inline]
    pub fn lower(self) -> f64 {
        self.lower
    }

    /// The upper end.
    #[inline]
    pub fn upper(self) -> f64 {
        self.upper
    }

    /// A double inside, near the middle.
    #[inline]
    pub fn midpoint(self) -> f64 {
        if self == Self::ENTIRE {
            0.0
        } else {
            (0.5 * self.lower + 0.5 * self.upper).clamp(self.lower, self.upper)
        }
    }

    /// `upper − lower`, rounded up.
    #[inline]
    pub fn width(self) -> f64 {
        sub_up(self.upper, self.lower)
    }

    /// Is `x` inside?
    #[inline]
    pub fn contains(self, x: f64) -> bool {
        self.lower <= x && x <= self.upper
    }

    /// Is some real number in both?
    #[inline]
    pub fn overlaps(self, other: Self) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }

    /// What is in both, for two enclosures of the *same* number.
    ///
    /// If they do not meet, one of them is not an enclosure of it: the hull is returned, which is true if either is.
    #[inline]
    pub fn intersection(self, other: Self) -> Self {
        if self.overlaps(other) {
            Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
        } else {
            self.hull(other)
        }
    }

    /// The smallest interval that contains both.
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// Cut to `[low, high]`, for a number known to lie there. Outside of it the nearest end remains.
    #[inline]
    pub fn clamp(self, low: f64, high: f64) -> Self {
        // Adding 0 turns −0 into 0.
        Self { lower: self.lower.clamp(low, high) + 0.0, upper: self.upper.clamp(low, high) + 0.0 }
    }

    /// `max(a, b)` over both operands.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// `√a`; the part below 0 is cut off, for a number known to be ≥ 0.
    #[inline]
    pub fn sqrt(self) -> Self {
        let at = self.clamp(0.0, f64::INFINITY);
        Self::new(sqrt_down(at.lower), sqrt_up(at.upper))
    }

    /// `e^a`.
    #[inline]
    pub fn exp(self) -> Self {
        let end =
            |x: f64| if x == 0.0 { Self::ONE } else { computed(special::exp(x), special::EXP_ERROR_UNITS) };
        self.map_increasing(end).clamp(0.0, f64::INFINITY)
    }

    /// `e^a − 1`.
    #[inline]
    pub fn exp_m1(self) -> Self {
        let end = |x: f64| {
            if x == 0.0 { Self::ZERO } else { computed(special::expm1(x), special::EXPM1_ERROR_UNITS) }
        };
        self.map_increasing(end).clamp(-1.0, f64::INFINITY)
    }

    /// `ln a`; −∞ at and below 0, for a number known to be ≥ 0.
    #[inline]
    pub fn ln(self) -> Self {
        let end = |x: f64| match x {
            x if x <= 0.0 => Self { lower: f64::NEG_INFINITY, upper: f64::NEG_INFINITY },
            1.0 => Self::ZERO,
            x => computed(special::ln(x), special::LN_ERROR_UNITS),
        };
        self.map_increasing(end)
    }

    /// `ln(1 + a)`; −∞ at and below −1, for a number known to be ≥ −1.
    #[inline]
    pub fn ln_1p(self) -> Self {
        let end = |x: f64| match x {
            x if x <= -1.0 => Self { lower: f64::NEG_INFINITY, upper: f64::NEG_INFINITY },
            0.0 => Self::ZERO,
            x => computed(special::ln_1p(x), special::LN_1P_ERROR_UNITS),
        };
        self.map_increasing(end)
    }

    /// `1 − a`.
    #[inline]
    pub fn one_minus(self) -> Self {
        Self::ONE - self
    }

    /// The image under an increasing function, from enclosures of its values at the ends.
    #[inline]
    fn map_increasing(self, f: impl Fn(f64) -> Self) -> Self {
        let at_lower = f(self.lower);
        let at_upper = if self.lower == self.upper { at_lower } else { f(self.upper) };
        Self::new(at_lower.lower, at_upper.upper)
    }
}

/// A value of a special function and its stated error bound.
#[inline]
fn computed(value: f64, error_units: f64) -> Enclosure {
    Enclosure::relative(value, error_units * UNIT_ROUNDOFF)
}

impl From<f64> for Enclosure {
    fn from(x: f64) -> Self {
        Self::point(x)
    }
}

impl Neg for Enclosure {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

impl Add for Enclosure {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(add_down(self.lower, other.lower), add_up(self.upper, other.upper))
    }
}

impl Sub for Enclosure {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(sub_down(self.lower, other.upper), sub_up(self.upper, other.lower))
    }
}

impl Mul for Enclosure {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        if self.lower >= 0.0 && other.lower >= 0.0 && self.upper.is_finite() && other.upper.is_finite() {
            return Self::new(mul_down(self.lower, other.lower), mul_up(self.upper, other.upper));
        }
        // The same for one that is positive and one that is not.
        let (positive, other_one) = if self.lower >= 0.0 { (self, other) } else { (other, self) };
        if positive.lower >= 0.0
            && other_one.upper <= 0.0
            && positive.upper.is_finite()
            && other_one.lower.is_finite()
        {
            return Self::new(
                mul_down(positive.upper, other_one.lower),
                mul_up(positive.lower, other_one.upper),
            );
        }
        // 0 · ∞ is 0 here: an infinite end stands for arbitrarily large reals, never for infinity itself.
        let product = |round: fn(f64, f64) -> f64, a: f64, b: f64| {
            if a == 0.0 || b == 0.0 { 0.0 } else { round(a, b) }
        };
        let corners = [
            (self.lower, other.lower),
            (self.lower, other.upper),
            (self.upper, other.lower),
            (self.upper, other.upper),
        ];
        let lower = corners.iter().map(|&(a, b)| product(mul_down, a, b)).fold(f64::INFINITY, f64::min);
        let upper = corners.iter().map(|&(a, b)| product(mul_up, a, b)).fold(f64::NEG_INFINITY, f64::max);
        Self::new(lower, upper)
    }
}

impl Div for Enclosure {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        if other.contains(0.0) {
            return Self::ENTIRE;
        }
        if self.lower >= 0.0 && other.lower > 0.0 && self.upper.is_finite() && other.upper.is_finite() {
            return Self::new(div_down(self.lower, other.upper), div_up(self.upper, other.lower));
        }
        let corners = [
            (self.lower, other.lower),
            (self.lower, other.upper),
            (self.upper, other.lower),
            (self.upper, other.upper),
        ];
        // ∞/∞ leaves a NaN, for which nothing is known.
        if corners.iter().any(|&(a, b)| (a / b).is_nan()) {
            return Self::ENTIRE;
        }
        let lower = corners.iter().map(|&(a, b)| div_down(a, b)).fold(f64::INFINITY, f64::min);
        let upper = corners.iter().map(|&(a, b)| div_up(a, b)).fold(f64::NEG_INFINITY, f64::max);
        Self::new(lower, upper)
    }
}

macro_rules! scalar_operand {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator<f64> for Enclosure {
            type Output = Self;
            #[inline]
            fn $method(self, other: f64) -> Self {
                self.$method(Self::point(other))
            }
        }
    )*};
}
scalar_operand!(Add add, Sub sub, Mul mul, Div div);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interval() -> impl Strategy<Value = (Enclosure, f64)> {
        (-1e3f64..1e3, 0f64..10.0, 0f64..=1.0).prop_map(|(lower, width, at)| {
            (Enclosure::new(lower, lower + width), (lower + width * at).min(lower + width))
        })
    }

    proptest! {
        #[test]
        fn inclusion((a, x) in interval(), (b, y) in interval()) {
            prop_assert!((a + b).contains(x + y));
            prop_assert!((a - b).contains(x - y));
            prop_assert!((a * b).contains(x * y));
            prop_assert!((a / b).contains(x / y));
            prop_assert!((-a).contains(-x));
            prop_assert!((a * a).sqrt().contains((x * x).sqrt()));
            let small = a * 0.1;
            prop_assert!(small.exp().contains((x * 0.1).exp()));
            prop_assert!(small.exp().ln().contains(x * 0.1));
            prop_assert!(small.exp_m1().ln_1p().contains(x * 0.1));
            prop_assert!(a.hull(b).contains(x) && a.hull(b).contains(y));
        }

        #[test]
        fn exponential_undoes_the_logarithm(x in 1e-300f64..1e300) {
            let back = Enclosure::point(x).ln().exp();
            prop_assert!(back.contains(x));
        }
    }

    #[test]
    fn undefined_operations_know_nothing() {
        assert_eq!(Enclosure::ONE / Enclosure::new(-1.0, 1.0), Enclosure::ENTIRE);
        assert_eq!(Enclosure::ENTIRE - Enclosure::ENTIRE, Enclosure::ENTIRE);
        assert_eq!(Enclosure::point(f64::NAN), Enclosure::ENTIRE);
        assert_eq!(Enclosure::new(2.0, 1.0), Enclosure::ENTIRE);
        assert_eq!(Enclosure::ENTIRE * 0.0, Enclosure::ZERO);
    }

    #[test]
    fn extremes_stay_sound() {
        assert_eq!(Enclosure::point(800.0).exp().upper(), f64::INFINITY);
        assert!(Enclosure::point(800.0).exp().lower() <= f64::MAX);
        assert_eq!(Enclosure::point(-800.0).exp().lower(), 0.0);
        assert!(Enclosure::point(-800.0).exp().upper() > 0.0);
        assert_eq!(Enclosure::ENTIRE.exp(), Enclosure::new(0.0, f64::INFINITY));
        assert_eq!(Enclosure::ZERO.ln().lower(), f64::NEG_INFINITY);
    }
}
