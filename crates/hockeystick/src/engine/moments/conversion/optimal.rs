//! The optimal conversion between one Rényi divergence and (ε, δ) ([Asoodeh21, Thm 3]).
//!
//! The theorem's convex problem in `p` bounds `γ` from above at every `p`; its dual bounds it from below at every distance of
//! the tangents. Both are solved in plain floats, and each side is proven where the search ended.

use super::{standard, tangents};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    minimize::minimize,
    roots::Tolerance,
    special::{ln, log1mexp},
};

/// `t₁^λ` is not sought below `e^{−this}`: from there on the standard conversion is as good.
const FARTHEST: f64 = 30.0;
/// The narrowest tangents, relative to the widest, and relative to ε, to which their distance is added.
const NARROWEST: f64 = 1e-22;
const VISIBLE: f64 = 1e-14;
/// The width of the search in plain floats, in the logarithm of the parameter.
const COARSE: f64 = 1e-4;
/// The width of the search in balls that follows for the last digits, and how far around it looks.
const FINE: f64 = 1e-9;
const AROUND: f64 = 0.05;

/// Does the likelihood ratio 0 take part, so that `δ = 1 − e^{ε−γ}` (`αδ ≥ 1`)?
fn reaches_zero(lambda: f64, k: f64, epsilon: f64) -> bool {
    k / lambda - epsilon >= lambda.recip().ln_1p()
}

/// Where a parameter is sought, on a logarithmic scale.
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

/// The argument of about the least value.
fn coarse(range: Range, objective: impl Fn(f64) -> f64) -> f64 {
    let value = |log: f64| defined(objective(log.exp()));
    let found = minimize(value, range.low.ln(), range.high.ln(), Tolerance::absolute(COARSE));
    found.map_or(range.high, |minimum| minimum.at.exp())
}

/// The same with an objective that has all its digits, from `start`; over everything if it leads out of the neighbourhood.
fn fine(range: Range, start: f64, objective: impl Fn(f64) -> f64) -> f64 {
    let mut start = start;
    for _ in 0..2 {
        // By the factor from the start: a search knows the size of a small number better than that of a large one.
        let value = |factor: f64| defined(objective(start * factor.exp()));
        let Ok(found) = minimize(value, -AROUND, AROUND, Tolerance::absolute(FINE)) else { return start };
        start *= found.at.exp();
        if found.at.abs() < 0.9 * AROUND {
            return start;
        }
        let value = |log: f64| defined(objective(log.exp()));
        let everywhere = minimize(value, range.low.ln(), range.high.ln(), Tolerance::absolute(FINE));
        start = everywhere.map_or(start, |found| found.at.exp());
    }
    start
}

fn defined(value: f64) -> f64 {
    if value.is_nan() { f64::INFINITY } else { value }
}

/// Distances of the tangents, less ε. Beyond, the standard conversion is as good.
fn distances(lambda: f64, epsilon: f64) -> Range {
    let high = lambda.recip().ln_1p() + FARTHEST / lambda;
    Range { low: (NARROWEST * high).max(VISIBLE * epsilon), high }
}

/// Values of `u`.
fn touches(lambda: f64) -> Range {
    let high = FARTHEST / lambda;
    Range { low: NARROWEST * high, high }
}

/// About the best distance of the tangents for δ at ε.
fn best_distance(lambda: f64, epsilon: f64, objective: impl Fn(f64) -> f64) -> f64 {
    epsilon + coarse(distances(lambda, epsilon), |excess| objective(epsilon + excess))
}

/// About the best `u` for ε at δ.
fn best_touch(lambda: f64, k: f64, delta: f64) -> f64 {
    coarse(touches(lambda), |u| tangents::rough_epsilon(lambda, k, delta, u))
}

pub(crate) fn rough_log_delta(lambda: f64, k: f64, epsilon: f64) -> f64 {
    if reaches_zero(lambda, k, epsilon) {
        return log1mexp(k / lambda - epsilon);
    }
    let at = |distance: f64| tangents::rough_log_delta(lambda, k, epsilon, distance);
    let standard = k - lambda * epsilon + standard::rough_log_zeta(lambda);
    at(best_distance(lambda, epsilon, at)).min(standard)
}

