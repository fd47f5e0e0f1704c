//! Accumulates the masses of a law on a grid, with their errors.

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

/// The largest deficit of the total mass that counts as round-off.
const WHOLE: f64 = 1e-9;

/// Masses so far, and the errors they were computed with.
pub(crate) struct Builder {
    grid: Grid,
    masses: Vec<f64>,
    /// Mass above the last point.
    above: f64,
    /// The largest relative error of a mass.
    error: f64,
    /// The shift of the points that makes up for losses on the wrong side of them.
    slip: f64,
    /// The largest distance of the loss of an edge from its point, round-off included.
    margin: f64,
}

impl Builder {
    pub(crate) fn new(grid: Grid, atoms: &[Atom]) -> Self {
        // Sums of a few positive terms, or of as many atoms as share two cells, and products with shares. (A merged atom is shared twice.)
        let widest = atoms
            .iter()
            .filter(|atom| atom.is_wide())
            .fold(0.0, |most: f64, atom| most.max(atom.span.width()));
        let times = if widest > 0.0 { 2.0 } else { 1.0 };
        let error = (12.0 + times * crowd(atoms, 2.0 * (grid.spacing + widest))).max(16.0) * UNIT_ROUNDOFF;
        let reach = grid.near(grid.first).abs().max(grid.near(grid.last).abs());
        let margin = 8.0 * UNIT_ROUNDOFF * (reach + grid.spacing) + f64::MIN_POSITIVE;
        // The index of an atom comes from a rounded division.
        let slip = if atoms.is_empty() { 0.0 } else { margin };
        Self { grid, masses: vec![0.0; grid.len()], above: 0.0, error, slip, margin }
    }

    /// Adds mass at a point. Only truncated losses lie below the first point, so nothing else is lost there.
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

    /// Records the relative error of a mass, and the distance of its loss on the wrong side of its point.
    #[inline]
    pub(crate) fn note(&mut self, error: f64, slip: f64) {
        self.error = self.error.max(error);
        self.slip = self.slip.max(slip);
    }

    /// The largest relative error of a mass so far.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }

    /// Records how far losses of a cell may lie beyond its points.
    #[inline]
    pub(crate) fn note_edges(&mut self, cell: &Cell) {
        self.margin = self.margin.max(cell.below).max(cell.above);
    }

    /// The range of losses that are not truncated.
    fn within(&self) -> (f64, f64) {
        let Grid { first, last, is_cut_below, is_cut_above, .. } = self.grid;
        let low = if is_cut_below { self.grid.near(first) - self.margin } else { f64::NEG_INFINITY };
        let high = if is_cut_above { self.grid.near(last) - self.margin } else { f64::INFINITY };
        (low, high)
    }

    /// The atoms within that range.
    pub(crate) fn atoms_within<'a>(&self, atoms: &'a [Atom]) -> impl Iterator<Item = &'a Atom> + use<'a> {
        let (low, high) = self.within();
        atoms.iter().filter(move |atom| atom.span.upper() >= low && atom.span.lower() <= high)
    }

    /// Moves truncated atoms to the safe side: those below to the first point; those above to the last point and to infinity, so that `Q` keeps its
    /// mass. Returns the mass that goes to infinity.
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
        // Two roundings for each atom.
        let up = 1.0 + (8.0 + atoms.len() as f64) * UNIT_ROUNDOFF;
        self.masses[0] += below * up;
        self.masses[end] += last * up;
        infinite * up
    }

    /// The pessimistic law: points move up by the slip. Of the tail above the last point, δ there becomes infinite and the rest goes to that point;
    /// the tail below the first point goes to it. Tails are evaluated a margin within the range, so that they overlap the outermost cells.
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
            // One point further up, because the index comes from a rounded division; NaN goes to infinity.
            let index = self.grid.above(sliver.loss).saturating_add(1).max(first);
            if sliver.loss.is_finite() {
                self.add(index, sliver.p)
            } else {
                self.above += sliver.p
            };
        }
        // Cells that underflow, and the truncated ends of stretches.
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
        // A check that the total mass is complete.
        let total = law.infinite + law.masses.chunks(64).map(|chunk| chunk.iter().sum::<f64>()).sum::<f64>();
        (law.is_sound() && total >= 1.0 - WHOLE - law.error).then_some(law)
    }

    /// The optimistic law: points move down by the slip, truncated tails are dropped. `infinite` is a lower bound on the mass at infinity.
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

/// The largest number of atoms of a sorted list within an interval of this width: the atoms of two neighbouring cells share a point.
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
