//! The search for the best order. Any order gives a valid bound, so nothing is proven here.
//!
//! It goes by what is known of the moments in plain floats, and then asks for proven moments beside the order that was found. A
//! quasi-convex objective that is larger on both sides has its least value between them. If it is not, the plain floats were wrong,
//! and the search is done again with proven moments.

use super::RenyiCurve;
use hockeystick_numerics::{minimize::minimize, roots::Tolerance};

/// Outcomes chosen for one order serve orders within this factor, well enough to see in which direction to go.
const TRUST: f64 = 8.0;
/// The search ends when the moment at its order is known to this, relative to itself or 1.
const SURPRISE: f64 = 1e-8;
/// How often outcomes are chosen anew.
const ROUNDS: usize = 40;
/// Orders beyond make no difference that a double can hold.
const LARGEST: f64 = 1e12;
/// And below.
const SMALLEST: f64 = 1e-9;
/// The logarithm of the order is found to this at first: the bound is then within its square of the best.
const WIDTH: f64 = 1e-4;
/// And to this at last, for some bounds have a corner where they are least: a table of moments, and the optimal conversion.
const FINE: f64 = 1e-7;
/// How far from the best order, on a logarithmic scale, its neighbours are asked.
const BESIDE: f64 = 0.02;
/// The steps of a search with proven moments, as factors of the order.
const STRIDE: f64 = 4.0;
/// So many orders of tables are asked one by one.
const MOST_CORNERS: usize = 64;

/// A λ at which `objective(λ, K(λ))` is about least. All objectives in use are quasi-convex, because `K` is convex, and grow
/// with `K`.
///
/// Outcomes chosen for one order leave out what does not matter there, so they say too little about `K` elsewhere. All that
/// were chosen so far are asked, and the largest answer is taken: so the search cannot go back and forth between two orders that
/// each ignore what the other one sees.
pub(super) fn best(curve: &RenyiCurve, hint: Option<f64>, objective: impl Fn(f64, f64) -> f64) -> f64 {
    let largest = (curve.largest_order() * (1.0 - 1e-9)).clamp(SMALLEST, LARGEST);
    let center = by_floats(curve, largest, hint, &objective);
    let proven = |log_order: f64| {
        let lambda = log_order.exp();
        if !(SMALLEST..=largest).contains(&lambda) {
            return f64::INFINITY;
        }
        defined(objective(lambda, curve.log_moment(lambda).upper()))
    };
    let (at, here) = (center.ln(), proven(center.ln()));
    let (left, right) = (proven(at - BESIDE), proven(at + BESIDE));
    let is_flat = left == here && right == here;
    let is_least = here.is_finite() && here <= left && here <= right && !is_flat;
    let best = if is_least { (at, here) } else { by_proven(at, here, (SMALLEST.ln(), largest.ln()), proven) };
    let at = best_corner(curve, best.0, proven).filter(|corner| corner.1 < best.1).unwrap_or(best).0;
    at.exp().clamp(SMALLEST, largest)
}

/// Between two orders of a table the moment is bounded by a chord only, so an objective may be least at any of them: the best of those
/// nearest to `at`.
fn best_corner(curve: &RenyiCurve, at: f64, value: impl Fn(f64) -> f64) -> Option<(f64, f64)> {
    let mut corners: Vec<f64> = curve.corners().map(f64::ln).collect();
    corners.sort_by(|a, b| (a - at).abs().total_cmp(&(b - at).abs()));
    let values = corners.into_iter().take(MOST_CORNERS).map(|corner| (corner, value(corner)));
    values.min_by(|a, b| a.1.total_cmp(&b.1))
}

/// What is not defined is never the least.
fn defined(value: f64) -> f64 {
    if value.is_nan() { f64::INFINITY } else { value }
}

/// The same with the moments of finitely many outcomes.
fn by_floats(
    curve: &RenyiCurve,
    largest: f64,
    hint: Option<f64>,
    objective: &impl Fn(f64, f64) -> f64,
) -> f64 {
    let start = hint.unwrap_or_else(|| guess(curve, largest, objective));
    let mut center = start.clamp(SMALLEST, largest);
    let (mut lowest, mut highest) = (center, center);
    let mut nears = vec![curve.near(center)];
    for _ in 0..ROUNDS {
        let k = |lambda: f64| nears.iter().map(|near| near(lambda)).fold(f64::NEG_INFINITY, f64::max);
        let value = |log_order: f64| {
            let lambda = log_order.exp();
            defined(objective(lambda, k(lambda)))
        };
        let (low, high) = ((lowest / TRUST).max(SMALLEST), (highest * TRUST).min(largest));
        let Ok(minimum) = minimize(value, low.ln(), high.ln(), Tolerance::absolute(WIDTH)) else { break };
        let (from, to) = ((minimum.at - WIDTH).max(low.ln()), (minimum.at + WIDTH).min(high.ln()));
        let finer = minimize(value, from, to, Tolerance::absolute(FINE));
        let at = finer
            .map_or(minimum.at, |finer| if finer.value <= minimum.value { finer.at } else { minimum.at });
        center = at.exp().clamp(SMALLEST, largest);
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

/// The logarithm of an order at which `value`, quasi-convex, is least, and the value there: from `start` to both sides, and then between those beside the
/// best.
///
/// It may be infinite where orders are too large, and where they are too small to have digits. So it is followed as far as it is
/// infinite or the same as before, and no farther than it rises.
fn by_proven(start: f64, at_start: f64, (low, high): (f64, f64), value: impl Fn(f64) -> f64) -> (f64, f64) {
    let stride = STRIDE.ln();
    let mut best = (start, at_start);
    for (step, end) in [(-stride, low), (stride, high)] {
        let (mut at, mut last) = (start, at_start);
        while at != end {
            at = if step < 0.0 { (at + step).max(end) } else { (at + step).min(end) };
            let here = value(at);
            if here < best.1 {
                best = (at, here);
            }
            // Above a finite value there is nothing but more.
            if here > last || step > 0.0 && here == f64::INFINITY && best.1.is_finite() {
                break;
            }
            last = here;
        }
    }
    let (from, to) = ((best.0 - stride).max(low), (best.0 + stride).min(high));
    match minimize(value, from, to, Tolerance::absolute(FINE)) {
        Ok(minimum) if minimum.value <= best.1 => (minimum.at, minimum.value),
        Ok(_) | Err(_) => best,
    }
}

/// Where to begin: where a normal loss with the same moment of order 1 would have its best order, to a factor of two, if its moment
/// there is about that of the normal loss; otherwise 1. From too small an order the search climbs quickly, but moments far beyond
/// the best order explode, and from there it comes down by halves.
fn guess(curve: &RenyiCurve, largest: f64, objective: &impl Fn(f64, f64) -> f64) -> f64 {
    let one = largest.min(1.0);
    let finite = curve.log_finite_mass().midpoint();
    let curvature = ((curve.near(one)(one) - finite) / (one * (one + 1.0))).max(1e-30);
    let parabola = |lambda: f64| curvature * lambda * (lambda + 1.0);
    let value = |lambda: f64| defined(objective(lambda, parabola(lambda) + finite));
    let by_size = (-30..40).map(|power| 2f64.powi(power)).filter(|&lambda| lambda <= largest);
    let normal = by_size.min_by(|&a, &b| value(a).total_cmp(&value(b))).unwrap_or(one);
    let is_like_normal = curve.near(normal)(normal) - finite <= 4.0 * parabola(normal) + 1.0;
    if is_like_normal { normal } else { one.min(normal) }
}
