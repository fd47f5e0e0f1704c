//! Hockey-stick → Rényi divergence.

use super::{SwappedHockeyStick, convex_integral::integral, moments_to_renyi::at_infinity};
use crate::curve::{HockeyStick, Support};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// `D_α(P‖Q) = (1/λ) log(1 + λ(λ + 1) ∫₀^∞ (e^{λε} H_{e^ε}(P‖Q) + e^{−(λ+1)ε} H_{e^ε}(Q‖P)) dε)` with `λ = α − 1`, for
/// `α > 1` ([Zhu22, Lemma 24], which prints `D_λ` and `1/(λ − 1)` before this integral; it is `D_{λ+1}` and `1/λ`).
///
/// # Guarantee
/// Encloses the truth; the width is of order `cells⁻²`. If the largest loss is not bounded by the support, the integral is
/// cut off and the upper end is infinite: the lower end is still a bound, close to the truth.
pub fn hockey_stick_to_renyi(curve: &(impl HockeyStick + ?Sized), alpha: f64, cells: usize) -> Enclosure {
    let lambda = Enclosure::point(alpha) - 1.0;
    let Ingredients { integral, is_complete } = both_directions(curve, alpha - 1.0, cells);
    let divergence = (lambda * (lambda + 1.0) * integral).ln_1p() / lambda;
    let divergence = divergence.clamp(0.0, f64::INFINITY);
    let divergence = if is_complete { divergence } else { Enclosure::new(divergence.lower(), f64::INFINITY) };
    at_infinity(divergence, curve.support().infinite_mass.value())
}

/// The integral of [Zhu22, Lemma 24], and whether all of it was taken.
pub(super) struct Ingredients {
    pub(super) integral: Enclosure,
    pub(super) is_complete: bool,
}

/// Losses beyond are out of the range of `e^ε`.
const FARTHEST: f64 = 512.0;
/// What is cut off from an unbounded integral is about this large, relative to 1.
const NEGLIGIBLE: f64 = 1e-17;

pub(super) fn both_directions(curve: &(impl HockeyStick + ?Sized), lambda: f64, cells: usize) -> Ingredients {
    let Support { largest, .. } = curve.support();
    let swapped = SwappedHockeyStick(curve);
    let forward = |epsilon: Ball| curve.hockey_stick(epsilon);
    let backward = |epsilon: Ball| swapped.hockey_stick(epsilon);
    let scales = || (0..34).map(|k| 1.2f64.powi(k)).take_while(|&scale| scale < FARTHEST);
    let is_small =
        |value: f64, kappa: f64, end: f64| value * (kappa * end).exp() < NEGLIGIBLE * (1.0 + value);

    let is_complete = largest <= FARTHEST;
    let end = if is_complete {
        // A little beyond, so that the rounding of the grid leaves nothing out; H is constant there.
        largest.max(0.0) + 1e-9 * (1.0 + largest.abs())
    } else {
        let at = |end: f64| forward(Ball::from(end)).value().midpoint();
        scales().find(|&end| is_small(at(end), lambda, end)).unwrap_or(FARTHEST)
    };
    let at = |end: f64| backward(Ball::from(end)).value();
    let back = -(lambda + 1.0);
    let back_end = scales().find(|&end| is_small(at(end).upper(), back, end)).unwrap_or(FARTHEST);
    // Beyond it H(Q‖P) falls, so at most its value times ∫ e^{−(λ+1)ε} dε is left.
    let rest = at(back_end) * (Enclosure::point(back) * back_end).exp() / -back;
    let sum = integral(forward, lambda, end, cells)
        + integral(backward, back, back_end, cells)
        + Enclosure::new(0.0, rest.upper());
    Ingredients { integral: sum.clamp(0.0, f64::INFINITY), is_complete }
}
