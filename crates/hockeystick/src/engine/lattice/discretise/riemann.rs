//! Riemann sums: the largest or the smallest density of the loss in a cell, times its length.

use super::{
    super::{
        law::{LatticeLaw, Optimistic, Pessimistic},
        outcomes::{Outcomes, Stretch},
    },
    cells::Cell,
    grid::Grid,
    rounded::{rounded_down, rounded_up},
};
use crate::pair::SharedPair;

/// Where in a cell the density is looked at, but for its ends.
const INSIDE: [f64; 3] = [0.25, 0.5, 0.75];

/// `Δ·max ω` of each cell at its upper point ([Koskela21, Sec. 6.3]); atoms go to the next point above, the right grid of
/// [Koskela21, Sec. 4.2].
///
/// # Guarantee
/// At least as much mass above every loss as under the pair, but for the relative error of the law: a cell never gets less than its
/// mass. The maximum itself is looked for in plain floats.
pub(in super::super) fn riemann_above(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Pessimistic>> {
    rounded_up(pair, outcomes, grid, |stretch, cell| {
        let largest = densities(stretch, cell).fold(0.0, f64::max);
        let sum = grid.spacing * largest;
        let is_larger = sum > cell.mass.p && sum.is_finite();
        if is_larger { sum } else { cell.mass.p }
    })
}

/// `Δ·min ω` of each cell at its lower point; atoms go to the next point below.
///
/// # Guarantee
/// At most as much mass above every loss as under the pair, but for the relative error of the law: a cell never gets more than its
/// mass.
pub(in super::super) fn riemann_below(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Optimistic>> {
    rounded_down(pair, outcomes, grid, |stretch, cell| {
        let smallest = densities(stretch, cell).fold(f64::INFINITY, f64::min);
        // In a cell that the stretch does not fill the density is 0 somewhere.
        let is_filled = cell.edges.0 != stretch.bottom && cell.edges.1 != stretch.top;
        let sum = if is_filled { grid.spacing * smallest } else { 0.0 };
        if sum < cell.mass.p { sum } else { cell.mass.p }
    })
}

/// The density of the loss at the ends of a cell and inside, in plain floats: `p(x)/|L′(x)|`.
fn densities(stretch: &Stretch, cell: &Cell) -> impl Iterator<Item = f64> {
    let (from, to) = cell.edges;
    let inside = INSIDE.map(|part| from + part * (to - from));
    [from, to].into_iter().chain(inside).map(|x| stretch.log_density(x).exp() / stretch.loss(x).slope.abs())
}
