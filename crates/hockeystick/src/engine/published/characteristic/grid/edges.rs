//! Where the losses of a pair are cut into cells.

use super::super::outcomes::extent;
use crate::pair::{DominatingPair, Listing, Outcome};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Without listed outcomes losses are truncated where their tails are below this.
const INVISIBLE: f64 = 1e-19;
/// The most doublings and bisections in the search for an end.
const DOUBLINGS: usize = 40;
const HALVINGS: usize = 30;

/// Increasing losses: equidistant outcomes where outcomes are listed ([Zhu22, Alg. 2]), equidistant losses where they are not, and
/// every atom between two edges of its own. Any choice will do; this one follows the paper.
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
        let outcome = |j: usize| from + (to - from) * (j as f64 / share as f64);
        edges.extend((0..=share).filter_map(|j| {
            let x = outcome(j).clamp(from, to);
            law.loss(Outcome::Point { panel: index, x }).map(Enclosure::midpoint)
        }));
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

/// Equidistant losses between the points where both tails are negligible.
fn by_losses(pair: &dyn DominatingPair, cells: usize) -> Vec<f64> {
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
