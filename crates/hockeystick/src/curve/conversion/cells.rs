//! Integrals over the loss from the probabilities of cells `(from, to]` under both `P` and `Q`.
//!
//! The two probabilities say more than one: within a cell `E_P[e^{−L}] = Q(cell)`, so the mean of `u = e^{−L}` is known and
//! only its variance is not. For a smooth `g`, Taylor's formula around that mean gives
//! `|E_P[g(u); cell] − P(cell)·g(ū)| ≤ P(cell)·½ max|g″|·Var(u)`, and `Var(u) ≤ (e^{−from} − e^{−to})²/4` (Popoviciu).
//! Cells of width `w` thus have an error of order `w²` that is bounded, not estimated.

use super::hockey_stick_to_tails::drop;
use crate::curve::{LossTails, Support, TradeOff};
use crate::pair::Tails;
use hockeystick_numerics::{ball::Ball, disc::Disc, double_double::DoubleDouble, enclosure::Enclosure};
use num_complex::Complex;

/// The probabilities of the finite losses in `(from, to]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) p: Enclosure,
    pub(super) q: Enclosure,
}

impl Cell {
    fn is_finite(&self) -> bool {
        self.from.is_finite() && self.to.is_finite()
    }

    /// `−log` of the mean of `e^{−L}` in the cell.
    pub(super) fn center(&self) -> Enclosure {
        let ratio = (self.q / self.p).clamp(0.0, f64::INFINITY);
        (-ratio.ln()).clamp(self.from, self.to)
    }

    /// A bound on `Var(u)·e^{2L}/2` in the cell: `(e^{to − from} − 1)²/8`.
    pub(super) fn spread(&self) -> f64 {
        let range = (Enclosure::point(self.to) - self.from).exp_m1();
        (range * range / 8.0).upper()
    }

    /// `E_P[e^{zL}; cell]`: here `g(u) = u^{−z}` and `|g″| = |z(z + 1)|·e^{(Re z + 2)L}`.
    fn moment(&self, z: Complex<f64>) -> Disc {
        if self.p.upper() == 0.0 {
            return Disc::ZERO;
        }
        if !self.is_finite() {
            return self.wide_moment(z.re);
        }
        let center = self.center();
        let modulus = self.p * (center * z.re).exp();
        let disc = Disc::polar(modulus, ball(center) * Ball::from(z.im));
        let curvature = (z * (z + 1.0)).norm() * (1.0 + 1e-14);
        let largest = (Enclosure::point(if z.re > 0.0 { self.to } else { self.from }) * z.re).exp();
        let error = (self.p * largest * self.spread() * curvature).upper();
        Disc::new(disc.center(), (disc.radius() + error) * (1.0 + 1e-14))
    }

    /// A bound for a cell without a finite end. Hölder: `∫ p^{1+σ} q^{−σ} ≤ P^{1+σ} Q^{−σ}` for `−1 ≤ σ ≤ 0`.
    fn wide_moment(&self, sigma: f64) -> Disc {
        let radius = if (-1.0..=0.0).contains(&sigma) {
            let power = |x: Enclosure, exponent: f64| {
                if exponent == 0.0 { Enclosure::ONE } else { (x.ln() * exponent).exp() }
            };
            (power(self.p, 1.0 + sigma) * power(self.q, -sigma)).upper()
        } else {
            f64::INFINITY
        };
        Disc::new(Complex::new(0.0, 0.0), radius)
    }
}

/// `M(z)` summed over all cells.
pub(super) fn moment(cells: &[Cell], z: Complex<f64>) -> Disc {
    cells.iter().fold(Disc::ZERO, |sum, cell| sum + cell.moment(z))
}

fn ball(x: Enclosure) -> Ball {
    let middle = x.midpoint();
    let radius = (x - middle).upper().max((Enclosure::point(middle) - x).upper());
    Ball::new(DoubleDouble::from(middle), radius)
}

/// Splits are off the middle so that they do not fall on atoms at round losses, where a tail cannot be told from the next.
const SPLIT: f64 = 0.487_119;
/// What lies outside of the window of an unbounded loss may weigh this much.
const NEGLIGIBLE: f64 = 1e-19;
/// Losses beyond are out of the range of `e^ε`.
const FARTHEST: f64 = 512.0;

/// The cells of a loss given by its tails: at most about `7·resolution`, with errors of order `resolution⁻²`.
///
/// A cell is split while its probability times its squared width is more than `resolution⁻³`. So a density gets cells of
/// its own scale and an atom a cell as narrow as its error asks for.
pub(super) fn of_tails(tails: &(impl LossTails + ?Sized), resolution: usize) -> Vec<Cell> {
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

/// The cells of a loss given by the trade-off function.
///
/// Between two type I errors `P` has their difference and `Q` that of `f`. The loss is `−log|f′|` and increases with the
/// type I error, so the secants of the neighbouring cells bound it. A part of `P` with infinite loss is left out where `f`
/// is known to be 0; a cell that may contain some is treated as unbounded.
pub(super) fn of_trade_off(f: &(impl TradeOff + ?Sized), resolution: usize) -> Vec<Cell> {
    let support = f.support();
    let finest = (resolution as f64).powi(-3);
    // Infinite losses come last; all others are below this type I error.
    let end = support.infinite_mass.complement().upper();
    let mut points: Vec<(f64, Enclosure)> =
        (0..=16).map(|k| end * f64::from(k) / 16.0).map(|x| (x, f.trade_off(x).value())).collect();
    loop {
        let cells = cells_between(&points, &support);
        let before = points.len();
        let mut refined = Vec::with_capacity(before);
        for (cell, ends) in cells.iter().zip(points.windows(2)) {
            refined.push(ends[0]);
            let middle = ends[0].0 + SPLIT * (ends[1].0 - ends[0].0);
            let error = cell.p.upper().max(cell.q.upper()) * cell.spread().min(1.0);
            if cell.q.upper() > 0.0 && error > finest && ends[0].0 < middle && middle < ends[1].0 {
                refined.push((middle, f.trade_off(middle).value()));
            }
        }
        refined.push(points[before - 1]);
        points = refined;
        if points.len() == before || points.len() > 16 * resolution {
            let finite = |cell: &Cell| cell.q.upper() > 0.0;
            return cells.into_iter().filter(finite).collect();
        }
    }
}

fn cells_between(points: &[(f64, Enclosure)], support: &Support) -> Vec<Cell> {
    let masses: Vec<(Enclosure, Enclosure)> = points
        .windows(2)
        .map(|ends| (Enclosure::point(ends[1].0) - ends[0].0, (ends[0].1 - ends[1].1).clamp(0.0, 1.0)))
        .collect();
    let loss = |i: usize| -(masses[i].1 / masses[i].0).ln();
    // An infinite loss within the last cells is excluded only if there is none at all.
    let largest = if support.infinite_mass.value().upper() > 0.0 { f64::INFINITY } else { support.largest };
    let cell = |i: usize| Cell {
        from: if i == 0 { support.smallest } else { loss(i - 1).lower().max(support.smallest) },
        to: if i + 1 == masses.len() { largest } else { loss(i + 1).upper().min(largest) },
        p: masses[i].0,
        q: masses[i].1,
    };
    (0..masses.len()).map(cell).collect()
}
