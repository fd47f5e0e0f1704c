//! Merged outcomes from tails alone: edges are sought where the merged loss is a point of the grid.

use super::{
    super::super::{
        grid::Grid,
        law::{LatticeLaw, Optimistic},
    },
    monotone::falling_from_the_left,
};
use crate::pair::{SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// All outcomes with a loss between two edges become one. That is post-processing, so δ can only fall; it is the tangent
/// construction of [Doroshenko22, Sec. 5], with a point of contact at each edge. The edges are placed, from below, so that the
/// merged loss `log(ΔP/ΔQ)` is the point `iΔ` between them: an edge a fraction φ up its interval leads to one at
/// `(1 − φ)e^{−Δ}` in the next, which settles half-way.
///
/// Remaining differences are covered by an `offset`, which moves all points below the merged losses; the mass of a merged loss that is not
/// proven to be above its point goes one point further down. The offset minimises the sum of both costs.
///
/// # Guarantee
/// At most as much mass above every loss as a law whose δ is at most that of the pair.
pub(crate) fn merged(pair: &SharedPair, grid: Grid) -> LatticeLaw<Optimistic> {
    let edges = balanced_edges(pair, grid);
    let shortfalls: Vec<Option<f64>> = (edges.windows(2).zip(grid.first..))
        .map(|(pair, index)| shortfall(pair, grid.point(index)))
        .collect();
    let masses: Vec<f64> =
        edges.windows(2).map(|pair| pair[0].p.value().midpoint() - pair[1].p.value().midpoint()).collect();
    let offset = best_offset(&shortfalls, &masses, grid.spacing);
    // The mass above the point i: everything above the edge i, less what the outcome i + 1 takes down with it if it falls.
    let infinite = pair.infinite_mass().value().lower();
    let is_kept = |i: usize| matches!(shortfalls.get(i), Some(Some(gap)) if *gap <= offset);
    let mut tails: Vec<f64> = (0..grid.len())
        .map(|i| {
            let edge = if i + 1 < grid.len() && !is_kept(i + 1) { i + 2 } else { i + 1 };
            edges.get(edge).map_or(infinite, |tails| tails.p.value().lower())
        })
        .collect();
    if let Some(last) = tails.last_mut() {
        *last = infinite;
    }
    let bottom = if is_kept(0) { 0 } else { 1 };
    let whole = edges[bottom].p.value().lower();
    falling_from_the_left(whole, &mut tails);
    LatticeLaw::from_tails(grid.spacing, grid.first, whole, &tails, grid.offset - offset)
}

/// Tails at the edges: the first lies below the first point, each next one above its point.
fn balanced_edges(pair: &SharedPair, grid: Grid) -> Vec<Tails> {
    let mut edge = (grid.first as f64 - 0.5) * grid.spacing;
    let mut tails = pair.tails(Ball::from(edge));
    let mut edges = vec![tails];
    for index in grid.first..=grid.last {
        let point = index as f64 * grid.spacing;
        (edge, tails) = balanced(pair, grid.spacing, point, edge, tails);
        edges.push(tails);
    }
    edges
}

/// The edge above `point` for which the merged outcome has the loss `point`, by a secant step or two in plain floats: a root of
/// `(P₀ − P(y)) − e^x (Q₀ − Q(y))`, whose derivative vanishes at `x` and falls from there.
fn balanced(pair: &SharedPair, spacing: f64, point: f64, below: f64, start: Tails) -> (f64, Tails) {
    let excess = |tails: &Tails| {
        let fall =
            |before: Probability, after: Probability| before.value().midpoint() - after.value().midpoint();
        fall(start.p, tails.p) - point.exp() * fall(start.q, tails.q)
    };
    let (least, most) = (point + 0.02 * spacing, point + 0.98 * spacing);
    let at = |edge: f64| {
        let tails = pair.tails(Ball::from(edge));
        (edge, excess(&tails), tails)
    };
    // The excess rises with the edge: the mirror image of the edge below is close, and two secant steps come closer.
    let first = at((2.0 * point - below).clamp(least, most));
    let nearby = if first.1 > 0.0 { first.0 - 0.05 * spacing } else { first.0 + 0.05 * spacing };
    let (mut before, mut now) = (first, at(nearby.clamp(least, most)));
    for _ in 0..2 {
        let slope = (now.1 - before.1) / (now.0 - before.0);
        let next = now.0 - now.1 / slope;
        if !next.is_finite() {
            break;
        }
        (before, now) = (now, at(next.clamp(least, most)));
    }
    let best = if now.1.abs() <= before.1.abs() { now } else { before };
    (best.0, best.2)
}

/// How far the merged loss between two edges may lie below the point; `None` if nothing can be proven.
fn shortfall(edges: &[Tails], point: Ball) -> Option<f64> {
    let difference = |f: fn(&Tails) -> Enclosure| f(&edges[0]) - f(&edges[1]);
    let (p, q) = (difference(|tails| tails.p.value()), difference(|tails| tails.q.value()));
    if p.lower() <= 0.0 || q.upper() <= 0.0 {
        return None;
    }
    // log(ΔP/ΔQ) − point, from below.
    let odds = p / Enclosure::point(q.upper()) * (-point).exp_enclosure();
    let gap = odds.ln().lower();
    gap.is_finite().then(|| (-gap).max(0.0).next_up())
}

/// The offset for which the offset itself and the mass that falls a step further cost the least together.
fn best_offset(shortfalls: &[Option<f64>], masses: &[f64], spacing: f64) -> f64 {
    let mut gaps: Vec<(f64, f64)> = shortfalls
        .iter()
        .zip(masses)
        .filter_map(|(gap, mass)| gap.map(|gap| (gap, mass.max(0.0))))
        .filter(|(gap, _)| *gap < spacing)
        .collect();
    gaps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut falling: f64 = gaps.iter().map(|(_, mass)| mass).sum();
    let (mut best, mut least) = (0.0, f64::INFINITY);
    for (gap, mass) in gaps {
        falling -= mass;
        let cost = gap + spacing * falling.max(0.0);
        if cost < least {
            (best, least) = (gap, cost);
        }
    }
    best
}
