//! A part as a list of outcomes: atoms, and cells of densities.

use super::super::{
    grid::LossRange,
    outcomes::{Mass, Outcomes, Stretch},
    tuning::TUNING,
};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{EXP_ERROR_UNITS, exp, ln, quick},
    vectorised::vectorised,
};

/// Outcomes less likely than this under `P` are dropped, and masses under `Q` are raised to it, so that products do not underflow. Both lower δ.
pub(crate) const TINY: f64 = 1e-250;

/// An outcome, or several that were merged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) p: f64,
    pub(crate) q: f64,
    /// `log(p/q)`, rounded.
    pub(crate) loss: f64,
}

/// Outcomes of one use, possibly not all.
///
/// # Guarantee
/// Each entry is a set of outcomes of the part, and the sets are disjoint. Masses under `P` and `Q` have at most the relative error; the mass under
/// `Q` may also be too large.
#[derive(Clone, Debug)]
pub(crate) struct OutcomeList {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) error: f64,
}

impl OutcomeList {
    pub(crate) fn of(outcomes: &Outcomes, range: &LossRange, spacing: f64) -> Self {
        let mut list = Self { outcomes: Vec::new(), error: 0.0 };
        // (Without atoms whose mass may be 0.)
        for atom in outcomes.atoms.iter().filter(|atom| atom.p.lower() >= 0.5 * atom.p.upper()) {
            let p = atom.p.midpoint();
            let mass = Mass {
                p,
                error: atom.p.width() / p + UNIT_ROUNDOFF,
                loss: atom.loss.midpoint(),
                loss_error: atom.loss.width(),
            };
            list.add(mass);
        }
        for stretch in &outcomes.stretches {
            Cells::of(stretch, range, spacing).masses(|mass| list.add(mass));
        }
        list
    }

    /// An estimate of the number of entries.
    pub(crate) fn count(outcomes: &Outcomes, range: &LossRange, spacing: f64) -> f64 {
        let cells = |stretch: &Stretch| Cells::of(stretch, range, spacing).count + 2.0;
        outcomes.atoms.len() as f64 + outcomes.stretches.iter().map(cells).sum::<f64>()
    }

    fn add(&mut self, mass: Mass) {
        let Mass { p, error, loss, loss_error } = mass;
        let q = (p * exp(-loss)).max(TINY);
        let own = error + loss_error + (EXP_ERROR_UNITS + 4.0) * UNIT_ROUNDOFF;
        // (False for NaN.)
        let is_usable = p >= TINY && q <= 2.0 && loss.is_finite() && own.is_finite();
        if !is_usable {
            return;
        }
        self.error = self.error.max(own * (1.0 + 1e-3));
        self.outcomes.push(Outcome { p, q, loss });
    }

    /// The law under a tilt, in plain floats.
    pub(crate) fn tilted(&self, tilt: f64) -> Tilted {
        if self.outcomes.is_empty() {
            return Tilted { log_moment: f64::NEG_INFINITY, entropy: 0.0, variance: 0.0 };
        }
        let exponents: Vec<f64> =
            self.outcomes.iter().map(|one| quick::ln(one.p) + tilt * one.loss).collect();
        let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut weights = exponents.clone();
        vectorised(
            #[inline(always)]
            || weights.iter_mut().for_each(|weight| *weight = quick::exp(*weight - largest)),
        );
        let sum: f64 = weights.iter().sum();
        let log_moment = largest + ln(sum);
        let (mut middle, mut mean_exponent) = (0.0, 0.0);
        for ((weight, exponent), one) in weights.iter().zip(&exponents).zip(&self.outcomes) {
            middle += weight / sum * one.loss;
            mean_exponent += weight / sum * exponent;
        }
        let squares =
            weights.iter().zip(&self.outcomes).map(|(weight, one)| weight * (one.loss - middle).powi(2));
        Tilted { log_moment, entropy: log_moment - mean_exponent, variance: squares.sum::<f64>() / sum }
    }
}

/// Moments of a tilted law.
pub(crate) struct Tilted {
    /// `log E e^{cL}`.
    pub(crate) log_moment: f64,
    pub(crate) entropy: f64,
    pub(crate) variance: f64,
}

/// A stretch and its cells.
struct Cells<'a> {
    stretch: &'a Stretch,
    lowest: f64,
    highest: f64,
    /// The number of cells between these losses.
    count: f64,
    /// Are there outcomes below and above?
    is_cut: [bool; 2],
}

impl<'a> Cells<'a> {
    /// The width follows from the variance that may be lost: `d²/12` for cells of width d.
    fn of(stretch: &'a Stretch, range: &LossRange, spacing: f64) -> Self {
        let end = |outcome: f64| stretch.loss(outcome).value;
        let (bottom, top) = (end(stretch.bottom), end(stretch.top));
        let lowest = bottom.max(range.bottom);
        let highest = top.min(range.top).max(lowest);
        let mass = stretch.mass(stretch.bottom, stretch.top).p;
        let width = spacing * (12.0 * TUNING.lost_variance / mass.max(1e-12)).sqrt();
        let count = ((highest - lowest) / width).ceil().clamp(1.0, TUNING.most_cells);
        Self { stretch, lowest, highest, count, is_cut: [bottom < lowest, top > highest] }
    }

    /// Calls `each` with every cell. Edges need not be at exact losses; cells must be disjoint and within the stretch, so edges are monotone.
    fn masses(&self, mut each: impl FnMut(Mass)) {
        let Self { stretch, lowest, highest, count, is_cut } = *self;
        let (start, end) = (stretch.bottom, stretch.top);
        let width = (highest - lowest) / count;
        let mut edge = start;
        for i in u32::from(!is_cut[0])..count as u32 + u32::from(is_cut[1]) {
            let target = lowest + width * f64::from(i);
            let slope = stretch.loss(edge).slope;
            let guess = edge + (target - stretch.loss(edge).value) / slope;
            let (found, _) = stretch.outcome(target, guess, 0.02 * width);
            let next = if (found - edge) * (end - start) > 0.0 { found } else { edge };
            if next != edge {
                each(stretch.mass(edge, next));
            }
            edge = next;
        }
        if edge != end {
            each(stretch.mass(edge, end));
        }
    }
}
