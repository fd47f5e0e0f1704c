//! How an outcome is split between two points.

use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// The range of the series, with a relative truncation error below 10⁻¹³.
const SHORT: f64 = 0.01;

/// The share of an outcome at a distance a (`above`) from the lower point that goes to the upper point, so that `P` and `Q` keep their masses:
/// `(1 − e^{−a})/(1 − e^{−d})` for points d apart. `whole` is the denominator: 1 if the upper point is infinite.
///
/// # Guarantee
/// An upper bound, if `whole` is a lower bound. 1 for NaN.
pub(crate) fn upper_share(above: f64, whole: f64) -> f64 {
    if above.is_nan() {
        return 1.0;
    }
    // Rounded up: five operations.
    (fall(above.max(0.0)) / whole * (1.0 + 12.0 * UNIT_ROUNDOFF)).clamp(0.0, 1.0)
}

/// At least `1 − e^{−a}`, up to round-off: the series is truncated after a positive term, so it is too large by less than `a⁶/720`.
#[inline]
fn fall(a: f64) -> f64 {
    if a < SHORT {
        a * (1.0 - a * (0.5 - a * (1.0 / 6.0 - a * (1.0 / 24.0 - a * (1.0 / 120.0)))))
    } else {
        -(-a).exp_m1()
    }
}
