//! How an outcome between two points is shared out to them.

use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// Where the series is good enough: to 10⁻¹³, relative.
const SHORT: f64 = 0.01;

/// The share of an outcome, `above` the lower point, that goes to the upper point so that neither `P`'s nor `Q`'s mass changes:
/// `(1 − e^{−a})/(1 − e^{−d})` for points d apart. `whole` is the denominator: 1 if the upper point is infinite.
///
/// # Guarantee
/// No less, if `whole` is no more. All of it if nothing is known.
pub(crate) fn upper_share(above: f64, whole: f64) -> f64 {
    if above.is_nan() {
        return 1.0;
    }
    // Rounded up: five operations.
    (fall(above.max(0.0)) / whole * (1.0 + 12.0 * UNIT_ROUNDOFF)).clamp(0.0, 1.0)
}

/// At least `1 − e^{−a}`, but for roundings: the series is cut off after a term that is added, so that it is too large by less than
/// `a⁶/720`.
#[inline]
fn fall(a: f64) -> f64 {
    if a < SHORT {
        a * (1.0 - a * (0.5 - a * (1.0 / 6.0 - a * (1.0 / 24.0 - a * (1.0 / 120.0)))))
    } else {
        -(-a).exp_m1()
    }
}
