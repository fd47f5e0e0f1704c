//! The exponential and the logarithm to some u in place of one, and `log erfc` to seven digits: for searches, and for bounds with
//! room to spare.
//!
//! They are a few multiplications and additions and next to no branches, so that loops over them are vectorised. None of them is
//! fused: the bits are the same everywhere.

use super::UNIT_ROUNDOFF;
use std::f64::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

/// The relative error of [`exp`] in units of u between [`LEAST_EXPONENT`] and [`LARGEST_EXPONENT`].
pub const EXP_ERROR_UNITS: f64 = 8.0;
/// The relative error of [`expm1`] in units of u, but for that of the exponential.
pub const EXPM1_ERROR_UNITS: f64 = 12.0;
/// The relative error of [`ln_1p`] in units of u from −0.29 on.
pub const LN_1P_ERROR_UNITS: f64 = 10.0;
/// Below this exponent [`exp`] is 0.
pub const LEAST_EXPONENT: f64 = -708.0;
/// Above this exponent [`exp`] is infinite.
pub const LARGEST_EXPONENT: f64 = 709.0;

/// `1.5 · 2⁵²`: adding it leaves an integer in the last bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
/// ln 2 to 32 bits, so that its product with an exponent is exact, and the rest.
const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// `1/k!`.
const FACTORIALS: [f64; 13] = {
    let mut inverse = [1.0; 13];
    let mut k = 1;
    while k < 13 {
        inverse[k] = inverse[k - 1] / k as f64;
        k += 1;
    }
    inverse
};

/// `Σ r^{k−from}/k!` for k = from … 12.
#[inline(always)]
fn exponential_series<const FROM: usize>(r: f64) -> f64 {
    let f = |k: usize| if k + FROM < 13 { FACTORIALS[k + FROM] } else { 0.0 };
    let [second, fourth] = [r * r, (r * r) * (r * r)];
    let quarter = |k: usize| (f(k) + r * f(k + 1)) + second * (f(k + 2) + r * f(k + 3));
    quarter(0) + fourth * (quarter(4) + fourth * (quarter(8) + fourth * f(12)))
}

/// eˣ, but 0 below [`LEAST_EXPONENT`] and infinite above [`LARGEST_EXPONENT`].
///
/// # Guarantee
/// Between these, the relative error is at most [`EXP_ERROR_UNITS`]·u: with `x = n ln 2 + r`, |r| ≤ 0.35, the series ends before
/// `|r|¹³/13! < 2.4 u e^r`, r is off by less than u, and the last of its sums and the product are rounded.
#[must_use]
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let within = x.clamp(LEAST_EXPONENT, LARGEST_EXPONENT);
    let shifted = within * LOG2_E + ROUNDER;
    let n = shifted - ROUNDER;
    let r = (within - n * LN_2_HIGH) - n * LN_2_LOW;
    let power = exponential_series::<0>(r) * f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52);
    let large = if x > LARGEST_EXPONENT { f64::INFINITY } else { power };
    if x < LEAST_EXPONENT { 0.0 } else { large }
}

/// eˣ − 1 for |x| ≤ 0.35, off by some u of itself.
#[must_use]
#[inline(always)]
pub fn expm1_near_zero(x: f64) -> f64 {
    x * exponential_series::<1>(x)
}

/// eˣ − 1.
///
/// # Guarantee
/// Between [`LEAST_EXPONENT`] and [`LARGEST_EXPONENT`], off by at most [`EXPM1_ERROR_UNITS`]·u of itself, and by 9 u of eˣ besides if
/// |x| ≥ 0.35. Nearer to 0 the series ends before `|x|¹²/13! < 6 u` of `(eˣ − 1)/x ≥ 0.84`, and it takes fewer than 5 roundings of that.
#[must_use]
#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    // Both at once: loops are vectorised.
    let (near, far) = (expm1_near_zero(x), exp(x) - 1.0);
    if x.abs() < 0.35 { near } else { far }
}

/// `2 artanh s` for |s| ≤ 0.172: the next term is below `s²²/23 < u/60` of the first.
#[inline(always)]
fn logarithmic_series(s: f64) -> f64 {
    let w = s * s;
    let [second, fourth] = [w * w, (w * w) * (w * w)];
    let odd = |k: usize| 1.0 / (2 * k + 1) as f64;
    let low = odd(1) + w * odd(2) + second * (odd(3) + w * odd(4));
    let high = odd(5) + w * odd(6) + second * (odd(7) + w * odd(8)) + fourth * (odd(9) + w * odd(10));
    2.0 * s + 2.0 * s * (w * (low + fourth * high))
}

/// ln x, off by some u of itself. Zero, negative, infinite and subnormal arguments are left to the [exact one](super::ln).
#[must_use]
#[inline]
pub fn ln(x: f64) -> f64 {
    if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        return super::ln(x);
    }
    // The mantissa between √½ and √2.
    let bits = x.to_bits().wrapping_sub(SQRT_HALF_BITS);
    let exponent = (bits as i64) >> 52;
    let mantissa = f64::from_bits((bits & MANTISSA).wrapping_add(SQRT_HALF_BITS));
    exponent as f64 * LN_2 + logarithmic_series((mantissa - 1.0) / (mantissa + 1.0))
}

/// ln(1 + x), off by some u of itself.
///
/// # Guarantee
/// From −0.29 on by at most [`LN_1P_ERROR_UNITS`]·u. Up to 0.41 `s = x/(2 + x)` is off by 2 u, and the last sum of the series is rounded.
/// Beyond, `1 + x`, `n ln 2` and the series are off by less than `(1 + 0.7n + 0.8) u`, and their sum by u of `ln(1 + x) ≥ 0.343`, where n = 1 or
/// `ln(1 + x)` is as much larger.
#[must_use]
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    if (-0.29..0.41).contains(&x) { logarithmic_series(x / (2.0 + x)) } else { ln(1.0 + x) }
}

