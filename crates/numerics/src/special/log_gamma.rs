//! The logarithm of the gamma function on the positive half-line.

/// Relative error bound of [`log_gamma`] in units of u (see the [module](super) for the convention).
pub const LOG_GAMMA_ERROR_UNITS: f64 = 1.25;

/// ln Γ(x) for x > 0. `log_gamma(0)` is +∞, negative arguments give NaN: Γ changes sign there and no caller
/// may get its modulus by accident.
///
/// # Guarantee
/// Relative error at most [`LOG_GAMMA_ERROR_UNITS`]·u, also near the zeros at 1 and 2.
///
/// # Implementation
/// `pxfm::f_lgamma`.
#[must_use]
pub fn log_gamma(x: f64) -> f64 {
    if x < 0.0 { f64::NAN } else { pxfm::f_lgamma(x) }
}
