//! Connect the dots: the best pessimistic law on a lattice.

use super::{
    super::{
        grid::Grid,
        law::{LatticeLaw, Pessimistic},
        outcomes::{Atom, Outcomes},
        tuning::{STRIDES, WIDTHS},
    },
    builder::Builder,
    cells::{Cell, cells},
    shares::upper_share,
};
use crate::pair::SharedPair;
use hockeystick_numerics::rounding::UNIT_ROUNDOFF;

/// The law whose curve joins the points `(e^{iΔ}, δ(iΔ))` by straight lines ([Doroshenko22, Alg. 1], with the erratum for
/// truncated grids): the curve is convex, so it lies below its chords.
///
/// A cell with mass `p` under `P` and `pe^{−λ}` under `Q` is put at its two points so that both masses are kept: `pθ` at the upper point with
/// `θ = (1 − e^{−(λ−x)})/(1 − e^{−Δ})`. No values of the curve are subtracted. Where outcomes contribute little, cells are wider: fewer dots,
/// longer chords.
///
/// # Guarantee
/// At least as much mass above every loss as a law whose δ is at least that of the pair, but for the relative error of the law.
/// An error of `λ` is covered by a larger `θ`, which moves mass up. Losses up to `s` below the lower point are raised to it, which raises `λ` by at
/// most `s`; if losses lie above the upper point, all points are moved up by as much.
pub(crate) fn connect_the_dots(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Pessimistic>> {
    // An atom at a point is not split.
    let grid = match outcomes.likeliest_atom() {
        Some(atom) if grid.is_coarse_for(atom.p.midpoint()) => grid.through(atom.loss.upper()),
        Some(_) | None => grid,
    };
    let mut law = Builder::new(grid, &outcomes.atoms);
    let dots = Dots::new(grid);
    for stretch in &outcomes.stretches {
        cells(stretch, grid, |cell| dots.put(&cell, &mut law));
    }
    for atom in law.atoms_within(&outcomes.atoms) {
        if atom.is_wide() {
            dots.put_several(atom, &mut law);
        } else {
            let loss = atom.loss.upper();
            dots.put_atom(loss, atom.p.upper(), grid.below(loss), &mut law);
        }
    }
    law.pessimistic(pair, outcomes)
}

/// Splits cells and atoms between their two points.
pub(crate) struct Dots {
    grid: Grid,
    /// `1 − e^{−d}` for cells of one spacing and of each width, rounded down.
    wholes: [f64; STRIDES + 1],
}

impl Dots {
    pub(crate) fn new(grid: Grid) -> Self {
        let whole = |width: i64| -(-grid.spacing * width as f64).exp_m1() * (1.0 - 6.0 * UNIT_ROUNDOFF);
        let wholes = std::array::from_fn(|i| whole(if i == 0 { 1 } else { WIDTHS[i - 1] }));
        Self { grid, wholes }
    }

    fn upper_share(&self, above: f64, width: i64) -> f64 {
        let whole = if width == 1 {
            self.wholes[0]
        } else if let Some(i) = WIDTHS.iter().position(|known| *known == width) {
            self.wholes[i + 1]
        } else {
            -(-self.grid.spacing * width as f64).exp_m1() * (1.0 - 6.0 * UNIT_ROUNDOFF)
        };
        upper_share(above, whole)
    }

    /// An outcome between the point with this index and the next.
    #[inline]
    fn put_atom(&self, loss: f64, p: f64, index: i64, law: &mut Builder) {
        let Self { grid, .. } = self;
        let point = grid.near(index);
        let rounding = 4.0 * UNIT_ROUNDOFF * (point.abs() + grid.spacing + loss.abs());
        let share = self.upper_share(loss - point + rounding, 1);
        // (An atom within round-off below the first point of a truncated grid goes there.)
        law.add(index.max(grid.first), p * (1.0 - share));
        law.add((index + 1).max(grid.first), p * share);
    }

    /// A merged atom. Between two points it is one outcome with the merged loss; otherwise it is first split between the ends of its range.
    #[inline]
    fn put_several(&self, atom: &Atom, law: &mut Builder) {
        let Self { grid, .. } = self;
        let (from, to) = (atom.span.lower(), atom.span.upper());
        let (p, loss) = (atom.p.upper(), atom.loss.upper());
        let rounding = 8.0 * UNIT_ROUNDOFF * (from.abs() + to.abs() + grid.spacing + grid.offset.abs());
        let index = grid.below(from - rounding);
        if to + rounding <= grid.near(index + 1) && grid.near(index) <= from {
            return self.put_atom(loss, p, index, law);
        }
        let whole = -(from - to).exp_m1() * (1.0 - 8.0 * UNIT_ROUNDOFF) - rounding;
        let share = if whole > 0.0 { upper_share(loss - from + rounding, whole) } else { 1.0 };
        self.put_atom(from, p * (1.0 - share), grid.below(from), law);
        self.put_atom(to, p * share, grid.below(to), law);
    }

    pub(crate) fn put(&self, cell: &Cell, law: &mut Builder) {
        let point = self.grid.near(cell.index);
        let slack = cell.mass.loss_error
            + cell.below
            + cell.above
            + 4.0 * UNIT_ROUNDOFF * (point.abs() + self.grid.spacing + cell.mass.loss.abs());
        let share = self.upper_share(cell.mass.loss - point + slack, cell.next - cell.index);
        law.note(cell.mass.error, cell.above);
        law.note_edges(cell);
        law.add(cell.index, cell.mass.p * (1.0 - share));
        law.add(cell.next, cell.mass.p * share);
    }
}
