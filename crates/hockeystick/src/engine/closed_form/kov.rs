//! The optimal homogeneous composition theorem of Kairouz, Oh and Viswanath.

use hockeystick_numerics::{
    ball::Ball, enclosure::Enclosure, log_factorial::log_factorial, probability::Probability,
};

/// `δ` of the `k`-fold composition of an (ε₀, δ₀)-DP mechanism at `ε = (k − 2i)ε₀` ([KOV15, Thm 3.3]):
///
/// `1 − (1 − δ₀)^k (1 − δ_i)`, `δ_i = Σ_{l<i} C(k,l)(e^{(k−l)ε₀} − e^{(k−2i+l)ε₀}) / (1 + e^{ε₀})^k`.
///
/// The theorem as printed, term by term: it is the binomial sum of [`super::ClosedForm`] on a grid of ε, kept as an
/// independent way to the same number. Costs `O(i)` exponentials.
///
/// # Guarantee
/// Encloses the theorem's δ for `i ≤ k/2`; `None` for larger `i`.
pub fn delta(epsilon: f64, delta: f64, count: u64, i: u64) -> Option<Probability> {
    if i > count / 2 {
        return None;
    }
    let epsilon = Ball::from(epsilon);
    let log_normaliser = (epsilon + (-epsilon).exp().ln_1p()) * Ball::from(count);
    let sum = (0..i).fold(Enclosure::ZERO, |sum, l| {
        let log_ways = log_factorial(count) - log_factorial(l) - log_factorial(count - l);
        let log_term = log_ways + epsilon * Ball::from(count - l) - log_normaliser;
        // e^{(k−l)ε} − e^{(k−2i+l)ε} = e^{(k−l)ε}(1 − e^{−2(i−l)ε}).
        let fraction = -(epsilon * -Ball::from(2 * (i - l))).exp_m1().enclosure();
        sum + log_term.exp_enclosure() * fraction
    });
    let log_finite = Ball::from(-delta).ln_1p() * Ball::from(count);
    let at_infinity = Probability::from_both(-log_finite.exp_m1().enclosure(), log_finite.exp_enclosure());
    Some(at_infinity.or(Probability::from_value(sum)))
}
