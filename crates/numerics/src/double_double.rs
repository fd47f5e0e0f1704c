//! Numbers with 106 bits: the unevaluated sum of two doubles.
//!
//! Used where the *inputs* are exact doubles but the answer depends on their difference after large products, say
//! `2ε − μ²` with both near 10¹²: sixteen digits would leave four. No radius is carried here; [`crate::ball`] does.

use crate::error_free::{fast_two_sum, two_product, two_sum};
use crate::{rounding::SQUARED_ROUNDOFF, special, vectorised::vectorised};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// `hi + lo` with `|lo| ≤ ulp(hi)/2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    hi: f64,
    lo: f64,
}

impl DoubleDouble {
    /// Relative error bound of `+ − × ÷` and `sqrt`: 15u² + 56u³ for the division, less for the others
    /// ([Joldes, Muller, Popescu 2017, Alg. 6, 9, 12, 17]; [Lefèvre et al. 2023] for the square root), while no
    /// intermediate result leaves the range `2^-968 … 2^1023`.
    pub const ARITHMETIC_ERROR: f64 = 1.9721522630525295e-31; // 2^-102 = 16u²
    /// Relative error bound of `exp`, `exp_m1`, `ln` and `ln_1p` for arguments and results between `10^-120` and
    /// `10^120` in magnitude: 2^-98 = 256u².
    ///
    /// Proof, with sums off by 3u² and products by 5u² ([Joldes et al. 2017, Alg. 6, 12]). A series of r/2^9 is off by 3.1u², and each of nine doublings
    /// `s ← 2s + s²` adds 3u² and a part `s/(2 + s)` of 5u², and multiplies what s is off by `1 + s/(2 + s)` at most; as s grows up to 0.42, these come to 1.19 together and
    /// `e^r − 1` is off by 37u². What powers of ln 2 leave of the argument is off by 3.3u², so that `e^x` is off by 20u², and `e^x − 1` by 72u² where `|x| > 0.34`.
    /// The logarithm is `y + (xe^{−y} − 1)` with a double y, off by 28u² and what that step leaves, `(1.05|L| + 1)²u²/2` as
    /// y is within [1.05u](special::LN_ERROR_UNITS) of itself, and by 3u² of itself; next to 1, where it is
    /// `y + (x + m + xm)`, it is off by 72u² of `m = e^{−y} − 1`, up to 1.45 times as large, and 10u².
    pub const FUNCTION_ERROR: f64 = 3.1554436208840472e-30;
    /// The same of `exp` alone: 2^-100 = 64u².
    pub const EXP_ERROR: f64 = 7.888609052210118e-31;

    /// What `ln` is off at most where it is about `log`, by the same proof.
    #[must_use]
    pub fn ln_error(log: f64) -> f64 {
        SQUARED_ROUNDOFF * (100.0 + 4.0 * log.abs() + (log.abs() + 1.0) * (log.abs() + 1.0))
    }

    /// Arguments of series are divided by 2^9, so that nine terms of an exponential leave less than 2^-113, and those of a turn less than
    /// 2^-105 of the first.
    pub(crate) const HALVINGS: u32 = 9;

    /// `ln 2` in three parts (error below 2^-150). The first has 42 bits, so that its product with a power of two's
    /// exponent is exact.
    pub(crate) const LN_2: [f64; 3] = [0.6931471805598903, 5.497923018708371e-14, 1.94704509238075e-31];

    /// 1/n! for n = 2 … 9, to 106 bits.
    pub(crate) const INVERSE_FACTORIALS: [Self; 8] = [
        Self { hi: 0.5, lo: 0.0 },
        Self { hi: 0.16666666666666666, lo: 9.25185853854297e-18 },
        Self { hi: 0.041666666666666664, lo: 2.3129646346357427e-18 },
        Self { hi: 0.008333333333333333, lo: 1.1564823173178714e-19 },
        Self { hi: 0.001388888888888889, lo: -5.300543954373577e-20 },
        Self { hi: 0.0001984126984126984, lo: 1.7209558293420705e-22 },
        Self { hi: 2.48015873015873e-05, lo: 2.1511947866775882e-23 },
        Self { hi: 2.7557319223985893e-06, lo: -1.858393274046472e-22 },
    ];

