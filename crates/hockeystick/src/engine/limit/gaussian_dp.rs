//! Which Gaussian a composition is like.

use super::ComposedClass;
use crate::pair::loss_law::normal;
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    roots::{Tolerance, bracketed_root},
};

/// The μ of the normal loss `N(μ²/2, μ²)` with the variance of the class: an **estimate** of Gaussian differential privacy,
/// exact in the limit of many small losses.
pub fn mu_of_class(class: &ComposedClass) -> f64 {
    class.variance.midpoint().sqrt()
}

/// The μ that noisy SGD tends to for many steps and rare samples, `q√(T(e^{1/σ²} − 1))` (Bu, Dong, Long and Su 2020, quoted in
/// [Asoodeh21, eq. (55)]): an **estimate**, no guarantee for any number of steps.
pub fn mu_of_noisy_sgd(rate: f64, sigma: f64, steps: u64) -> f64 {
    rate * (steps as f64 * (sigma.powi(-2)).exp_m1()).sqrt()
}

/// The area below the trade-off curve of a μ-GDP mechanism: `∫₀¹ G_μ = Φ(−μ/√2)`, the chance that a draw from `N(0, 1)` exceeds one
/// from `N(μ, 1)`.
///
/// # Guarantee
/// Encloses the truth for `μ ≥ 0`.
pub fn gaussian_area(mu: f64) -> Enclosure {
    normal::upper_tail(Ball::from(mu) / Ball::from(2.0).sqrt()).value()
}

/// The μ whose Gaussian has exactly this δ at this ε: what an answer would mean for a Gaussian mechanism.
///
/// # Guarantee
/// The μ-GDP mechanism at the lower end has at most this δ, the one at the upper end at least. `None` if the arguments are out
/// of range (`epsilon ≥ 0`, `0 < delta < 1`) or μ is.
pub fn matching_mu(epsilon: f64, delta: f64) -> Option<Enclosure> {
    let in_range = epsilon >= 0.0 && epsilon.is_finite() && delta > 0.0 && delta < 1.0;
    let at = |mu: f64| normal::delta(Ball::from(mu), Ball::from(epsilon));
    let excess = |log: f64| {
        let probability = at(log.exp());
        if delta > 0.5 {
            (1.0 - delta).ln() - probability.complement().midpoint().max(1e-320).ln()
        } else {
            (probability.value().midpoint().max(1e-320) / delta).ln()
        }
    };
    let root = in_range.then(|| bracketed_root(excess, -40.0, 20.0, Tolerance::absolute(1e-15)).ok())??;
    let (low, high) = (root.lower.exp(), root.upper.exp());
    let step = |x: f64, i: i32| x * f64::EPSILON * 2f64.powi(i);
    let lower = (0..50).map(|i| low - step(low, i)).find(|&mu| at(mu).is_certainly_at_most(delta))?;
    let upper = (0..50).map(|i| high + step(high, i)).find(|&mu| at(mu).is_certainly_above(delta))?;
    Some(Enclosure::new(lower, upper))
}
