//! The law of `W = dP/dQ` under Q in cells: two laws with finitely many values, one above and one below it.
//!
//! A cell is an interval of losses. Its mass q is `Q(cell)`, its mean of W is `P(cell)/Q(cell)`. A law with the mean of each cell in place of the cell is
//! below that of W in the convex order (Jensen), one with the ends of each cell, in shares that keep the mean, is above it. Whatever is not exact is
//! moved to the side on which a monotone function proves it.

use super::line::{Atoms, Side};
use crate::pair::SharedPair;
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    probability::Probability,
    rounding::{add_down, div_down, div_up, mul_down, mul_up, sub_down, sub_up},
};

/// The end of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The loss: −∞ for W = 0.
    pub(super) loss: f64,
    /// W.
    pub(super) ratio: Enclosure,
    /// Beyond it, under P and under Q.
    pub(super) p: Probability,
    pub(super) q: Probability,
}

impl Edge {
    /// W = 0, which everything is beyond.
    pub(super) fn zero() -> Self {
        let all = Probability::ZERO.opposite();
        Self { loss: f64::NEG_INFINITY, ratio: Enclosure::ZERO, p: all, q: all }
    }

    pub(super) fn at(base: &SharedPair, loss: f64) -> Self {
        let tails = base.tails(Ball::from(loss));
        Self { loss, ratio: Enclosure::point(loss).exp(), p: tails.p, q: tails.q }
    }
}

/// Whether the hinge is `(S − b)₊`, which rises with W, or `(b − S)₊`, which falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Tail {
    Right,
    Left,
}

/// Between two edges, by whichever of tails and complements is more exact.
pub(super) fn between(from: Probability, to: Probability) -> Enclosure {
    let by_tails = from.value() - to.value();
    let by_complements = to.complement() - from.complement();
    by_tails.intersection(by_complements).clamp(0.0, 1.0)
}

/// In plain numbers: mass and mean of each cell.
pub(super) fn sketch(edges: &[Edge]) -> Vec<(f64, f64)> {
    edges
        .windows(2)
        .map(|ends| {
            let (p, q) = (between(ends[0].p, ends[1].p), between(ends[0].q, ends[1].q));
            let (low, high) = (ends[0].ratio.lower(), ends[1].ratio.upper());
            let mean = p.midpoint() / q.midpoint();
            (q.midpoint(), if mean.is_finite() { mean.clamp(low, high) } else { 0.5 * (low + high) })
        })
        .collect()
}

/// The law of `(W − b)/t`, or of `(b − W)/t`, for W up to the last edge: one whose hinges are all at least, or all at most, those of the truth.
///
/// # Guarantee
/// Let f be convex, not negative, and increasing (right) or decreasing (left), and a sum over t independent values of the restricted measure. Its
/// integral is at most that over the law above, and at least that over the law below.
///
/// Proof. Masses are differences of tails that err to the same side at every edge, so that the law they make is larger in the stochastic order
/// than that of the cells; at the last edge, where the measure ends, to the side on which there is more of it (or less). Means err likewise. Shares
/// at the ends err towards the larger end. Values are rounded upwards. Each of it only raises integrals of an increasing function; the others are its mirror images.
pub(super) fn law(edges: &[Edge], tail: Tail, side: Side, threshold: Enclosure, steps: f64) -> Atoms {
    let is_right = tail == Tail::Right;
    let is_above = side == Side::Above;
    // Should W err to larger values?
    let larger = is_right == is_above;
    let masses = Masses::of(edges, larger, is_right);
    let value = |ratio: Enclosure| {
        let w = if larger { ratio.upper() } else { ratio.lower() };
        match (is_right, is_above) {
            (true, true) => div_up(sub_up(w, threshold.lower()), steps),
            (true, false) => div_down(sub_down(w, threshold.upper()), steps),
            (false, true) => div_up(sub_up(threshold.upper(), w), steps),
            (false, false) => div_down(sub_down(threshold.lower(), w), steps),
        }
    };
    let mut atoms = Atoms { absolute: masses.absolute, ..Atoms::default() };
    let mut carried = 0.0;
    for (cell, ends) in edges.windows(2).enumerate() {
        let (low, high) = (ends[0].ratio, ends[1].ratio);
        let mass = masses.cells[cell];
        let (p, q) = (between(ends[0].p, ends[1].p), between(ends[0].q, ends[1].q));
        let quotient = if q.lower() > 0.0 { p / q } else { Enclosure::ENTIRE };
        let mean = quotient.clamp(low.lower(), high.upper());
        let at = if larger { mean.upper() } else { mean.lower() };
        if cell == masses.switch {
            // Of all values in the cell the one whose weight may be largest is as good as any.
            atoms.at = value(if is_right { high } else { low }).max(value(if is_right { low } else { high }));
        }
        if !is_above {
            if mass > 0.0 {
                atoms.values.push(value(Enclosure::point(at)));
                atoms.masses.push(mass);
            }
            continue;
        }
        let share = share_of_upper_end(at, low, high, larger);
        let upper = if larger { mul_up(share, mass).min(mass) } else { mul_down(share, mass) };
        let here = carried + (mass - upper);
        if here > 0.0 {
            atoms.values.push(value(low));
            atoms.masses.push(here);
        }
        carried = upper;
    }
    if is_above && carried > 0.0 {
        atoms.values.push(value(edges[edges.len() - 1].ratio));
        atoms.masses.push(carried);
    }
    atoms
}

