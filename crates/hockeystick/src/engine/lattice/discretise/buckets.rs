//! Privacy buckets: every loss is rounded to the next point of the lattice.

use super::{
    super::{
        law::{LatticeLaw, Optimistic, Pessimistic},
        outcomes::Outcomes,
    },
    builder::Builder,
    cells::cells,
    grid::Grid,
};
use crate::pair::SharedPair;

/// Every loss is rounded up; what is above the last point becomes infinite ([Doroshenko22, Sec. 4.1]). For discrete losses it is
/// the right grid of [Koskela21, Sec. 4.2].
///
/// # Guarantee
/// At least as much mass above every loss as under the pair, but for the relative error of the law.
pub(in super::super) fn buckets_up(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Pessimistic>> {
    let mut law = Builder::new(grid, &outcomes.atoms);
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| {
            law.note(cell.mass.error, cell.above);
            law.note_edges(&cell);
            law.add(cell.index + 1, cell.mass.p);
        });
    }
    for atom in law.atoms_within(&outcomes.atoms) {
        law.add(grid.above(atom.loss.upper()), atom.p.upper());
    }
    law.pessimistic(pair, outcomes)
}

/// Every loss is rounded down; what is below the first point is dropped, and so is what lies above the last. For discrete
/// losses it is the left grid of [Koskela21, Sec. 4.2].
///
/// # Guarantee
/// At most as much mass above every loss as under the pair, but for the relative error of the law.
pub(in super::super) fn buckets_down(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Optimistic>> {
    let mut law = Builder::new(grid, &outcomes.atoms);
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| {
            law.note(cell.mass.error, cell.below);
            law.note_edges(&cell);
            law.add(cell.index, cell.mass.p);
        });
    }
    for atom in law.atoms_within(&outcomes.atoms) {
        law.add(grid.below(atom.loss.lower()), atom.p.lower());
    }
    law.optimistic(pair)
}
