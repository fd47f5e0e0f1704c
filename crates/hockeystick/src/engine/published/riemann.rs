//! Riemann sums: the largest or the smallest density of the loss in a cell, times its length.

use super::{
    buckets::{down_by_tails, up_by_tails},
    rounded::{rounded_both, rounded_down, rounded_up},
};
use crate::{
    engine::lattice::{
        Cell, Discretisation, Discretise, Gap, Grid, LatticeLaw, LooseAtoms, Optimistic, Outcomes,
        Pessimistic, Stretch,
    },
    pair::SharedPair,
};
use std::cell::Cell as Memo;

/// The largest and the smallest density of each cell ([Koskela21, Sec. 6.3]): errors of the order of the spacing, and masses that
/// do not add up to 1. Atoms as with buckets.
pub const RIEMANN: Discretisation = Discretisation::new(&Riemann);

/// `Δ·max ω` of each cell at its upper point, and `Δ·min ω` at its lower point ([Koskela21, Sec. 6.3]). Atoms are rounded up and down, to
/// the right and the left grid of [Koskela21, Sec. 4.2]; so is everything where a pair shows no densities.
#[derive(Debug)]
struct Riemann;

impl Discretise for Riemann {
    fn name(&self) -> &'static str {
        "riemann"
    }

    /// About that of buckets: the larger of two neighbouring densities adds as much again.
    fn gap(&self, uses: f64, _atoms: LooseAtoms, c: f64) -> Gap {
        Gap { linear: c * uses, square: 0.0 }
    }

    /// The largest density of a cell is above its mean by half of what it varies by, and the smallest below: together `Δ` times twice the peak of
    /// a density with one mode, about `0.8/σ`.
    fn per_density(&self) -> f64 {
        0.8
    }

    /// # Guarantee
    /// At least as much mass above every loss as under the pair, but for the relative error of the law: a cell never gets less than its
    /// mass. The maximum itself is sought in plain floats.
    fn above(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Pessimistic> {
        let densities = Densities::default();
        let mass = |stretch: &Stretch, cell: &Cell| densities.masses(stretch, cell, grid)[0];
        let by_outcomes = outcomes.and_then(|outcomes| rounded_up(pair, outcomes, grid, mass));
        by_outcomes.unwrap_or_else(|| up_by_tails(pair, grid))
    }

    /// # Guarantee
    /// At most as much mass above every loss as under the pair, but for the relative error of the law: a cell never gets more than its
    /// mass.
    fn below(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Optimistic> {
        let densities = Densities::default();
        let mass = |stretch: &Stretch, cell: &Cell| densities.masses(stretch, cell, grid)[1];
        let by_outcomes = outcomes.and_then(|outcomes| rounded_down(pair, outcomes, grid, mass));
        by_outcomes.unwrap_or_else(|| down_by_tails(pair, grid))
    }

    fn both(
        &self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> (LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>) {
        let densities = Densities::default();
        let masses = |stretch: &Stretch, cell: &Cell| densities.masses(stretch, cell, grid);
        let by_outcomes = outcomes.and_then(|outcomes| rounded_both(pair, outcomes, grid, masses));
        by_outcomes.unwrap_or_else(|| (up_by_tails(pair, grid), down_by_tails(pair, grid)))
    }
}

/// The density of the loss at the ends of cells, in plain floats: `p(x)/|L′(x)|`. The end of a cell is the start of the next.
#[derive(Debug, Default)]
struct Densities {
    /// The last outcome, and its density.
    last: Memo<Option<(f64, f64)>>,
}

impl Densities {
    /// `Δ` times the larger density, at least the mass of the cell; and `Δ` times the smaller one, at most that mass. (A density that has its
    /// peak inside of a cell is larger there; what is proven rests on the mass.)
    fn masses(&self, stretch: &Stretch, cell: &Cell, grid: Grid) -> [f64; 2] {
        let (from, to) = cell.edges;
        let at = |x: f64| stretch.log_density(x).exp() / stretch.loss(x).slope.abs();
        let before = self.last.get().filter(|(x, _)| *x == from).map_or_else(|| at(from), |(_, known)| known);
        let after = at(to);
        self.last.set(Some((to, after)));
        let largest = grid.spacing * before.max(after);
        let is_larger = largest > cell.mass.p && largest.is_finite();
        // In a cell that the stretch does not fill the minimum is 0.
        let is_filled = from != stretch.bottom && to != stretch.top;
        let smallest = if is_filled { grid.spacing * before.min(after) } else { 0.0 };
        let is_smaller = smallest < cell.mass.p;
        [if is_larger { largest } else { cell.mass.p }, if is_smaller { smallest } else { cell.mass.p }]
    }
}
