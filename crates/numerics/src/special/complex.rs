//! eᶻ − 1 and ln(1 + z) in the complex plane, without cancellation near zero.

use super::{exp, expm1, ln, ln_1p};
use num_complex::Complex;

/// Normwise relative error bound of [`complex_expm1`] in units of u (see the [module](super) for the
/// convention).
pub const COMPLEX_EXPM1_ERROR_UNITS: f64 = 8.0;
/// Normwise relative error bound of [`complex_log1p`] in units of u (see the [module](super) for the
/// convention).
pub const COMPLEX_LOG1P_ERROR_UNITS: f64 = 6.0;

/// eᶻ − 1.
///
/// # Guarantee
/// |computed − exact| ≤ [`COMPLEX_EXPM1_ERROR_UNITS`]·u·|exact| for Re z ≤ 709; beyond, the result may be
/// non-finite.
///
/// # Accuracy
/// Worst error found 4.33 u, in 80 000 reference values with |Re z| ≤ 300, |Im z| ≤ 10⁴.
///
/// # Implementation
/// With z = a + ib and s = sin(b/2): Re = (eᵃ − 1) − 2s²eᵃ and Im = 2s cos(b/2) eᵃ. From
/// |eᶻ − 1|² = (eᵃ − 1)² + 4eᵃs² it follows that |eᵃ − 1| ≤ |eᶻ − 1| and 2s²eᵃ ≤ 2|eᶻ − 1|, so the
/// difference in the real part cannot lose more than a few units of the modulus.
#[must_use]
pub fn complex_expm1(z: Complex<f64>) -> Complex<f64> {
    let growth_less_one = expm1(z.re);
    // Adding 1 back is accurate unless e^a is small itself.
    let growth = if z.re > -0.5 { growth_less_one + 1.0 } else { exp(z.re) };
    let (sin_half, cos_half) = pxfm::f_sincos(0.5 * z.im);
    let chord = 2.0 * sin_half * growth;
    Complex::new((-chord).mul_add(sin_half, growth_less_one), chord * cos_half)
}

/// ln(1 + z), principal branch: the imaginary part lies in [−π, π] and takes the sign of Im z.
/// `complex_log1p(−1)` has real part −∞.
///
/// # Guarantee
/// |computed − exact| ≤ [`COMPLEX_LOG1P_ERROR_UNITS`]·u·|exact|.
///
/// # Accuracy
/// Worst error found 3.36 u, in 80 000 reference values up to |z| = 10⁶, near the pole and near |1 + z| = 1.
///
/// # Implementation
/// Im = atan2(y, 1 + x), by its series where that is short. Re = ½ ln(1 + x(2 + x) + y²) where |1 + z| is near 1, so that it is accurate next to
/// the unit circle around −1 up to a few units of |z|; elsewhere Re = ln |1 + z|, which is accurate near the
/// pole (1 + x is exact there) and does not overflow.
#[must_use]
pub fn complex_log1p(z: Complex<f64>) -> Complex<f64> {
    let shifted = 1.0 + z.re;
    let re = if (0.49..2.25).contains(&(shifted * shifted + z.im * z.im)) {
        0.5 * ln_1p(z.im.mul_add(z.im, z.re * (2.0 + z.re)))
    } else {
        ln(pxfm::f_hypot(shifted, z.im))
    };
    Complex::new(re, argument(z.im, shifted))
}

/// Up to this ratio the arc tangent is a short series.
const FLAT: f64 = 0.125;
/// `±1/(2k + 1)` for k = 1 … 9.
const ARC_TANGENT: [f64; 9] = {
    let mut terms = [0.0; 9];
    let mut k = 1;
    while k < 10 {
        terms[k - 1] = if k % 2 == 0 { 1.0 } else { -1.0 } / (2 * k + 1) as f64;
        k += 1;
    }
    terms
};

/// The argument of x + iy, off by at most 3 u of itself.
///
/// Where `t = y/x` is at most 1/8 it is `t − t³/3 + …` up to `t¹⁹`: the next term is below `t·2⁻⁶⁰/21`. The quotient and the last sum are
/// rounded, all that is added to t is below 0.6 % of it.
fn argument(y: f64, x: f64) -> f64 {
    let ratio = y / x;
    if !(x > 0.0 && ratio.abs() <= FLAT) {
        return pxfm::f_atan2(y, x);
    }
    let square = ratio * ratio;
    let series = ARC_TANGENT.iter().rev().fold(0.0, |sum, term| term + square * sum);
    // The sign of a zero is kept.
    (ratio + ratio * (square * series)).copysign(y)
}

/// |z|, off by at most 2 u of itself: the square root of the sum of squares, if none of these over- or underflows.
#[must_use]
#[inline]
pub fn modulus(z: Complex<f64>) -> f64 {
    let square = z.re * z.re + z.im * z.im;
    if (1e-280..1e280).contains(&square) { square.sqrt() } else { pxfm::f_hypot(z.re, z.im) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_meets_the_arc_tangent_at_its_end() {
        for ratio in [FLAT, -FLAT, 0.1, 1e-3, 1e-9, 1e-300, 0.0] {
            let (near, truth) = (argument(3.0 * ratio, 3.0), pxfm::f_atan2(3.0 * ratio, 3.0));
            assert!((near - truth).abs() <= 5e-16 * truth.abs(), "{ratio}: {near} {truth}");
        }
        assert!(argument(-0.0, 1.0).is_sign_negative());
        assert!(argument(f64::NAN, 1.0).is_nan() && argument(0.0, f64::NAN).is_nan());
    }

    #[test]
    fn moduli_do_not_overflow() {
        for size in [1e-320, 1e-200, 1e-140, 1.0, 1e140, 1e200, 1e308] {
            let found = modulus(Complex::new(0.6 * size, -0.8 * size));
            assert!((found / size - 1.0).abs() < 1e-3 + 1e-320 / size, "{size:e}: {found:e}");
        }
        assert!((modulus(Complex::new(3.0, 4.0)) - 5.0).abs() <= 1e-15);
        assert_eq!(modulus(Complex::new(f64::INFINITY, 0.0)), f64::INFINITY);
        assert!(modulus(Complex::new(f64::NAN, 0.0)).is_nan());
    }
}
