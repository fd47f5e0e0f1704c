//! `eˣ − 1` and `ln(1 + x)` next to 0, to two or three u, in loops that are vectorised.
//!
//! As [`super::quick`], they are multiplications and additions without branches, none of them fused; but the leading term is the argument itself,
//! so that only what is added to it carries roundings. Outside of their ranges they are not what they are called.

/// [`expm1_near_zero`] is for |x| up to this.
pub const LARGEST_EXPONENT: f64 = 0.7;
/// The relative error of [`expm1_near_zero`] in units of u.
pub const EXPM1_ERROR_UNITS: f64 = 3.0;
/// [`ln_1p_near_zero`] is for x between this and [`LARGEST_GROWTH`].
pub const LEAST_GROWTH: f64 = -0.29;
/// The larger of them.
pub const LARGEST_GROWTH: f64 = 0.41;
/// The relative error of [`ln_1p_near_zero`] in units of u.
pub const LN_1P_ERROR_UNITS: f64 = 2.0;

/// `1/k!` for k = 2 … 18.
const INVERSE_FACTORIALS: [f64; 17] = {
    let mut inverse = [0.5; 17];
    let (mut k, mut factorial) = (1, 2.0);
    while k < 17 {
        // Exact up to 18! < 2⁵³.
        factorial *= (k + 2) as f64;
        inverse[k] = 1.0 / factorial;
        k += 1;
    }
    inverse
};

/// `2/(2k + 1)` for k = 1 … 10.
const ODD_PARTS: [f64; 10] = {
    let mut parts = [0.0; 10];
    let mut k = 0;
    while k < 10 {
        parts[k] = 2.0 / (2 * k + 3) as f64;
        k += 1;
    }
    parts
};

/// `eˣ − 1` for |x| ≤ [`LARGEST_EXPONENT`].
///
/// # Guarantee
/// Off by at most [`EXPM1_ERROR_UNITS`]·u of itself, but for underflow. It is `x + x²R` with `R = 1/2 + x(1/6 + …)`, and what the series leaves out
/// is below `0.7¹⁷/19! < 10⁻¹⁹`. By Horner's rule R is `1/2 + xS` with an S that is off by 3 u and `|xS| ≤ 0.25 R`: the product and the sum are rounded, so R is
/// off by `(1 + 4 · 0.25) u`; `x²R` by two roundings more, `4.1 u`. Of `eˣ − 1` it is `|1 − x/(eˣ − 1)| ≤ 0.391`, and the sum is rounded: 2.7 u.
#[must_use]
#[inline(always)]
pub fn expm1_near_zero(x: f64) -> f64 {
    let series = INVERSE_FACTORIALS.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient);
    x + (x * x) * series
}

/// `ln(1 + x)` for [`LEAST_GROWTH`] ≤ x ≤ [`LARGEST_GROWTH`].
///
/// # Guarantee
/// Off by at most [`LN_1P_ERROR_UNITS`]·u of itself, but for underflow. With `s = x/(2 + x)`, `|s| ≤ 0.1702`, it is `2 artanh s = 2s + sR` with
/// `R = Σ 2s²ᵏ/(2k + 1)`, which leaves out less than `10⁻¹⁷` of s; and `2s = x − sx` makes that `x − s(x − R)`. s is off by 2 u, R by 9 u and at most 0.064 of
/// `x − R`, which is off by 1.6 u after its rounding; the product by 4.6 u. Of `ln(1 + x)` it is at most 0.194, and the difference is rounded: 1.9 u.
#[must_use]
#[inline(always)]
pub fn ln_1p_near_zero(x: f64) -> f64 {
    let s = x / (2.0 + x);
    let square = s * s;
    let series = ODD_PARTS.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient);
    x - s * (x - square * series)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ball::Ball, special::UNIT_ROUNDOFF};
    use proptest::prelude::*;

    /// How far a value is off a ball of 106 bits, in units of u.
    fn units(value: f64, exact: Ball) -> f64 {
        (Ball::from(value) - exact).approximate().abs() / (UNIT_ROUNDOFF * exact.approximate().abs())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn errors_are_as_stated(
            x in -LARGEST_EXPONENT..=LARGEST_EXPONENT,
            y in LEAST_GROWTH..=LARGEST_GROWTH,
            e in -60i32..1,
        ) {
            for scale in [1.0, 10f64.powi(e)] {
                let (x, y) = (x * scale, y * scale);
                prop_assert!(units(expm1_near_zero(x), Ball::from(x).exp_m1()) <= EXPM1_ERROR_UNITS, "{x:e}");
                prop_assert!(units(ln_1p_near_zero(y), Ball::from(y).ln_1p()) <= LN_1P_ERROR_UNITS, "{y:e}");
            }
        }
    }

    #[test]
    fn ends_are_within_their_errors() {
        for x in [-LARGEST_EXPONENT, LARGEST_EXPONENT, 0.35, -0.35, 1e-5] {
            assert!(units(expm1_near_zero(x), Ball::from(x).exp_m1()) <= EXPM1_ERROR_UNITS, "{x}");
        }
        for x in [LEAST_GROWTH, LARGEST_GROWTH, 0.2, -0.2, 1e-5] {
            assert!(units(ln_1p_near_zero(x), Ball::from(x).ln_1p()) <= LN_1P_ERROR_UNITS, "{x}");
        }
        assert_eq!((expm1_near_zero(0.0), ln_1p_near_zero(0.0)), (0.0, 0.0));
    }
}
