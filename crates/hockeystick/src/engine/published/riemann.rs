//! Riemann sums: the largest or the smallest density of the loss in a cell, times its length.

use super::{
    buckets::{down_by_tails, up_by_tails},
    rounded::{rounded_down, rounded_up},
};
use crate::{
    engine::lattice::{
        Cell, Discretisation, Discretise, Gap, Grid, LatticeLaw, LooseAtoms, Optimistic, Outcomes,
        Pessimistic, Stretch,
    },
    pair::SharedPair,
};

/// Where the density is evaluated within a cell, besides its ends.
const INSIDE: [f64; 3] = [0.25, 0.5, 0.75];

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

    /// # Guarantee
    /// At least as much mass above every loss as under the pair, but for the relative error of the law: a cell never gets less than its
    /// mass. The maximum itself is sought in plain floats.
    fn above(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Pessimistic> {
        let mass = |stretch: &Stretch, cell: &Cell| {
            let largest = densities(stretch, cell).fold(0.0, f64::max);
            let sum = grid.spacing * largest;
            let is_larger = sum > cell.mass.p && sum.is_finite();
            if is_larger { sum } else { cell.mass.p }
        };
        let by_outcomes = outcomes.and_then(|outcomes| rounded_up(pair, outcomes, grid, mass));
        by_outcomes.unwrap_or_else(|| up_by_tails(pair, grid))
    }

    /// # Guarantee
    /// At most as much mass above every loss as under the pair, but for the relative error of the law: a cell never gets more than its
    /// mass.
    fn below(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Optimistic> {
        let mass = |stretch: &Stretch, cell: &Cell| {
            let smallest = densities(stretch, cell).fold(f64::INFINITY, f64::min);
            // In a cell that the stretch does not fill the minimum is 0.
            let is_filled = cell.edges.0 != stretch.bottom && cell.edges.1 != stretch.top;
            let sum = if is_filled { grid.spacing * smallest } else { 0.0 };
            if sum < cell.mass.p { sum } else { cell.mass.p }
        };
        let by_outcomes = outcomes.and_then(|outcomes| rounded_down(pair, outcomes, grid, mass));
        by_outcomes.unwrap_or_else(|| down_by_tails(pair, grid))
    }
}

/// The density of the loss at the ends of a cell and inside, in plain floats: `p(x)/|L′(x)|`.
fn densities(stretch: &Stretch, cell: &Cell) -> impl Iterator<Item = f64> {
    let (from, to) = cell.edges;
    let inside = INSIDE.map(|part| from + part * (to - from));
    [from, to].into_iter().chain(inside).map(|x| stretch.log_density(x).exp() / stretch.loss(x).slope.abs())
}
