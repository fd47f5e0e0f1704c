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
/// In the law that is to put all outcomes of a cell, of mass `p` under `P` and `pe^{−λ}` under `Q`, at the two points of the lattice next
/// to it in such a way that neither mass changes: at the upper point `pθ` with `θ = (1 − e^{−(λ−x)})/(1 − e^{−Δ})`. No difference
/// of values of the curve is taken. Where little depends on it, some points are left out: fewer dots, longer chords.
///
/// # Guarantee
/// At least as much mass above every loss as a law whose δ is at least that of the pair, but for the relative error of the law.
/// An error of `λ` is proven away by a larger `θ`, which moves mass up. Losses that lie below the lower point, by `s` at most, are raised to
/// it, and that raises `λ` by `s` at most; if some lie above the upper point, all points are moved up by as much.
pub(crate) fn connect_the_dots(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Pessimistic>> {
    // An atom on the lattice stays whole.
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

/// Puts cells at the points next to them.
pub(crate) struct Dots {
    grid: Grid,
    /// How much of a cell is above its lower point, for one spacing and for each width: a little less.
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
        // (An atom that is a rounding below the first point of a cut grid goes there.)
        law.add(index.max(grid.first), p * (1.0 - share));
        law.add((index + 1).max(grid.first), p * share);
    }

    /// Several outcomes. Between two points they are as good as one with their common loss; if not, they are first put at the ends of their own
    /// range, as a cell is put at its points.
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