    /// Exactly 0.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    /// Exactly 1.
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    /// `a + b`, exactly.
    #[inline(always)]
    pub fn from_sum(a: f64, b: f64) -> Self {
        let (hi, lo) = two_sum(a, b);
        Self { hi, lo }
    }
    /// `a · b`, exactly (within the range of [`two_product`]).
    #[inline(always)]
    pub fn from_product(a: f64, b: f64) -> Self {
        let (hi, lo) = two_product(a, b);
        Self { hi, lo }
    }

    /// The leading double, the nearest one to the whole.
    #[inline(always)]
    pub fn hi(self) -> f64 {
        self.hi
    }

    /// What the leading double leaves over.
    #[inline(always)]
    pub fn lo(self) -> f64 {
        self.lo
    }

    /// Half, exactly (outside the subnormal range).
    #[inline]
    pub fn halved(self) -> Self {
        self.scaled_by_power_of_two(0.5)
    }

    /// The product with a power of two, exactly.
    #[inline(always)]
    pub(crate) fn scaled_by_power_of_two(self, power: f64) -> Self {
        Self { hi: self.hi * power, lo: self.lo * power }
    }

    /// `√self` for a positive number.
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self { hi: self.hi.sqrt(), lo: 0.0 };
        }
        let root = self.hi.sqrt();
        let remainder = (-root).mul_add(root, self.hi) + self.lo;
        let (hi, lo) = fast_two_sum(root, remainder / (2.0 * root));
        Self { hi, lo }
    }

    /// `e^r − 1` for |r| ≤ 0.35: Taylor series of r/2^9, then `s ← 2s + s²` nine times, which keeps relative accuracy.
    fn exp_m1_reduced(self) -> Self {
        // Where a machine has no fused products unless it is asked for them, each would be the call of a function.
        vectorised(
            #[inline(always)]
            || {
                let r = self.scaled_by_power_of_two(1.0 / f64::from(1 << Self::HALVINGS));
                let mut tail = Self::INVERSE_FACTORIALS[Self::INVERSE_FACTORIALS.len() - 1];
                for &coefficient in Self::INVERSE_FACTORIALS.iter().rev().skip(1) {
                    tail = tail * r + coefficient;
                }
                let mut s = r + r * r * tail;
                for _ in 0..Self::HALVINGS {
                    s = s.scaled_by_power_of_two(2.0) + s * s;
                }
                s
            },
        )
    }

    /// `e^self`; 0 or ∞ where the leading double under- or overflows.
    pub fn exp(self) -> Self {
        if !(-708.0..=709.0).contains(&self.hi) {
            return Self { hi: special::exp(self.hi), lo: 0.0 };
        }
        let powers = (self.hi / Self::LN_2[0]).round();
        let reduced = self
            - Self::from(powers * Self::LN_2[0])
            - Self::from_product(powers, Self::LN_2[1])
            - Self::from(powers * Self::LN_2[2]);
        let value = Self::ONE + reduced.exp_m1_reduced();
        // Two factors, so that neither power of two leaves the range of doubles.
        let first = (powers / 2.0).trunc() as i32;
        let second = powers as i32 - first;
        value.scaled_by_power_of_two(2f64.powi(first)).scaled_by_power_of_two(2f64.powi(second))
    }

    /// `e^self − 1`, with relative accuracy near 0.
    pub fn exp_m1(self) -> Self {
        if self.hi.abs() <= 0.34 { self.exp_m1_reduced() } else { self.exp() - Self::ONE }
    }

    /// `ln(1 + self)`: a double approximation `y`, then one Newton step `y + (1 + x)e^{−y} − 1`, written as
    /// `y + x + m + x·m` with `m = e^{−y} − 1`, so that nothing is lost near 0.
    pub fn ln_1p(self) -> Self {
        if !(-0.5..=1.0).contains(&self.hi) {
            // Far from 0 the sum loses nothing that matters; near −1 the low part of `self` does, and is kept.
            return (Self::ONE + self).ln();
        }
        let start = special::ln_1p(self.hi);
        if !start.is_finite() || start == 0.0 {
            return Self { hi: start, lo: 0.0 };
        }
        let m = Self::from(-start).exp_m1();
        Self::from(start) + (self + m + self * m)
    }

    /// `ln self` for a positive number.
    pub fn ln(self) -> Self {
        // Not up to 2 itself: with a low half, 2 − 1 may round to above 1, and `ln_1p` would send it back.
        if (0.5..2.0).contains(&self.hi) {
            return (self - Self::ONE).ln_1p();
        }
        let start = special::ln(self.hi);
        if !start.is_finite() {
            return Self { hi: start, lo: 0.0 };
        }
        Self::from(start) + (self * Self::from(-start).exp() - Self::ONE)
    }
}

