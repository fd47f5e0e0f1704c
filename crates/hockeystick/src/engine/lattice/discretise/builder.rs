//! A law on a lattice while it is being filled.

use super::{
    super::{
        grid::Grid,
        law::{LatticeLaw, Optimistic, Pessimistic},
        outcomes::{Atom, Outcomes},
    },
    cells::Cell,
    shares::upper_share,
};
use crate::pair::SharedPair;
use hockeystick_numerics::{ball::Ball, rounding::UNIT_ROUNDOFF};
use std::marker::PhantomData;

/// A pessimistic law that has less than this of P missing has all of it, but for rounding.
const WHOLE: f64 = 1e-9;

/// Masses so far, and the errors they were computed with.
pub(crate) struct Builder {
    grid: Grid,
    masses: Vec<f64>,
    /// Mass that fell off the upper end.
    above: f64,
    /// The largest relative error of a mass.
    error: f64,
    /// How far points must be moved to be beyond the losses that were put there.
    slip: f64,
    /// How far the loss of an edge may be from its point, rounding included.
    margin: f64,
}

impl Builder {
    pub(crate) fn new(grid: Grid, atoms: &[Atom]) -> Self {
        // Sums of a few positive terms, or of many atoms next to each other; products with shares.
        // (One that stands for several outcomes may be shared out to its own ends before.)
        let widest = atoms
            .iter()
            .filter(|atom| atom.is_wide())
            .fold(0.0, |most: f64, atom| most.max(atom.span.width()));
        let times = if widest > 0.0 { 2.0 } else { 1.0 };
        let error = (12.0 + times * crowd(atoms, 2.0 * (grid.spacing + widest))).max(16.0) * UNIT_ROUNDOFF;
        let reach = grid.near(grid.first).abs().max(grid.near(grid.last).abs());
        let margin = 8.0 * UNIT_ROUNDOFF * (reach + grid.spacing) + f64::MIN_POSITIVE;
        // The index of an atom is found by a division that is rounded.
        let slip = if atoms.is_empty() { 0.0 } else { margin };
        Self { grid, masses: vec![0.0; grid.len()], above: 0.0, error, slip, margin }
    }

    /// Adds mass at a point. Grids reach below all losses that are not cut off, so nothing is lost below the first point.
    #[inline]
    pub(crate) fn add(&mut self, index: i64, mass: f64) {
        if index > self.grid.last {
            self.above += mass;
        } else if index >= self.grid.first {
            self.masses[(index - self.grid.first) as usize] += mass;
        }
    }

    /// The mass at a point so far.
    pub(crate) fn mass(&self, index: i64) -> f64 {
        let place = usize::try_from(index - self.grid.first).unwrap_or(usize::MAX);
        self.masses.get(place).copied().unwrap_or(0.0)
    }

    /// Takes at most `wanted` away from a point; returns how much.
    pub(crate) fn take(&mut self, index: i64, wanted: f64) -> f64 {
        if !(self.grid.first..=self.grid.last).contains(&index) {
            return 0.0;
        }
        let mass = &mut self.masses[(index - self.grid.first) as usize];
        let taken = wanted.min(*mass).max(0.0);
        *mass -= taken;
        taken
    }

    /// Notes the relative error of a mass, and how far its loss is on the wrong side of its point.
    #[inline]
    pub(crate) fn note(&mut self, error: f64, slip: f64) {
        self.error = self.error.max(error);
        self.slip = self.slip.max(slip);
    }

    /// The largest relative error of a mass so far.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }

    /// Notes how far the losses of a cell may lie outside.
    #[inline]
    pub(crate) fn note_edges(&mut self, cell: &Cell) {
        self.margin = self.margin.max(cell.below).max(cell.above);
    }

    /// The losses between the cuts.
    fn within(&self) -> (f64, f64) {
        let Grid { first, last, is_cut_below, is_cut_above, .. } = self.grid;
        let low = if is_cut_below { self.grid.near(first) - self.margin } else { f64::NEG_INFINITY };
        let high = if is_cut_above { self.grid.near(last) - self.margin } else { f64::INFINITY };
        (low, high)
    }

