//! A part as few outcomes: its atoms, and its densities in wide cells.

use super::super::{
    outcomes::{Mass, Outcomes, Stretch},
    plan::Range,
};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{EXP_ERROR_UNITS, exp, ln},
};

/// Outcomes that are less likely than this under `P` are left out, and under `Q` all are at least as likely: what has underflowed in a product
/// is nothing beside it. Either makes δ smaller.
pub(super) const TINY: f64 = 1e-250;
/// The variance that cells may take away from one use, in squared spacings.
pub(super) const LOST_IN_CELLS: f64 = 0.02;
/// The most cells of a stretch.
const MOST_CELLS: f64 = 16384.0;
/// The part of the mass of a cell that may be at an end of its stretch that is not known exactly.
const MOST_AT_END: f64 = 1e-10;

/// An outcome, or several that were merged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) p: f64,
    pub(super) q: f64,
    /// About `log(p/q)`.
    pub(super) loss: f64,
}

/// Outcomes of one use, of which some may be missing.
///
/// # Guarantee
/// Merging, and leaving out, is all that was done: each is a set of outcomes of the part, no two share any, and the masses of the set under
/// `P` and `Q` are off by at most the relative error; that under `Q` may also be too large.
#[derive(Clone, Debug)]
pub(super) struct Few {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) error: f64,
}

impl Few {
    pub(super) fn of(outcomes: &Outcomes, range: &Range, spacing: f64) -> Self {
        let mut few = Self { outcomes: Vec::new(), error: 0.0 };
        for atom in &outcomes.atoms {
            let p = atom.p.midpoint();
            let mass = Mass {
                p,
                error: atom.p.width() / p + UNIT_ROUNDOFF,
                loss: atom.loss.midpoint(),
                loss_error: atom.loss.width(),
            };
            few.add(mass, [0.0; 2]);
        }
        for stretch in &outcomes.stretches {
            Cells::of(stretch, range, spacing).masses(|mass, at_end| few.add(mass, at_end));
        }
        few
    }

    /// About how many there will be.
    pub(super) fn count(outcomes: &Outcomes, range: &Range, spacing: f64) -> f64 {
        let cells = |stretch: &Stretch| Cells::of(stretch, range, spacing).count + 2.0;
        outcomes.atoms.len() as f64 + outcomes.stretches.iter().map(cells).sum::<f64>()
    }

    /// `at_end` is how much of it, under P and Q, may not belong to it.
    fn add(&mut self, mass: Mass, at_end: [f64; 2]) {
        let Mass { p, error, loss, loss_error } = mass;
        let q = (p * exp(-loss)).max(TINY);
        // (Nothing here is true of what is no number.)
        let at_end = (at_end[0] / p).max(at_end[1] / q);
        let own = error + loss_error + at_end + (EXP_ERROR_UNITS + 4.0) * UNIT_ROUNDOFF;
        let is_usable = p >= TINY && q <= 2.0 && at_end <= MOST_AT_END && loss.is_finite() && own.is_finite();
        if !is_usable {
            return;
        }
        self.error = self.error.max(own * (1.0 + 1e-3));
        self.outcomes.push(Outcome { p, q, loss });
    }

    /// The law under a tilt, in plain floats.
    pub(super) fn tilted(&self, tilt: f64) -> Tilted {
        let exponent = |one: &Outcome| ln(one.p) + tilt * one.loss;
        let largest = self.outcomes.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
        let weight = |one: &Outcome| exp(exponent(one) - largest);
        let sum: f64 = self.outcomes.iter().map(weight).sum();
        let log_moment = largest + ln(sum);
        let mean = |f: &dyn Fn(&Outcome) -> f64| -> f64 {
            self.outcomes.iter().map(|one| weight(one) / sum * f(one)).sum()
        };
        let middle = mean(&|one| one.loss);
        Tilted {
            log_moment,
            entropy: mean(&|one| log_moment - exponent(one)),
            variance: mean(&|one| (one.loss - middle).powi(2)),
        }
    }
}

/// What is known of a law under a tilt.
pub(super) struct Tilted {
    /// `log E e^{cL}`.
    pub(super) log_moment: f64,
    pub(super) entropy: f64,
    pub(super) variance: f64,
}

/// A stretch that is to be cut into cells.
struct Cells<'a> {
    stretch: &'a Stretch,
    lowest: f64,
    highest: f64,
    /// How many cells there are between these.
    count: f64,
    /// Is there anything below, and above?
    is_cut: [bool; 2],
}

impl<'a> Cells<'a> {
    /// Cells of a width d take `d²/12` of the variance of their outcomes.
    fn of(stretch: &'a Stretch, range: &Range, spacing: f64) -> Self {
        let end = |outcome: f64| stretch.loss(outcome).value;
        let (bottom, top) = (end(stretch.bottom), end(stretch.top));
        let lowest = bottom.max(range.bottom);
        let highest = top.min(range.top).max(lowest);
        let mass = stretch.mass(stretch.bottom, stretch.top).p;
        let width = spacing * (12.0 * LOST_IN_CELLS / mass.max(1e-12)).sqrt();
        let count = ((highest - lowest) / width).ceil().clamp(1.0, MOST_CELLS);
        Self { stretch, lowest, highest, count, is_cut: [bottom < lowest, top > highest] }
    }

    /// Calls `each` with every cell and how much of it may lie beyond the true end of the stretch. Which losses an edge has is of no
    /// matter, only that cells are disjoint: edges never go back.
    fn masses(&self, mut each: impl FnMut(Mass, [f64; 2])) {
        let Self { stretch, lowest, highest, count, is_cut } = *self;
        let (start, end) = (stretch.bottom, stretch.top);
        let width = (highest - lowest) / count;
        let mut edge = start;
        // An end is as good as exact, and so is its loss.
        let beyond = |is_end: bool, end: f64| {
            if is_end { 2.0 * stretch.beyond * exp(-stretch.loss(end).value) } else { 0.0 }
        };
        let mut cell = |edge: f64, next: f64| {
            let (is_start, is_end) = (edge == start, next == end);
            let under_p = if is_start || is_end { 2.0 * stretch.beyond } else { 0.0 };
            each(stretch.mass(edge, next), [under_p, beyond(is_start, start).max(beyond(is_end, end))]);
        };
        for i in u32::from(!is_cut[0])..count as u32 + u32::from(is_cut[1]) {
            let target = lowest + width * f64::from(i);
            let slope = stretch.loss(edge).slope;
            let guess = edge + (target - stretch.loss(edge).value) / slope;
            let (found, _) = stretch.outcome(target, guess, 0.02 * width);
            let next = if (found - edge) * (end - start) > 0.0 { found } else { edge };
            if next != edge {
                cell(edge, next);
            }
            edge = next;
        }
        if edge != end {
            cell(edge, end);
        }
    }
}
