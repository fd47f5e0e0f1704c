//! The first conversion: Markov's inequality for the likelihood ratio ([Asoodeh21, Thm 1]).

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// `δ = e^{k − λε}`, at most 1.
///
/// # Guarantee
/// At least δ(ε) for every ε in the enclosure and every pair with `λ·D_{λ+1} ≤ k`.
pub fn delta(lambda: f64, k: f64, epsilon: Enclosure) -> f64 {
    if !k.is_finite() {
        return 1.0;
    }
    let exponent = Ball::from(k) - Ball::product_of(lambda, epsilon.lower());
    exponent.exp_enclosure().upper().min(1.0)
}

/// `ε = (k + log 1/δ)/λ`.
///
/// # Guarantee
/// `δ(max(value, 0)) ≤ delta` for every pair with `λ·D_{λ+1} ≤ k`.
pub fn epsilon(lambda: f64, k: f64, delta: f64) -> f64 {
    if !k.is_finite() {
        return f64::INFINITY;
    }
    ((Ball::from(k) - Ball::from(delta).ln()) / Ball::from(lambda)).enclosure().upper()
}
