//! Laws that round every outcome up, or down, to a point of the grid.

use crate::{
    engine::lattice::{Builder, Cell, Grid, LatticeLaw, Optimistic, Outcomes, Pessimistic, Stretch, cells},
    pair::SharedPair,
};

/// Every cell goes to its upper point with the mass that `mass` gives it, and every atom to the next point above; what is above the
/// last point becomes infinite.
///
/// # Guarantee
/// At least as much mass above every loss as under the pair, but for the relative error of the law, if no cell gets less than its
/// mass.
pub(super) fn rounded_up(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
    mass: impl Fn(&Stretch, &Cell) -> f64,
) -> Option<LatticeLaw<Pessimistic>> {
    let mut law = Builder::new(grid, &outcomes.atoms);
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| {
            law.note(cell.mass.error, cell.above);
            law.note_edges(&cell);
            law.add(cell.index + 1, mass(stretch, &cell));
        });
    }
    for atom in law.atoms_within(&outcomes.atoms) {
        law.add(grid.above(atom.span.upper()), atom.p.upper());
    }
    law.pessimistic(pair, outcomes)
}

/// Every cell goes to its lower point with the mass that `mass` gives it, and every atom to the next point below; what is below the
/// first point is dropped, and so is what lies above the last.
///
/// # Guarantee
/// At most as much mass above every loss as under the pair, but for the relative error of the law, if no cell gets more than its
/// mass.
pub(super) fn rounded_down(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
    mass: impl Fn(&Stretch, &Cell) -> f64,
) -> Option<LatticeLaw<Optimistic>> {
    let mut law = Builder::new(grid, &outcomes.atoms);
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| {
            law.note(cell.mass.error, cell.below);
            law.note_edges(&cell);
            law.add(cell.index, mass(stretch, &cell));
        });
    }
    for atom in law.atoms_within(&outcomes.atoms) {
        law.add(grid.below(atom.loss.lower()), atom.p.lower());
    }
    law.optimistic(pair.infinite_mass().value().lower())
}

/// Both at once, from the same cells: `masses` gives what goes up, and what goes down.
///
/// # Guarantee
/// That of [`rounded_up`] and of [`rounded_down`].
pub(super) fn rounded_both(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
    masses: impl Fn(&Stretch, &Cell) -> [f64; 2],
) -> Option<(LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>)> {
    let (mut up, mut down) = (Builder::new(grid, &outcomes.atoms), Builder::new(grid, &outcomes.atoms));
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| {
            up.note(cell.mass.error, cell.above);
            down.note(cell.mass.error, cell.below);
            up.note_edges(&cell);
            down.note_edges(&cell);
            let [above, below] = masses(stretch, &cell);
            up.add(cell.index + 1, above);
            down.add(cell.index, below);
        });
    }
    for atom in up.atoms_within(&outcomes.atoms) {
        up.add(grid.above(atom.span.upper()), atom.p.upper());
    }
    for atom in down.atoms_within(&outcomes.atoms) {
        down.add(grid.below(atom.loss.lower()), atom.p.lower());
    }
    Some((up.pessimistic(pair, outcomes)?, down.optimistic(pair.infinite_mass().value().lower())?))
}
