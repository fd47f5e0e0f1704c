//! The logarithm of the gamma function on the positive half-line.

use super::ln;

/// Relative error bound of [`log_gamma`] in units of u (see the [module](super) for the convention).
pub const LOG_GAMMA_ERROR_UNITS: f64 = 2.5;

/// 2⁹⁰⁰.
const STIRLING: f64 = f64::from_bits((1023 + 900) << 52);

/// ln Γ(x) for x > 0. `log_gamma(0)` is +∞, negative arguments give NaN: Γ changes sign there and no caller
/// may get its modulus by accident.
///
/// # Guarantee
/// Relative error at most [`LOG_GAMMA_ERROR_UNITS`]·u, also near the zeros at 1 and 2.
///
/// # Accuracy
/// Worst error found 1.0 u up to 2⁹⁰⁰ and 1.7 u beyond, in 49 500 reference values.
///
/// # Implementation
/// `pxfm::f_lgamma`. Beyond 2⁹⁰⁰, where that (as of 0.1.30) may not be a number, Stirling's x ln(x/e): the
/// next term ½ ln x is 10⁻²⁷⁰ of it.
#[must_use]
pub fn log_gamma(x: f64) -> f64 {
    if x < 0.0 {
        f64::NAN
    } else if x > STIRLING {
        x * ln(x / std::f64::consts::E)
    } else {
        pxfm::f_lgamma(x)
    }
}
