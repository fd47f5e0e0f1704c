//! zCDP → DP by the classic conversion at its best order, in closed form.

use hockeystick_numerics::ball::Ball;

/// `ε = ρ + 2√(ρ log(1/δ))` (Bun and Steinke 2016, Prop. 1.3): the classic conversion at its best order.
///
/// # Guarantee
/// Every ρ-zCDP mechanism is (ε, δ)-DP, for `ρ ≥ 0` and `0 < δ < 1`.
pub fn zcdp_epsilon(rho: f64, delta: f64) -> f64 {
    let rho = Ball::from(rho);
    let root = (rho * -Ball::from(delta).ln()).sqrt();
    (rho + root + root).enclosure().upper()
}

/// `δ = e^{−(ε − ρ)²/(4ρ)}` for `ε ≥ ρ`, the same solved for δ.
///
/// # Guarantee
/// Every ρ-zCDP mechanism is (ε, δ)-DP, for `ρ > 0` and `ε ≥ 0`.
pub fn zcdp_delta(rho: f64, epsilon: f64) -> f64 {
    if epsilon <= rho {
        return 1.0;
    }
    let rho = Ball::from(rho);
    let excess = Ball::from(epsilon) - rho;
    (-(excess * excess) / (rho * Ball::from(4.0))).exp_enclosure().upper().min(1.0)
}
