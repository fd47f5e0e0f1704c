//! Merged outcomes: an optimistic law whose error falls with the square of the spacing.

use super::{
    super::law::{LatticeLaw, Optimistic},
    buckets::falling_from_the_left,
    grid::Grid,
};
use crate::pair::{SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// All outcomes with a loss in `(iΔ − Δ/2, iΔ + Δ/2]` become one. That is post-processing, so δ can only fall; it is the
/// tangent construction of [Doroshenko22, Sec. 5] with the points of contact half-way between the points of the lattice.
///
/// The merged outcome has the loss `log(ΔP/ΔQ)`, which differs from `iΔ` by some `Δ²`. All points are moved down by an
/// `offset` that leaves them below the merged losses; where a merged loss is not proven to be above, its mass goes down by a
/// whole point more. The offset is chosen so that both cost about the same.
///
/// # Guarantee
/// At most as much mass above every loss as a law whose δ is at most that of the pair.
pub(crate) fn merged(pair: &SharedPair, grid: Grid) -> LatticeLaw<Optimistic> {
    let half = Ball::from(0.5 * grid.spacing);
    // Between the points: edge i lies half a step above the point i.
    let edges: Vec<Tails> = (grid.first - 1..=grid.last).map(|i| pair.tails(grid.point(i) + half)).collect();
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
    LatticeLaw::from_tails(grid.spacing, grid.first, whole, &tails, -offset)
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
