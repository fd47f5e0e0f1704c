//! The error function's complement, its scaled form and its logarithm.

use super::{exp, ln, ln_1p};
use crate::error_free::two_product;

/// Relative error bound of [`erf`] in units of u (see the [module](super) for the convention).
pub const ERF_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`erfc`] in units of u (see the [module](super) for the convention).
pub const ERFC_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`erfcx`] in units of u (see the [module](super) for the convention).
pub const ERFCX_ERROR_UNITS: f64 = 2.5;
/// Relative error bound of [`log_erfc`] in units of u (see the [module](super) for the convention).
pub const LOG_ERFC_ERROR_UNITS: f64 = 4.0;

/// Below this argument ln(1 − erf x) is used, above it ln(erfcx x) − x². Both conditions are benign here.
const NEAR_ZERO: f64 = 0.5;

/// 2⁹⁰⁰, beyond which erfcx is scaled by [`ASYMPTOTIC_SCALE`].
const ASYMPTOTIC: f64 = f64::from_bits((1023 + 900) << 52);
/// 2⁻⁵⁰⁰.
const ASYMPTOTIC_SCALE: f64 = f64::from_bits((1023 - 500) << 52);
/// The exponential of anything larger overflows.
const LARGEST_EXPONENT: f64 = 709.782_712_893_384;

/// erf(x) = 2/√π ∫₀ˣ e^{−t²} dt.
///
/// # Guarantee
/// Relative error at most [`ERF_ERROR_UNITS`]·u.
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_erf`.
#[must_use]
pub fn erf(x: f64) -> f64 {
    pxfm::f_erf(x)
}

/// erfc(x) = 1 − erf(x) = 2/√π ∫ₓ^∞ e^{−t²} dt.
///
/// # Guarantee
/// Relative error at most [`ERFC_ERROR_UNITS`]·u; above x ≈ 26.54 the result is subnormal and the error at
/// most one [`UNDERFLOW_FLOOR`](super::UNDERFLOW_FLOOR).
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_erfc`.
#[must_use]
pub fn erfc(x: f64) -> f64 {
    pxfm::f_erfc(x)
}

/// erfcx(x) = e^{x²} erfc(x), which decays only like 1/(x√π). Infinite below x ≈ −26.64.
///
/// # Guarantee
/// Relative error at most [`ERFCX_ERROR_UNITS`]·u.
///
/// # Accuracy
/// Worst error found 1.0 u above −26 and 1.8 u below, in 57 000 reference values.
///
/// # Implementation
/// `pxfm::f_erfcx`, except at both ends, where that (as of 0.1.30) is not a number: beyond 2⁹⁰⁰ the
/// asymptotic 1/(x√π) allows to scale by a power of two; below −26 erfc(x) = 2 to far more than double
/// precision, so 2e^{x²} remains, with the square's rounding residual.
#[must_use]
pub fn erfcx(x: f64) -> f64 {
    if x < -26.0 {
        let (square, residual) = two_product(x, x);
        if square > LARGEST_EXPONENT {
            return f64::INFINITY;
        }
        let growth = exp(square);
        2.0 * growth.mul_add(residual, growth)
    } else if x > ASYMPTOTIC && x.is_finite() {
        pxfm::f_erfcx(x * ASYMPTOTIC_SCALE) * ASYMPTOTIC_SCALE
    } else {
        pxfm::f_erfcx(x)
    }
}

/// ln erfc(x), for every x: erfc itself underflows at x ≈ 27, its logarithm at x ≈ 1.3·10¹⁵⁴.
///
/// # Guarantee
/// Relative error at most [`LOG_ERFC_ERROR_UNITS`]·u, also near the zero at x = 0.
///
/// # Accuracy
/// Worst error found 2.11 u (at x = 0.745), in 42 000 reference values up to x = 10¹⁵⁰.
///
/// # Implementation
/// ln(1 − erf x) for x < 0.5, where the logarithm's argument has condition at most 1.4. Otherwise
/// ln(erfcx x) − x², two terms of one sign, so nothing cancels; x² is subtracted with its rounding residual.
#[must_use]
pub fn log_erfc(x: f64) -> f64 {
    if x < NEAR_ZERO {
        return ln_1p(-erf(x));
    }
    let (square, residual) = two_product(x, x);
    if square.is_infinite() {
        return f64::NEG_INFINITY;
    }
    (ln(erfcx(x)) - residual) - square
}
