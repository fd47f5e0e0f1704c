//! Which atoms can be on the lattice, and which cannot.

use super::super::outcomes::{Atom, Outcomes};
use crate::pair::SharedPair;

/// What atoms cost that are not on the lattice, as the number of uses that would cost as much if they were rounded down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LooseAtoms {
    /// If they are merged with the next.
    pub(crate) merged: f64,
    /// If they are rounded down.
    pub(crate) rounded: f64,
}

impl LooseAtoms {
    /// So many uses of an atom, the nearest of which is at this distance.
    pub(crate) fn one(uses: f64, gap: f64, tilt: f64) -> Self {
        Self { merged: uses * (0.5 * (tilt + 1.0) * gap).min(1.0), rounded: uses }
    }

    /// Those of one use of a part, the likeliest `fixed` of which are on the lattice.
    pub(crate) fn of(outcomes: &Outcomes, fixed: usize, tilt: f64) -> Self {
        // Those are close to each other.
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

    /// Together with others, which are used so often.
    pub(crate) fn and(self, uses: f64, other: Self) -> Self {
        Self { merged: self.merged + uses * other.merged, rounded: self.rounded + uses * other.rounded }
    }
}

/// Two atoms that can both be on the lattice.
#[derive(Clone, Copy)]
pub(crate) struct Twins {
    /// The part they are of.
    pub(crate) part: usize,
    /// Their probability times the number of uses.
    uses: f64,
    /// How far their losses are apart.
    pub(crate) distance: f64,
}

impl Twins {
    /// The two likeliest atoms of the part in which they are used the most.
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