/// [`ln_1p`] for −0.29 ≤ x ≤ 1, without a branch.
#[must_use]
#[inline(always)]
pub fn ln_1p_up_to_one(x: f64) -> f64 {
    // (1 + x)/2 is between √½ and 1 where x is not small.
    let is_small = x < 0.41;
    let half = 0.5 * (1.0 + x);
    let s = if is_small { x / (2.0 + x) } else { (half - 1.0) / (half + 1.0) };
    logarithmic_series(s) + if is_small { 0.0 } else { LN_2 }
}

const SQRT_HALF_BITS: u64 = FRAC_1_SQRT_2.to_bits();
const MANTISSA: u64 = (1 << 52) - 1;

/// `log erfc x − log t + x²` as a polynomial in `t = 1/(1 + x/2)`: interpolated in the Chebyshev points of `0 ≤ t ≤ 1`.
const LOG_ERFC: [f64; 12] = [
    -1.265_512_118_540_437_1,
    0.999_998_553_034_268_15,
    0.375_074_484_767_747_84,
    0.081_756_791_945_575_817,
    -0.068_137_703_903_333_533,
    -0.264_095_879_579_930_16,
    0.422_859_655_634_919_95,
    -1.386_666_663_516_543_2,
    2.590_129_190_754_818_5,
    -2.346_272_391_647_525_7,
    1.050_233_522_308_568_9,
    -0.189_367_455_654_565_93,
];

/// ln erfc x, off by less than 2 · 10⁻⁸ for x ≥ 0, and by as much of erfc(−x) for x < 0.
#[must_use]
#[inline]
pub fn log_erfc(x: f64) -> f64 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.5 * size);
    let series = LOG_ERFC.iter().rev().fold(0.0, |sum, coefficient| sum * t + coefficient);
    if x >= 0.0 {
        ln(t) + series - x * x
    } else {
        let tail = t * exp(series - x * x);
        // ln(2 − tail), without loss where the tail is small against 2.
        LN_2 + if tail < UNIT_ROUNDOFF { -0.5 * tail } else { ln_1p(-0.5 * tail) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special;
    use proptest::prelude::*;

    /// How far a value is off, in units of u of the exact one.
    fn units(value: f64, exact: f64) -> f64 {
        (value - exact).abs() / (UNIT_ROUNDOFF * exact.abs())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn exponentials_are_within_their_errors(x in LEAST_EXPONENT..LARGEST_EXPONENT, small in -1f64..1.0, e in -30i32..1) {
            prop_assert!(units(exp(x), special::exp(x)) <= EXP_ERROR_UNITS);
            let small = small * 10f64.powi(e);
            prop_assert!(units(exp(small), special::exp(small)) <= EXP_ERROR_UNITS);
            for x in [small, 3.0 * small, x] {
                let exact = special::expm1(x);
                let besides = if x.abs() < 0.35 { 0.0 } else { 9.0 * special::exp(x) };
                let allowed = UNIT_ROUNDOFF * (EXPM1_ERROR_UNITS * exact.abs() + besides);
                prop_assert!((expm1(x) - exact).abs() <= allowed, "{x:e}");
            }
        }

        #[test]
        fn logarithms_too(log in -700f64..700.0, near in 0.5f64..2.0, small in -0.9f64..0.9, e in -30i32..1) {
            for x in [special::exp(log), near] {
                prop_assert!(units(ln(x), special::ln(x)) <= 12.0, "{x:e}");
            }
            let small = small * 10f64.powi(e);
            prop_assert!(units(ln_1p(small), special::ln_1p(small)) <= 12.0, "{small:e}");
            for x in [small.max(-0.29), special::exp(log), near] {
                let exact = special::ln_1p(x);
                prop_assert!(units(ln_1p(x), exact) <= LN_1P_ERROR_UNITS, "{x:e}");
                if x <= 1.0 {
                    prop_assert!(units(ln_1p_up_to_one(x), exact) <= LN_1P_ERROR_UNITS, "{x:e}");
                }
            }
        }

        #[test]
        fn the_complement_of_the_error_function_has_seven_digits(x in -12f64..30.0) {
            let exact = special::log_erfc(x);
            let allowed = if x >= 0.0 { 2e-8 } else { 2e-8 * special::erfc(-x) + 1e-15 };
            prop_assert!((log_erfc(x) - exact).abs() <= allowed + 1e-15 * x * x, "{x}");
        }
    }

    #[test]
    fn ends_are_no_surprise() {
        assert_eq!((exp(f64::NEG_INFINITY), exp(-709.0)), (0.0, 0.0));
        assert_eq!((exp(f64::INFINITY), exp(709.1)), (f64::INFINITY, f64::INFINITY));
        for f in [exp, expm1, ln, ln_1p, log_erfc] {
            assert!(f(f64::NAN).is_nan());
        }
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(f64::INFINITY), f64::INFINITY);
        assert_eq!(ln(1e-310), special::ln(1e-310));
        assert_eq!((expm1(0.0), ln_1p(0.0), ln(1.0), exp(0.0)), (0.0, 0.0, 0.0, 1.0));
        assert!((log_erfc(1e6) + 1e12 + special::ln(1e6 * std::f64::consts::PI.sqrt())).abs() < 1e-3);
    }
}
