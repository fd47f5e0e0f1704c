//! Where the losses of a pair are cut into cells.

use super::super::outcomes::extent;
use crate::pair::{DominatingPair, Listing, Outcome};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Without listed outcomes losses are truncated where their tails are below this.
const INVISIBLE: f64 = 1e-19;
/// The most losses at which a pair that lists nothing is asked for its tails.
const MOST_BY_LOSSES: usize = 1 << 13;
/// The most doublings and bisections in the search for an end.
const DOUBLINGS: usize = 40;
const HALVINGS: usize = 30;

/// Stretches of a panel with equidistant outcomes each, and the part of the cells that is the same for all of them.
const STRETCHES: usize = 256;
const EVEN: f64 = 0.25;

/// Increasing losses: equidistant outcomes where outcomes are listed ([Zhu22, Alg. 2]), with more of them where they matter; equidistant losses
/// where they are not; and every atom between two edges of its own. Any choice will do.
pub(super) fn edges(pair: &dyn DominatingPair, cells: usize, log_trim: f64) -> Vec<f64> {
    let law = pair.ratio_law();
    let mut edges: Vec<f64> = Vec::with_capacity(cells + 2);
    let panels: Vec<(usize, f64, f64)> = (0..law.panels.len())
        .filter_map(|index| extent(&law, index, log_trim).map(|(from, to)| (index, from, to)))
        .collect();
    if law.listing == Listing::Nothing {
        edges.extend(by_losses(pair, cells));
    }
    for &(index, from, to) in &panels {
        let share = (cells / panels.len()).max(2);
        let loss =
            |x: f64| law.loss(Outcome::Point { panel: index, x: x.clamp(from, to) }).map(Enclosure::midpoint);
        let outcome = |part: f64| from + (to - from) * part;
        let mut start = 0.0;
        for (i, weight) in weights(pair, share, |part| loss(outcome(part))).into_iter().enumerate() {
            let count = (share as f64 * weight).ceil().max(1.0);
            let end = (i + 1) as f64;
            let within = (0..count as usize).map(|j| start + (end - start) * (j as f64 / count));
            edges.extend(within.filter_map(|place| loss(outcome(place / STRETCHES as f64))));
            start = end;
        }
        edges.extend(loss(to));
    }
    if law.atoms.len() > cells {
        edges.extend(by_losses(pair, cells));
    } else {
        for atom in &law.atoms {
            let loss = if law.swapped { -atom.loss } else { atom.loss }.enclosure();
            let margin = 4.0 * f64::EPSILON * (loss.lower().abs() + loss.upper().abs()) + 1e-300;
            edges.extend([loss.lower() - margin, loss.upper() + margin]);
        }
    }
    edges.retain(|edge| edge.is_finite());
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    edges
}

/// The parts of all cells that stretches of a panel get. Cells of width w add the mean of w, so that their number goes best with the root of
/// mass times range of losses. Few cells are spread evenly, as in the paper.
fn weights(pair: &dyn DominatingPair, cells: usize, loss: impl Fn(f64) -> Option<f64>) -> Vec<f64> {
    let even = (STRETCHES as f64).recip();
    let ends: Vec<Option<(f64, f64)>> = (0..=STRETCHES)
        .map(|i| {
            let loss = loss(i as f64 * even).filter(|loss| loss.is_finite())?;
            Some((loss, pair.tails(Ball::from(loss)).p.value().midpoint()))
        })
        .collect();
    let root = |ends: &[Option<(f64, f64)>]| match ends {
        [Some((low, above)), Some((high, beyond))] => ((high - low) * (above - beyond)).abs().sqrt(),
        _ => 0.0,
    };
    let roots: Vec<f64> = ends.windows(2).map(root).collect();
    let total: f64 = roots.iter().sum();
    if cells < 8 * STRETCHES || !(total > 0.0 && total.is_finite()) {
        return vec![even; STRETCHES];
    }
    roots.iter().map(|root| EVEN * even + (1.0 - EVEN) * root / total).collect()
}

/// Equidistant losses between the points where both tails are negligible.
fn by_losses(pair: &dyn DominatingPair, cells: usize) -> Vec<f64> {
    let cells = cells.min(MOST_BY_LOSSES);
    let losses = pair.finite_losses();
    let infinite = pair.infinite_mass().value().upper();
    let vanishing = pair.vanishing_mass().value().upper();
    let is_above = |loss: f64| pair.tails(Ball::from(loss)).p.value().upper() <= infinite + INVISIBLE;
    let is_below = |loss: f64| pair.tails(Ball::from(-loss)).q.complement().upper() <= vanishing + INVISIBLE;
    let to = if losses.end().upper().is_finite() { losses.end().upper() } else { reached(is_above) };
    let from = if losses.start().lower().is_finite() { losses.start().lower() } else { -reached(is_below) };
    let margin = 4.0 * f64::EPSILON * (from.abs() + to.abs()) + 1e-300;
    let (from, to) = (from - margin, to + margin);
    (0..=cells).map(|j| from + (to - from) * (j as f64 / cells as f64)).collect()
}

/// A positive number slightly above the first at which `holds`.
fn reached(holds: impl Fn(f64) -> bool) -> f64 {
    let mut high = 1.0;
    for _ in 0..DOUBLINGS {
        if holds(high) {
            break;
        }
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    high
}
