//! Tails → cells.

use super::{Cell, SPLIT};
use crate::curve::conversion::hockey_stick_to_tails::drop;
use crate::curve::{LossTails, Support};
use crate::pair::Tails;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// What lies outside of the window of an unbounded loss may weigh this much.
const NEGLIGIBLE: f64 = 1e-19;
/// Losses beyond are out of the range of `e^ε`.
const FARTHEST: f64 = 512.0;

/// The cells of a loss given by its tails: at most about `7·resolution`, with errors of order `resolution⁻²`.
///
/// A cell is split while its probability times its squared width is more than `resolution⁻³`. So a density gets cells of
/// its own scale and an atom a cell as narrow as its error asks for.
pub(in crate::curve::conversion) fn of_tails(
    tails: &(impl LossTails + ?Sized),
    resolution: usize,
) -> Vec<Cell> {
    let support = tails.support();
    let at = |epsilon: f64| tails.loss_tails(Ball::from(epsilon));
    let (from, to) = (lowest(&support, at), highest(&support, at));
    let (at_from, at_to) = (at(from), at(to));
    let mut cells = Vec::new();
    if support.smallest < from {
        let q = at_from.q.complement() - support.vanishing_mass.value();
        let q = Enclosure::new(q.lower().max(0.0), q.upper().min(at_from.q.complement().upper()).max(0.0));
        cells.push(Cell { from: f64::NEG_INFINITY, to: from, p: at_from.p.complement(), q });
    }
    let finest = (resolution as f64).powi(-3);
    let mut pending = vec![(from, at_from, to, at_to)];
    while let Some((low, at_low, high, at_high)) = pending.pop() {
        let p = drop(at_low.p, at_high.p).clamp(0.0, 1.0);
        let q = drop(at_low.q, at_high.q).clamp(0.0, 1.0);
        let share = (high - low) / (to - from);
        let middle = low + SPLIT * (high - low);
        if p.upper().max(q.upper()) * share * share > finest && low < middle && middle < high {
            let at_middle = at(middle);
            pending.push((middle, at_middle, high, at_high));
            pending.push((low, at_low, middle, at_middle));
        } else {
            cells.push(Cell { from: low, to: high, p, q });
        }
    }
    if support.largest > to {
        let p = drop(at_to.p, support.infinite_mass);
        let p = Enclosure::new(p.lower().max(0.0), p.upper().min(at_to.p.value().upper()).max(0.0));
        cells.push(Cell { from: to, to: f64::INFINITY, p, q: at_to.q.value() });
    }
    cells
}

/// Just below the smallest loss, or where smaller ones are negligible.
fn lowest(support: &Support, at: impl Fn(f64) -> Tails) -> f64 {
    if support.smallest.is_finite() {
        return support.smallest - 1e-3 * (1.0 + support.smallest.abs());
    }
    let is_negligible = |epsilon: f64| {
        let tails = at(epsilon);
        let q = tails.q.complement().midpoint() - support.vanishing_mass.value().lower();
        tails.p.complement().midpoint().max(q) < NEGLIGIBLE
    };
    -scales().find(|&scale| is_negligible(-scale)).unwrap_or(FARTHEST)
}

/// Just above the largest loss, or where larger ones are negligible.
fn highest(support: &Support, at: impl Fn(f64) -> Tails) -> f64 {
    if support.largest.is_finite() {
        return support.largest + 1e-3 * (1.0 + support.largest.abs());
    }
    let is_negligible = |epsilon: f64| {
        let tails = at(epsilon);
        let p = tails.p.value().midpoint() - support.infinite_mass.value().lower();
        p.max(tails.q.value().midpoint()) < NEGLIGIBLE
    };
    scales().find(|&scale| is_negligible(scale)).unwrap_or(FARTHEST)
}

fn scales() -> impl Iterator<Item = f64> {
    (0..34).map(|k| 1.0625 * 1.2f64.powi(k)).take_while(|&scale| scale < FARTHEST)
}
