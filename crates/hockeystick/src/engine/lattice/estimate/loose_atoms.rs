//! Atoms that are no points of the grid, and their cost.

use super::super::outcomes::{Atom, Outcomes};
use crate::pair::SharedPair;

/// The cost of atoms that are no points of the grid, as an equivalent number of uses rounded down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LooseAtoms {
    /// If each is merged with the next atom.
    pub(crate) merged: f64,
    /// If each is rounded down.
    pub(crate) rounded: f64,
}

impl LooseAtoms {
    /// An atom with this expected number of uses, whose nearest neighbour is at this distance.
    pub(crate) fn one(uses: f64, gap: f64, tilt: f64) -> Self {
        Self { merged: uses * (0.5 * (tilt + 1.0) * gap).min(1.0), rounded: uses }
    }

    /// The atoms of one use of a part, but for the `fixed` likeliest, which are points.
    pub(crate) fn of(outcomes: &Outcomes, fixed: usize, tilt: f64) -> Self {
        // Merged atoms are close to each other.
        if outcomes.are_merged() {
            return Self::default();
        }
        let loss = |atom: &Atom| atom.loss.midpoint();
        let loose = |j: usize| {
            let atom = &outcomes.atoms[j];
            let above = outcomes.atoms.get(j + 1).map_or(f64::INFINITY, |next| loss(next) - loss(atom));
            let below = j.checked_sub(1).map_or(f64::INFINITY, |j| loss(atom) - loss(&outcomes.atoms[j]));
            Self::one(atom.p.midpoint(), above.min(below), tilt)
        };
        let on_lattice = outcomes.likeliest_atoms();
        let is_loose = |j: &usize| !on_lattice.iter().take(fixed).any(|place| *place == Some(*j));
        (0..outcomes.atoms.len()).filter(is_loose).fold(Self::default(), |sum, j| sum.and(1.0, loose(j)))
    }

    /// Plus others with their count.
    pub(crate) fn and(self, uses: f64, other: Self) -> Self {
        Self { merged: self.merged + uses * other.merged, rounded: self.rounded + uses * other.rounded }
    }
}

/// Two atoms that can both be points, if their distance is a multiple of the spacing.
#[derive(Clone, Copy)]
pub(crate) struct Twins {
    /// The index of their part.
    pub(crate) part: usize,
    /// Their expected number of uses.
    uses: f64,
    /// The distance of their losses.
    pub(crate) distance: f64,
}

impl Twins {
    /// The two likeliest atoms of the part with the largest expected number of uses of them.
    pub(crate) fn of(parts: &[(SharedPair, u64)], outcomes: &[Option<Outcomes>]) -> Option<Self> {
        let twins = parts.iter().zip(outcomes).enumerate().filter_map(|(part, ((_, count), outcomes))| {
            let outcomes = outcomes.as_ref().filter(|outcomes| !outcomes.are_merged())?;
            let [first, second] = outcomes.likeliest_atoms();
            let (first, second) = (outcomes.atoms[first?], outcomes.atoms[second?]);
            let distance = (first.loss.midpoint() - second.loss.midpoint()).abs();
            Some(Self { part, uses: *count as f64 * (first.p + second.p).midpoint(), distance })
        });
        twins.max_by(|a, b| a.uses.total_cmp(&b.uses))
    }
}
