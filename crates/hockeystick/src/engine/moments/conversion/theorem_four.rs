//! The closed forms of \[Asoodeh21\]: Theorem 4 bounds γ from below, Lemma 1 ε from above.

use super::standard;
use hockeystick_numerics::ball::Ball;

/// A lower bound of `γ_α^ε(δ)` in closed form ([Asoodeh21, Thm 4]): `max(g, f)`, exact where `αδ ≥ 1`.
///
/// # Guarantee
/// At most `γ_α^ε(δ)`, for `α > 1`, `ε ≥ 0`, `0 ≤ δ < 1`.
pub fn theorem_four(alpha: f64, epsilon: f64, delta: f64) -> f64 {
    if delta == 0.0 {
        return 0.0;
    }
    let lambda = alpha - 1.0;
    let (order, at, d) = (Ball::from(lambda), Ball::from(epsilon), Ball::from(delta));
    let alpha = order + Ball::ONE;
    if (alpha * d).enclosure().lower() >= 1.0 {
        return (at - (-d).ln_1p()).enclosure().lower();
    }
    // g = ε − log(ζ/δ)/λ.
    let g = at - (standard::log_zeta(lambda) - d.ln()) / order;
    // f = ε + log((e^ε − αδ)((1 − δ)/(e^ε − δ))^α + αδ)/λ; (1 − δ)/(e^ε − δ) = 1/(1 + (e^ε − 1)/(1 − δ)).
    let growth = at.exp_m1();
    let shrunk = -((growth / (Ball::ONE - d)).ln_1p() * alpha);
    let inside = (growth + Ball::ONE - alpha * d) * shrunk.exp() + alpha * d;
    let f = at + inside.ln() / order;
    let lower = |ball: Ball| {
        let end = ball.enclosure().lower();
        if end.is_nan() { f64::NEG_INFINITY } else { end }
    };
    lower(g).max(lower(f)).max(0.0)
}

/// An upper bound of `ε_α^δ(γ)` in closed form ([Asoodeh21, Lemma 1]), exact where `αδ ≥ 1` (eq. (24)).
///
/// # Guarantee
/// At least `ε_α^δ(γ)`, for `α > 1`, `0 < δ < 1`, `γ ≥ 0`.
pub fn lemma_one(alpha: f64, delta: f64, divergence: f64) -> f64 {
    if divergence == 0.0 {
        return 0.0;
    }
    let lambda = alpha - 1.0;
    let (order, d, gamma) = (Ball::from(lambda), Ball::from(delta), Ball::from(divergence));
    let alpha = order + Ball::ONE;
    if (alpha * d).enclosure().lower() >= 1.0 {
        return (gamma + (-d).ln_1p()).enclosure().upper().max(0.0);
    }
    let first = (gamma + (standard::log_zeta(lambda) - d.ln()) / order).enclosure().upper().max(0.0);
    // log((e^{λγ} − 1)/(αδ) + 1)/λ, without overflow.
    let k = order * gamma;
    let scale = alpha * d;
    let second = if k.approximate() > 1.0 {
        k - scale.ln() + ((-k).exp() * (scale - Ball::ONE)).ln_1p()
    } else {
        (k.exp_m1() / scale).ln_1p()
    };
    first.min((second / order).enclosure().upper())
}
