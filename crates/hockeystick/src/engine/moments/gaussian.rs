//! Compositions of the Gaussian mechanism by moments ([Asoodeh21, Sec. IV]).

use super::conversion::{lemma_one, standard};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, minimize::minimize, roots::Tolerance};

/// ε of `count` Gaussian releases of sensitivity 1 at δ, by Lemma 1 at the best order ([Asoodeh21, Lemma 2]).
///
/// `ρ = 1/(2σ²)`; App. F prints `1/σ²`.
///
/// # Guarantee
/// At least ε(δ), for `σ > 0` and `0 < δ < 1`.
pub fn gaussian_epsilon(sigma: f64, count: u64, delta: f64) -> f64 {
    lemma_two(rho(sigma, count).enclosure(), delta)
}

/// ε at δ of whatever is ρ-zCDP, `D_α ≤ ρα` for all `α > 1`, by Lemma 1 at the best order: [Asoodeh21, Lemma 2] with any ρ.
///
/// # Guarantee
/// At least ε(δ), for `ρ ≥ 0` and `0 < δ < 1`.
pub fn concentrated_epsilon(rho: f64, delta: f64) -> f64 {
    lemma_two(Enclosure::point(rho), delta)
}

fn lemma_two(rho: Enclosure, delta: f64) -> f64 {
    // Orders beyond 1/δ are worse than 1/δ itself: there the bound is ραT + log(1 − δ), which grows.
    let at = |alpha: f64| lemma_one(alpha, delta, (rho * alpha).upper());
    let search = |log: f64| at(1.0 + log.exp());
    let (low, high) = (1e-9f64.ln(), (1.0 / delta).ln());
    let found = minimize(search, low, high, Tolerance::absolute(1e-6));
    let best = found.map_or(f64::INFINITY, |minimum| at(1.0 + minimum.at.exp()));
    best.min(at((1.0 / delta).next_up().max(1.0 + 1e-9)))
}

/// `ρT = T/(2σ²)`.
fn rho(sigma: f64, count: u64) -> Ball {
    let sigma = Ball::from(sigma);
    Ball::from(count) / (Ball::from(2.0) * sigma * sigma)
}

/// A σ that makes `count` Gaussian releases of sensitivity 1 (ε, δ)-DP: the least that [Asoodeh21, eq. (108)] proves at any
/// order, `σ² = min_α αT/(2(ε + log(δ/ζ_α)/λ))`. Theorem 5 is its expansion at one order.
///
/// # Guarantee
/// Enough noise. `None` if the arguments are out of range (`epsilon > 0`, `0 < delta < 1`) or no order will do.
pub fn gaussian_sigma(epsilon: f64, delta: f64, count: u64) -> Option<f64> {
    in_range(epsilon, delta, count)?;
    let search = |log: f64| {
        let lambda = log.exp();
        let room = epsilon + (delta.ln() - standard::rough_log_zeta(lambda)) / lambda;
        if room > 0.0 { (1.0 + lambda) / room } else { f64::INFINITY }
    };
    // About 2 log(1/δ)/ε is best; where it is infinite nothing can be seen, so the search starts with a look around.
    let grid = (-80..160).map(|i| 0.25 * f64::from(i));
    let start = grid.min_by(|&a, &b| search(a).total_cmp(&search(b)))?;
    let found = minimize(search, start - 0.5, start + 0.5, Tolerance::absolute(1e-6)).ok()?;
    sigma_at(found.at.exp(), epsilon, delta, count)
}

/// The same at the order `α = 2 log(1/δ)/ε` of [Asoodeh21, Thm 5, eq. (109)].
///
/// # Guarantee
/// Enough noise. `None` if `ε ≤ 2δ log 1/δ` or the order is not above 1, where the theorem says nothing.
pub fn gaussian_sigma_at_fixed_order(epsilon: f64, delta: f64, count: u64) -> Option<f64> {
    in_range(epsilon, delta, count)?;
    if epsilon <= 2.0 * delta * -delta.ln() {
        return None;
    }
    sigma_at(2.0 * -delta.ln() / epsilon - 1.0, epsilon, delta, count)
}

/// The expansion printed in [Asoodeh21, Thm 5], without the terms that vanish with δ: an **estimate**, no guarantee.
pub fn gaussian_sigma_expansion(epsilon: f64, delta: f64, count: u64) -> f64 {
    let (log, count) = (-delta.ln(), count as f64);
    let square = 2.0 * log / (epsilon * epsilon) + 1.0 / epsilon
        - 2.0 / (epsilon * epsilon) * ((2.0 * log).ln() + 1.0 - epsilon.ln());
    (count * square).sqrt()
}

fn in_range(epsilon: f64, delta: f64, count: u64) -> Option<()> {
    (epsilon > 0.0 && epsilon.is_finite() && delta > 0.0 && delta < 1.0 && count > 0).then_some(())
}

/// `√(αT/(2(ε + log(δ/ζ_α)/λ)))`, rounded up; `None` where the order proves nothing.
fn sigma_at(lambda: f64, epsilon: f64, delta: f64, count: u64) -> Option<f64> {
    if !(lambda > 0.0 && lambda.is_finite()) {
        return None;
    }
    let order = Ball::from(lambda);
    let room = Ball::from(epsilon) + (Ball::from(delta).ln() - standard::log_zeta(lambda)) / order;
    if room.enclosure().lower() <= 0.0 {
        return None;
    }
    let square = (order + Ball::ONE) * Ball::from(count) / (Ball::from(2.0) * room);
    let sigma: Enclosure = square.sqrt().enclosure();
    Some(sigma.upper())
}