pub(crate) fn rough_epsilon(lambda: f64, k: f64, delta: f64) -> f64 {
    if (1.0 + lambda) * delta >= 1.0 {
        return k / lambda + (-delta).ln_1p();
    }
    let standard = (k + standard::rough_log_zeta(lambda) - ln(delta)) / lambda;
    tangents::rough_epsilon(lambda, k, delta, best_touch(lambda, k, delta)).min(standard)
}

/// An upper bound of δ at ε, from an upper bound `k` of `λ·D_{λ+1}`.
///
/// # Guarantee
/// At least δ(ε) for every ε in the enclosure, of every pair with `λ·D_{λ+1} ≤ k`.
pub(super) fn delta_bound(lambda: f64, k: f64, epsilon: Enclosure) -> f64 {
    if !k.is_finite() {
        return 1.0;
    }
    let at = Ball::from(epsilon.lower());
    let excess = Ball::from(k) / Ball::from(lambda) - at;
    let threshold = (Ball::ONE / Ball::from(lambda)).ln_1p();
    if (excess - threshold).enclosure().lower() >= 0.0 {
        return (-(-excess).exp_m1_enclosure()).upper().min(1.0);
    }
    let rough = |distance: f64| tangents::rough_log_delta(lambda, k, epsilon.lower(), distance);
    let start = best_distance(lambda, epsilon.lower(), rough) - epsilon.lower();
    let exact = |excess: f64| tangents::log_delta(lambda, k, at, epsilon.lower() + excess);
    let best = fine(distances(lambda, epsilon.lower()), start, |excess| exact(excess).approximate());
    let bound = exact(best).exp_enclosure().upper();
    if bound.is_nan() { 1.0 } else { bound.min(1.0) }
}

/// An upper bound of ε at δ, from an upper bound `k` of `λ·D_{λ+1}`; it may be negative.
///
/// # Guarantee
/// `δ(max(value, 0)) ≤ delta` for every pair with `λ·D_{λ+1} ≤ k`.
pub(super) fn epsilon_bound(lambda: f64, k: f64, delta: f64) -> f64 {
    if !k.is_finite() {
        return f64::INFINITY;
    }
    if ((Ball::from(lambda) + Ball::ONE) * Ball::from(delta)).enclosure().lower() >= 1.0 {
        let bound = Ball::from(k) / Ball::from(lambda) + Ball::from(-delta).ln_1p();
        return bound.enclosure().upper();
    }
    let exact = |u: f64| tangents::epsilon(lambda, k, delta, u);
    let best = fine(touches(lambda), best_touch(lambda, k, delta), |u| exact(u).approximate());
    exact(best).enclosure().upper()
}

/// `γ_α^ε(δ)`: the largest γ such that every (α, γ)-RDP mechanism is (ε, δ)-DP ([Asoodeh21, eq. (15), (20)]).
///
/// # Guarantee
/// Encloses it for `α > 1`, `ε ≥ 0`, `0 ≤ δ < 1`.
pub fn gamma(alpha: f64, epsilon: f64, delta: f64) -> Enclosure {
    // Exact below 2⁵³.
    let lambda = alpha - 1.0;
    if delta == 0.0 {
        return Enclosure::ZERO;
    }
    let order = Ball::from(lambda);
    if ((order + Ball::ONE) * Ball::from(delta)).enclosure().lower() >= 1.0 {
        return (Ball::from(epsilon) - Ball::from(-delta).ln_1p()).enclosure();
    }
    let exact = |excess: f64| tangents::moment(lambda, epsilon, delta, epsilon + excess);
    let range = distances(lambda, epsilon);
    let objective = |excess: f64| -exact(excess).approximate();
    let excess = fine(range, coarse(range, objective), objective);
    let lower = exact(excess) / order;
    let upper = primal(lambda, epsilon, delta, best_probability(lambda, epsilon, delta));
    let lower = lower.enclosure().lower().max(0.0);
    Enclosure::new(lower, upper.enclosure().upper().max(lower))
}

