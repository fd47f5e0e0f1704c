//! Exponential and logarithm, and their forms that keep accuracy near zero.

/// Relative error bound of [`exp`] in units of u (see the [module](super) for the convention).
pub const EXP_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`expm1`] in units of u (see the [module](super) for the convention).
pub const EXPM1_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`ln`] in units of u (see the [module](super) for the convention).
pub const LN_ERROR_UNITS: f64 = 1.05;
/// Relative error bound of [`ln_1p`] in units of u (see the [module](super) for the convention).
pub const LN_1P_ERROR_UNITS: f64 = 1.05;

/// eˣ.
///
/// # Guarantee
/// Relative error at most [`EXP_ERROR_UNITS`]·u.
///
/// # Accuracy
/// Worst error found 1.000 u: correctly rounded as far as sampled (30 000 reference values).
///
/// # Implementation
/// `pxfm::f_exp`.
#[must_use]
pub fn exp(x: f64) -> f64 {
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
