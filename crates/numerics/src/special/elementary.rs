//! Exponential and logarithm, and their forms that keep accuracy near zero.

/// Relative error bound of [`exp`] in units of u (see the [module](super) for the convention).
pub const EXP_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`expm1`] in units of u (see the [module](super) for the convention).
pub const EXPM1_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`ln`] in units of u (see the [module](super) for the convention).
pub const LN_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`ln_1p`] in units of u (see the [module](super) for the convention).
pub const LN_1P_ERROR_UNITS: f64 = 1.05;

/// Below this, `eˣ` is smaller than every normal double.
const LOG_SMALLEST_NORMAL: f64 = -708.3964185322641;

/// eˣ.
///
/// # Guarantee
/// Relative error at most [`EXP_ERROR_UNITS`]·u.
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_exp`. Where the result is subnormal that returns a wrong number for one argument in some ten thousand, so there it
/// is the square of `e^{x/2}`: off by 3u, which is nothing beside the spacing of subnormal doubles.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x < LOG_SMALLEST_NORMAL {
        let root = pxfm::f_exp(0.5 * x);
        return root * root;
    }
    pxfm::f_exp(x)
}

/// eˣ − 1, without cancellation near zero.
///
/// # Guarantee
/// Relative error at most [`EXPM1_ERROR_UNITS`]·u.
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_expm1`.
#[must_use]
pub fn expm1(x: f64) -> f64 {
    pxfm::f_expm1(x)
}

/// The natural logarithm. `ln(0)` is −∞, negative arguments give NaN.
///
/// # Guarantee
/// Relative error at most [`LN_ERROR_UNITS`]·u, also near the zero at 1.
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_log`.
#[must_use]
pub fn ln(x: f64) -> f64 {
    pxfm::f_log(x)
}

/// ln(1 + x), without cancellation near zero. `ln_1p(−1)` is −∞, smaller arguments give NaN.
///
/// # Guarantee
/// Relative error at most [`LN_1P_ERROR_UNITS`]·u.
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_log1p`.
#[must_use]
pub fn ln_1p(x: f64) -> f64 {
    pxfm::f_log1p(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library that is used otherwise answers 10⁻³⁰⁸ to the first, and ∞ not far from the fourth.
    #[test]
    fn exponentials_below_the_smallest_normal_double_are_right() {
        for (x, truth) in [
            (-717.075_904_220_339_8, 3.783_482_167_082_378e-312),
            (-714.609_466_416_486_3, 4.457_096_319_919_606e-311),
            (-708.396_481_139_942_7, 2.224_934_556_158_979e-308),
            (-711.081_321_561_981_2, 1.518_119_158_880_476_3e-309),
            (-745.0, 2.822_350_730_471_937e-324),
        ] {
            assert!((exp(x) - truth).abs() <= f64::from_bits(1), "{x}: {:e}", exp(x));
        }
        // Monotone, which it would not be with a number that is off.
        let steps = (0..400_000).map(|i| exp(-745.2 + 1e-4 * f64::from(i)));
        assert!(steps.is_sorted() && exp(-746.0) == 0.0 && exp(f64::NEG_INFINITY) == 0.0);
    }
}