impl From<f64> for DoubleDouble {
    #[inline(always)]
    fn from(x: f64) -> Self {
        Self { hi: x, lo: 0.0 }
    }
}

impl From<u64> for DoubleDouble {
    /// Exact: a 64-bit number fits 106 bits.
    #[inline]
    fn from(n: u64) -> Self {
        const LOW_BITS: u64 = (1 << 32) - 1;
        Self::from_sum((n & !LOW_BITS) as f64, (n & LOW_BITS) as f64)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let (s, s_error) = two_sum(self.hi, other.hi);
        let (t, t_error) = two_sum(self.lo, other.lo);
        let (v, v_error) = fast_two_sum(s, s_error + t);
        let (hi, lo) = fast_two_sum(v, t_error + v_error);
        Self { hi, lo }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let (product, error) = two_product(self.hi, other.hi);
        let cross = self.hi.mul_add(other.lo, self.lo * other.lo);
        let (hi, lo) = fast_two_sum(product, error + self.lo.mul_add(other.hi, cross));
        Self { hi, lo }
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let quotient = self.hi / other.hi;
        let (p, p_error) = two_product(other.hi, quotient);
        let (r, r_error) = fast_two_sum(p, other.lo.mul_add(quotient, p_error));
        let remainder = (self.hi - r) + (self.lo - r_error);
        let (hi, lo) = fast_two_sum(quotient, remainder / other.hi);
        Self { hi, lo }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide() -> impl Strategy<Value = DoubleDouble> {
        (-1e3f64..1e3, -1.0f64..1.0).prop_map(|(hi, t)| DoubleDouble::from_sum(hi, hi * t * 2f64.powi(-54)))
    }

    fn relative_error(computed: DoubleDouble, truth: DoubleDouble) -> f64 {
        ((computed - truth).hi / truth.hi).abs()
    }

    proptest! {
        #[test]
        fn division_undoes_multiplication(a in wide(), b in wide()) {
            prop_assume!(a.hi.abs() > 1e-6 && b.hi.abs() > 1e-6);
            prop_assert!(relative_error(a * b / b, a) <= 2.0 * DoubleDouble::ARITHMETIC_ERROR);
            let square = a * a;
            prop_assert!(relative_error(square.sqrt() * square.sqrt(), square) <= 3.0 * DoubleDouble::ARITHMETIC_ERROR);
        }

        #[test]
        fn exponential_of_a_sum_is_a_product(a in -300f64..300.0, b in -300f64..300.0) {
            let (a, b) = (DoubleDouble::from(a), DoubleDouble::from(b));
            prop_assert!(relative_error((a + b).exp(), a.exp() * b.exp()) <= 8.0 * DoubleDouble::FUNCTION_ERROR);
        }

        #[test]
        fn logarithms_end_everywhere(hi in prop_oneof![Just(0.5), Just(1.0), Just(2.0), 0.4f64..2.1], t in -1f64..=1.0) {
            // Neighbours of the seams between `ln` and `ln_1p`, with any low half.
            let x = DoubleDouble::from_sum(hi, t * hi * 2f64.powi(-53));
            prop_assert!((x.ln().hi - hi.ln()).abs() < 1e-14);
            let y = x - DoubleDouble::ONE;
            prop_assert!((y.ln_1p().hi - hi.ln()).abs() < 1e-14);
        }

        #[test]
        fn integers_are_exact(n in any::<u64>()) {
            let wide = DoubleDouble::from(n);
            prop_assert_eq!(wide.hi as i128 + wide.lo as i128, i128::from(n));
        }
    }
}
