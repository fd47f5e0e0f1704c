//! Probabilistic differential privacy of the Gaussian mechanism ([Sommer19, Cor. 5.1 and 5.2]).
//!
//! (ε, δ)-PDP asks that the loss exceed ε with probability at most δ. It implies (ε, δ)-DP, but is not closed under
//! post-processing.

use crate::pair::loss_law::normal;
use hockeystick_numerics::{
    ball::Ball, enclosure::Enclosure, probability::Probability, special::normal_quantile,
};

/// `P(L > ε)` after `count` Gaussian releases: `½ erfc((σε − ks²/(2σ))/√(2ks²))` ([Sommer19, Cor. 5.1]).
///
/// # Guarantee
/// Encloses the truth for positive `sigma`, `sensitivity`, `count` and any `epsilon`.
pub fn delta(sigma: f64, sensitivity: f64, count: u64, epsilon: f64) -> Probability {
    let ratio = Ball::from(sensitivity) / Ball::from(sigma);
    normal::tail(ratio * Ball::from(count).sqrt(), Ball::from(epsilon))
}

/// The least noise for (ε, δ)-PDP after `count` Gaussian releases ([Sommer19, Cor. 5.2]):
/// `σ = s√k/μ` where `ε/μ − μ/2 = z`, `z = Φ⁻¹(1 − δ)`, so `μ = √(z² + 2ε) − z`.
///
/// # Guarantee
/// At the upper end `P(L > ε) ≤ δ` is proven, at the lower end `P(L > ε) > δ`. `None` if the arguments are out of range
/// (`epsilon > 0`, `0 < delta < 1`) or the search leaves the range of doubles.
pub fn optimal_sigma(sensitivity: f64, count: u64, epsilon: f64, target: f64) -> Option<Enclosure> {
    let in_range = sensitivity > 0.0 && count > 0 && epsilon > 0.0 && target > 0.0 && target < 1.0;
    if !in_range || !epsilon.is_finite() || !sensitivity.is_finite() {
        return None;
    }
    let z = -normal_quantile(target);
    let root = (z * z + 2.0 * epsilon).sqrt();
    // The two forms of the positive root; each is free of cancellation for its sign of z.
    let mu = if z > 0.0 { 2.0 * epsilon / (root + z) } else { root - z };
    let start = sensitivity * (count as f64).sqrt() / mu;
    let step = |i: i32| start * f64::EPSILON * 2f64.powi(i);
    let at = |sigma: f64| delta(sigma, sensitivity, count, epsilon);
    let upper = (0..52).map(|i| start + step(i)).find(|&sigma| at(sigma).is_certainly_at_most(target))?;
    let lower = (0..52).map(|i| start - step(i)).find(|&sigma| at(sigma).is_certainly_above(target))?;
    Some(Enclosure::new(lower, upper))
}