/// The p at which the objective of [Asoodeh21, eq. (20)] is about least. It is convex.
fn best_probability(lambda: f64, epsilon: f64, delta: f64) -> f64 {
    let at = |odds: f64| (delta + (1.0 - delta) / (1.0 + (-odds).exp())).clamp(delta.next_up(), 1.0);
    let objective = |odds: f64| defined(primal(lambda, epsilon, delta, at(odds)).approximate());
    let rough = minimize(objective, (delta * 1e-12).ln(), 40.0, Tolerance::absolute(COARSE));
    let start = rough.map_or(0.0, |minimum| minimum.at);
    let near = |shift: f64| objective(start + shift);
    let found = minimize(near, -AROUND, AROUND, Tolerance::absolute(FINE));
    at(start + found.map_or(0.0, |minimum| minimum.at))
}

/// `ε + (1/λ)·log(p^α(p − δ)^{−λ} + (1 − p)^α(e^ε − p + δ)^{−λ})`, the objective of [Asoodeh21, eq. (20)].
///
/// The sum is `p·e^A + (1 − p)·e^B` with `A = −λ log(1 − δ/p)` and `B = −λ log(1 + (e^ε − 1 + δ)/(1 − p))`.
fn primal(lambda: f64, epsilon: f64, delta: f64, p: f64) -> Ball {
    let (order, epsilon, delta, p) =
        (Ball::from(lambda), Ball::from(epsilon), Ball::from(delta), Ball::from(p));
    let rest = Ball::ONE - p;
    let up = -(order * (-(delta / p)).ln_1p());
    let log_sum = if rest == Ball::ZERO {
        up
    } else {
        let down = -(order * ((epsilon.exp_m1() + delta) / rest).ln_1p());
        if up.approximate() < 1.0 && down.approximate() > -1.0 {
            (p * up.exp_m1() + rest * down.exp_m1()).ln_1p()
        } else {
            let (high, low) = (p.ln() + up, rest.ln() + down);
            high + (low - high).exp().ln_1p()
        }
    };
    epsilon + log_sum / order
}

/// `δ_α^ε(γ)`: the smallest δ such that every (α, γ)-RDP mechanism is (ε, δ)-DP ([Asoodeh21, eq. (12)]).
///
/// # Guarantee
/// Encloses it for `α > 1`, `ε ≥ 0`, `γ ≥ 0`.
pub fn delta(alpha: f64, epsilon: f64, divergence: f64) -> Enclosure {
    let lambda = alpha - 1.0;
    if divergence == 0.0 {
        return Enclosure::ZERO;
    }
    let k = Ball::product_of(lambda, divergence).enclosure().upper();
    let at = Enclosure::point(epsilon);
    let upper = delta_bound(lambda, k, at).min(standard::delta(lambda, k, at));
    // δ is at least every number whose γ is at most the divergence.
    let lower = inward(upper, |delta| gamma(alpha, epsilon, delta).upper() <= divergence);
    Enclosure::new(lower, upper)
}

/// `ε_α^δ(γ)`: the smallest ε ≥ 0 such that every (α, γ)-RDP mechanism is (ε, δ)-DP ([Asoodeh21, eq. (14)]).
///
/// # Guarantee
/// Encloses it for `α > 1`, `0 < δ < 1`, `γ ≥ 0`.
pub fn epsilon(alpha: f64, delta: f64, divergence: f64) -> Enclosure {
    let lambda = alpha - 1.0;
    if divergence == 0.0 {
        return Enclosure::ZERO;
    }
    let k = Ball::product_of(lambda, divergence).enclosure().upper();
    let upper = epsilon_bound(lambda, k, delta).min(standard::epsilon(lambda, k, delta)).max(0.0);
    // Below the smallest ε some mechanism with this divergence has a larger δ: its γ is smaller.
    let lower = inward(upper, |epsilon| gamma(alpha, epsilon, delta).upper() <= divergence);
    Enclosure::new(lower, upper)
}

/// The first number below `start`, in steps that double, at which `holds`; 0 if there is none.
fn inward(start: f64, holds: impl Fn(f64) -> bool) -> f64 {
    (0..52).map(|i| start - start * f64::EPSILON * 2f64.powi(i)).find(|&x| x > 0.0 && holds(x)).unwrap_or(0.0)
}
