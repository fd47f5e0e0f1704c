//! Hockey-stick → power of a test.

use super::concave::{Axis, Beyond, supremum_and_points};
use crate::curve::HockeyStick;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// `sup { P(A) : Q(A) ≤ x } = inf_{α ≥ 0} H_α(P‖Q) + αx`: the largest chance of detecting `P` with a test that takes `Q` for it
/// with probability at most `x`.
///
/// It is `1 − T[Q, P](x)`, but has relative accuracy where both numbers are small: the proof of
/// [`HockeyStickToTradeOff`](super::HockeyStickToTradeOff) without its complement.
///
/// # Guarantee
/// Encloses the truth: any `α` gives an upper bound, convexity in `α` the lower one.
pub fn hockey_stick_to_power(curve: &(impl HockeyStick + ?Sized), type_one_error: f64) -> Enclosure {
    power_and_points(curve, type_one_error).0
}

/// The same, and the `log α` of the smallest value and of its nearest neighbours.
pub(super) fn power_and_points(
    curve: &(impl HockeyStick + ?Sized),
    type_one_error: f64,
) -> (Enclosure, Vec<f64>) {
    let x = Enclosure::point(type_one_error).clamp(0.0, 1.0);
    let line = |log_alpha: f64| {
        if log_alpha == f64::NEG_INFINITY {
            return -Enclosure::ONE;
        }
        -(curve.hockey_stick(Ball::from(log_alpha)).value() + Enclosure::point(log_alpha).exp() * x)
    };
    // Above every likelihood ratio only the mass at infinity is left, and αx grows.
    let last = curve.support().largest;
    let (end, beyond) = if last <= 512.0 {
        (last + f64::EPSILON * (1.0 + last.abs()), Beyond::Falling)
    } else {
        (512.0, Beyond::Unknown)
    };
    let grid = (-9..=9).map(|k: i32| f64::from(k.signum()) * 2f64.powi(k.abs()));
    // A curve that ends is flat there, and bends in a moment: finer steps near the end.
    let near_end = (0..=10).map(|k| end - 8f64.powi(-k)).filter(|_| beyond == Beyond::Falling);
    let mut start: Vec<f64> = std::iter::once(f64::NEG_INFINITY)
        .chain(grid.filter(|&log_alpha| log_alpha < end))
        .chain(near_end)
        .chain([end])
        .collect();
    start.sort_by(f64::total_cmp);
    start.dedup();
    let (largest, points) = supremum_and_points(Axis::Logarithmic, &start, beyond, line);
    ((-largest).clamp(0.0, 1.0), points)
}
