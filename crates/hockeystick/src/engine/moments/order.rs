//! The search for the best order, in plain floats. Any order gives a valid bound, so nothing is proven here.

use super::RenyiCurve;
use hockeystick_numerics::{minimize::minimize, roots::Tolerance};

/// Outcomes chosen for one order serve orders within this factor, well enough to see in which direction to go.
const TRUST: f64 = 8.0;
/// The search ends when the moment at its order is known to this, relative to itself or 1.
const SURPRISE: f64 = 1e-3;
/// How often outcomes are chosen anew.
const ROUNDS: usize = 40;
/// Orders beyond make no difference that a double can hold.
const LARGEST: f64 = 1e12;
/// And below.
const SMALLEST: f64 = 1e-9;
/// The logarithm of the order is found to this: the bound is then within its square of the best.
const WIDTH: f64 = 1e-4;

/// A λ at which `objective(λ, K(λ))` is about least. All objectives in use are quasi-convex, because `K` is convex, and grow
/// with `K`.
///
/// Outcomes chosen for one order leave out what does not matter there, so they say too little about `K` elsewhere. All that
/// were chosen so far are asked, and the largest answer is taken: so the search cannot go back and forth between two orders that
/// each ignore what the other one sees.
pub(super) fn best(curve: &RenyiCurve, hint: Option<f64>, objective: impl Fn(f64, f64) -> f64) -> f64 {
    let largest = (curve.largest_order() * (1.0 - 1e-9)).clamp(SMALLEST, LARGEST);
    let start = hint.unwrap_or_else(|| guess(curve, largest, &objective));
    let mut center = start.clamp(SMALLEST, largest);
    let (mut lowest, mut highest) = (center, center);
    let mut nears = vec![curve.near(center)];
    for _ in 0..ROUNDS {
        let k = |lambda: f64| nears.iter().map(|near| near(lambda)).fold(f64::NEG_INFINITY, f64::max);
        let value = |log_order: f64| {
            let lambda = log_order.exp();
            let value = objective(lambda, k(lambda));
            if value.is_nan() { f64::INFINITY } else { value }
        };
        let (low, high) = ((lowest / TRUST).max(SMALLEST), (highest * TRUST).min(largest));
        let Ok(minimum) = minimize(value, low.ln(), high.ln(), Tolerance::absolute(WIDTH)) else { break };
        center = minimum.at.exp().clamp(SMALLEST, largest);
        (lowest, highest) = (lowest.min(center), highest.max(center));
        // Do outcomes chosen for this order see more than those chosen before?
        let near = curve.near(center);
        let (known, seen) = (k(center), near(center));
        let is_cut_off = center < 1.01 * low && low > SMALLEST || center > 0.99 * high && high < largest;
        if !is_cut_off && seen - known <= SURPRISE * (1.0 + seen.abs()) {
            break;
        }
        nears.push(near);
    }
    center
}

/// Where to begin: where a normal loss with the same moment of order 1 would have its best order, to a factor of two, if its moment
/// there is about that of the normal loss; otherwise 1. From too small an order the search climbs quickly, but moments far beyond
/// the best order explode, and from there it comes down by halves.
fn guess(curve: &RenyiCurve, largest: f64, objective: &impl Fn(f64, f64) -> f64) -> f64 {
    let one = largest.min(1.0);
    let finite = curve.log_finite_mass().midpoint();
    let curvature = ((curve.near(one)(one) - finite) / (one * (one + 1.0))).max(1e-30);
    let parabola = |lambda: f64| curvature * lambda * (lambda + 1.0);
    let value = |lambda: f64| {
        let value = objective(lambda, parabola(lambda) + finite);
        if value.is_nan() { f64::INFINITY } else { value }
    };
    let by_size = (-30..40).map(|power| 2f64.powi(power)).filter(|&lambda| lambda <= largest);
    let normal = by_size.min_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(one);
    let is_like_normal = curve.near(normal)(normal) - finite <= 4.0 * parabola(normal) + 1.0;
    if is_like_normal { normal } else { one.min(normal) }
}
