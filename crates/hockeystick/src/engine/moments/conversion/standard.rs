//! The conversion in common use: the largest value of `(1 − e^{−x})₊e^{−λx}` in place of 1 ([Asoodeh21, Thm 4, g]).

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// `log ζ_α = λ log λ − (1 + λ) log(1 + λ)`, that is `ζ_α = (1/α)(1 − 1/α)^{α−1}` at `α = 1 + λ`.
pub fn log_zeta(lambda: f64) -> Ball {
    let lambda = Ball::from(lambda);
    -(lambda.ln_1p() + lambda * (Ball::ONE / lambda).ln_1p())
}

pub(crate) fn rough_log_zeta(lambda: f64) -> f64 {
    -(lambda.ln_1p() + lambda * lambda.recip().ln_1p())
}

/// `δ = ζ_α e^{k − λε}`, at most 1.
///
/// # Guarantee
/// At least δ(ε) for every ε in the enclosure and every pair with `λ·D_{λ+1} ≤ k`.
pub fn delta(lambda: f64, k: f64, epsilon: Enclosure) -> f64 {
    if !k.is_finite() {
        return 1.0;
    }
    let exponent = Ball::from(k) - Ball::product_of(lambda, epsilon.lower()) + log_zeta(lambda);
    exponent.exp_enclosure().upper().min(1.0)
}

/// `ε = (k + log ζ_α/δ)/λ`.
///
/// # Guarantee
/// `δ(max(value, 0)) ≤ delta` for every pair with `λ·D_{λ+1} ≤ k`.
pub fn epsilon(lambda: f64, k: f64, delta: f64) -> f64 {
    if !k.is_finite() {
        return f64::INFINITY;
    }
    ((Ball::from(k) + log_zeta(lambda) - Ball::from(delta).ln()) / Ball::from(lambda)).enclosure().upper()
}