/// How much of a mass at `at` stands at the upper end of its cell so that the mean stays, or errs to larger or to smaller values. Of a cell without a width that
/// is known, all of it is where W errs to: beyond every value in the cell.
fn share_of_upper_end(at: f64, low: Enclosure, high: Enclosure, larger: bool) -> f64 {
    let (farther, width) = if larger {
        (sub_up(at, low.lower()), sub_down(high.lower(), low.lower()))
    } else {
        (sub_down(at, low.upper()), sub_up(high.upper(), low.upper()))
    };
    if width.is_nan() || width <= 0.0 {
        return if larger { 1.0 } else { 0.0 };
    }
    let share = if larger { div_up(farther.max(0.0), width) } else { div_down(farther.max(0.0), width) };
    share.clamp(0.0, 1.0)
}

/// Masses of cells from tails that err to one side.
struct Masses {
    cells: Vec<f64>,
    /// The cell between the last edge known by its complement and the first known by its tail, and what its mass may be off beside a rounding.
    switch: usize,
    absolute: f64,
}

impl Masses {
    fn of(edges: &[Edge], larger: bool, is_right: bool) -> Self {
        let last = edges.len() - 1;
        // Left of the switch by what is not beyond, right of it by what is.
        let switch = edges.iter().position(|edge| edge.q.value().midpoint() <= 0.5).unwrap_or(edges.len());
        let below =
            |edge: &Edge| if larger { edge.q.complement().lower() } else { edge.q.complement().upper() };
        let beyond = |edge: &Edge| if larger { edge.q.value().upper() } else { edge.q.value().lower() };
        let mut low: Vec<f64> = edges[..switch].iter().map(below).collect();
        let mut high: Vec<f64> = edges[switch..].iter().map(beyond).collect();
        // The measure ends at the last edge: a law above has as much of it as there may be, one below as little.
        let more = larger == is_right;
        match high.last_mut() {
            Some(end) => {
                let q = edges[last].q.value();
                *end = if more { q.lower() } else { q.upper() };
            }
            None => {
                let q = edges[last].q.complement();
                low[last] = if more { q.upper() } else { q.lower() };
            }
        }
        if larger {
            low.iter_mut().rev().fold(f64::INFINITY, lower_to);
            high.iter_mut().rev().fold(0.0, raise_to);
        } else if more {
            low.iter_mut().fold(0.0, raise_to);
            high.iter_mut().fold(f64::INFINITY, lower_to);
        } else {
            // No edge is beyond the last: what is there ends at it.
            let end = high.last().or(low.last()).copied().unwrap_or(0.0);
            if high.is_empty() {
                low[..last].iter_mut().fold(0.0, raise_to);
                low.iter_mut().for_each(|value| *value = value.min(end));
            } else {
                low.iter_mut().fold(0.0, raise_to);
                high[..last - switch].iter_mut().fold(f64::INFINITY, lower_to);
                high.iter_mut().for_each(|value| *value = value.max(end));
            }
        }
        let at = |edge: usize| if edge < switch { (low[edge], true) } else { (high[edge - switch], false) };
        let cells = (0..last)
            .map(|cell| match (at(cell), at(cell + 1)) {
                ((from, true), (to, true)) => to - from,
                ((from, false), (to, false)) => from - to,
                ((from, true), (to, false)) => (1.0 - from) - to,
                ((_, false), (_, true)) => 0.0,
            })
            .map(|mass: f64| mass.max(0.0))
            .collect();
        // Two roundings of numbers up to 1, and what is missing to 0 if tail and complement disagree.
        let absolute = match switch {
            1.. if switch <= last => {
                let disagree = add_down(low[switch - 1], high[0]) - 1.0;
                4.0 * f64::EPSILON + disagree.max(0.0) * 2.0
            }
            _ => 0.0,
        };
        Self { cells, switch: switch.wrapping_sub(1), absolute }
    }
}

fn raise_to(least: f64, value: &mut f64) -> f64 {
    *value = value.max(least);
    *value
}

fn lower_to(most: f64, value: &mut f64) -> f64 {
    *value = value.min(most);
    *value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quotient of no width was no number, and the mass of the cell and of all that follow was lost from the law above.
    #[test]
    fn a_cell_without_width_keeps_its_mass() {
        let point = Enclosure::point(1.0);
        let crossed = Enclosure::point(0.5);
        for larger in [true, false] {
            let beyond = if larger { 1.0 } else { 0.0 };
            assert_eq!(share_of_upper_end(1.0, point, point, larger), beyond);
            assert_eq!(share_of_upper_end(1.0, point, crossed, larger), beyond);
            let half = share_of_upper_end(0.75, crossed, point, larger);
            assert!((half - 0.5).abs() < 1e-15 && (half >= 0.5) == larger || half == 0.5, "{half}");
        }
    }
}