    /// The atoms that are not beyond a cut.
    pub(crate) fn atoms_within<'a>(&self, atoms: &'a [Atom]) -> impl Iterator<Item = &'a Atom> + use<'a> {
        let (low, high) = self.within();
        atoms.iter().filter(move |atom| atom.span.upper() >= low && atom.span.lower() <= high)
    }

    /// Puts the others where it is safe: those below the first point there, of those above the last as much as leaves `Q`'s mass
    /// as it is. Returns how much goes to infinity.
    fn put_atoms_beyond(&mut self, atoms: &[Atom]) -> f64 {
        let (low, high) = self.within();
        let (point, end) = (self.grid.near(self.grid.last), self.masses.len() - 1);
        let (mut below, mut last, mut infinite) = (0.0, 0.0, 0.0);
        for atom in atoms {
            let (loss, p) = (atom.loss.upper(), atom.p.upper());
            if atom.span.upper() < low {
                below += p;
            } else if atom.span.lower() > high {
                let rounding = 4.0 * UNIT_ROUNDOFF * (point.abs() + self.grid.spacing + loss.abs());
                let share = upper_share(loss - point + rounding, 1.0);
                last += p * (1.0 - share);
                infinite += p * share;
            }
        }
        // As many terms as there may be atoms, of two roundings each.
        let up = 1.0 + (8.0 + atoms.len() as f64) * UNIT_ROUNDOFF;
        self.masses[0] += below * up;
        self.masses[end] += last * up;
        infinite * up
    }

    /// Moves all points up by the slip, and puts what is beyond the cuts where it is safe: of what is above the last point δ becomes
    /// infinite and the rest goes to that point; what is below the first goes to it. Tails are taken a margin within the cuts, so that
    /// nothing is left out between them and the outermost edges.
    pub(crate) fn pessimistic(
        mut self,
        pair: &SharedPair,
        outcomes: &Outcomes,
    ) -> Option<LatticeLaw<Pessimistic>> {
        let Grid { spacing, first, last, offset, is_cut_below, is_cut_above, .. } = self.grid;
        let mut infinite = pair.infinite_mass().value().upper();
        let end = self.masses.len() - 1;
        if outcomes.stretches.is_empty() {
            infinite += self.put_atoms_beyond(&outcomes.atoms);
        } else {
            if is_cut_above {
                let cut = self.grid.point(last) - Ball::from(2.0 * self.margin);
                let (tail, curve) = (pair.tails(cut).p.value().upper(), pair.delta(cut).value());
                infinite = curve.upper().max(infinite);
                self.masses[end] += (tail - curve.lower()).max(0.0) * (1.0 + 4.0 * UNIT_ROUNDOFF);
            }
            if is_cut_below {
                let cut = self.grid.point(first) + Ball::from(2.0 * self.margin);
                self.masses[0] += pair.tails(cut).p.complement().upper();
            }
        }
        for sliver in outcomes.stretches.iter().flat_map(|stretch| &stretch.slivers) {
            // One further up, for the index is found by a division that is rounded; what is no number goes to infinity.
            let index = self.grid.above(sliver.loss).saturating_add(1).max(first);
            if sliver.loss.is_finite() {
                self.add(index, sliver.p)
            } else {
                self.above += sliver.p
            };
        }
        // Cells that underflow, and what lies beyond the ends of stretches.
        let beyond: f64 = outcomes.stretches.iter().map(|stretch| stretch.beyond).sum();
        self.masses[end] += beyond * (1.0 + 1e-9) + self.masses.len() as f64 * f64::MIN_POSITIVE;
        infinite += (self.above + outcomes.missing) * (1.0 + 1e-9);
        let law = LatticeLaw {
            spacing,
            first,
            masses: self.masses,
            infinite: infinite.next_up().min(1.0),
            offset: offset + self.slip,
            error: self.error,
            side: PhantomData,
        };
        // Nothing of P may have been lost.
        let total = law.infinite + law.masses.chunks(64).map(|chunk| chunk.iter().sum::<f64>()).sum::<f64>();
        (law.is_sound() && total >= 1.0 - WHOLE - law.error).then_some(law)
    }

    /// Moves all points down by the slip. What is beyond the cuts is dropped; at least `infinite` is at infinity.
    pub(crate) fn optimistic(self, infinite: f64) -> Option<LatticeLaw<Optimistic>> {
        let law = LatticeLaw {
            spacing: self.grid.spacing,
            first: self.grid.first,
            masses: self.masses,
            infinite,
            offset: self.grid.offset - self.slip,
            error: self.error,
            side: PhantomData,
        };
        law.is_sound().then_some(law)
    }
}

/// The most atoms of a sorted list that are so close to each other, in losses; those of two cells next to each other may meet at a point.
fn crowd(atoms: &[Atom], width: f64) -> f64 {
    let (mut first, mut most) = (0, 0);
    for (last, atom) in atoms.iter().enumerate() {
        while atoms[first].loss.upper() < atom.loss.lower() - width * (1.0 + 1e-6) {
            first += 1;
        }
        most = most.max(last + 1 - first);
    }
    most as f64
}
