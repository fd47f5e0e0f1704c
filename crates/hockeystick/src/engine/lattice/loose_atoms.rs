//! Which atoms can be on the lattice, and which cannot.

use super::{
    outcomes::{Atom, Outcomes},
    plan::LooseAtom,
};
use crate::pair::SharedPair;

/// The atoms that need not be on the lattice, of parts that are used so often: the likeliest of a part is, and so is the second of the twins.
pub(super) fn loose_atoms(
    counts: &[u64],
    outcomes: &[Option<Outcomes>],
    twins: Option<Twins>,
) -> Vec<LooseAtom> {
    let parts = counts.iter().zip(outcomes).enumerate().filter(|(_, (count, _))| **count > 0);
    parts
        .filter_map(|(i, (count, outcomes))| {
            let fixed = if twins.is_some_and(|twins| twins.part == i) { 2 } else { 1 };
            Some(loose_atoms_of(outcomes.as_ref()?, *count as f64, fixed))
        })
        .flatten()
        .collect()
}

/// The same of one part, the likeliest `fixed` of which are on the lattice.
pub(super) fn loose_atoms_of(outcomes: &Outcomes, count: f64, fixed: usize) -> Vec<LooseAtom> {
    let loss = |atom: &Atom| atom.loss.midpoint();
    let loose = |(j, atom): (usize, &Atom)| {
        let above = outcomes.atoms.get(j + 1).map_or(f64::INFINITY, |next| loss(next) - loss(atom));
        let below = j.checked_sub(1).map_or(f64::INFINITY, |j| loss(atom) - loss(&outcomes.atoms[j]));
        LooseAtom { uses: count * atom.p.midpoint(), gap: above.min(below) }
    };
    let mut atoms: Vec<LooseAtom> = outcomes.atoms.iter().enumerate().map(loose).collect();
    atoms.sort_by(|a, b| b.uses.total_cmp(&a.uses));
    atoms.drain(..fixed.min(atoms.len()));
    atoms
}

/// Two atoms that can both be on the lattice.
#[derive(Clone, Copy)]
pub(super) struct Twins {
    /// The part they are of.
    part: usize,
    /// Their probability times the number of uses.
    uses: f64,
    /// How far their losses are apart.
    pub(super) distance: f64,
}

impl Twins {
    /// The two likeliest atoms of the part in which they are used the most.
    pub(super) fn of(parts: &[(SharedPair, u64)], outcomes: &[Option<Outcomes>]) -> Option<Self> {
        let twins = parts.iter().zip(outcomes).enumerate().filter_map(|(part, ((_, count), outcomes))| {
            let [first, second] = outcomes.as_ref()?.likeliest_atoms()?;
            let distance = (first.loss.midpoint() - second.loss.midpoint()).abs();
            Some(Self { part, uses: *count as f64 * (first.p + second.p).midpoint(), distance })
        });
        twins.max_by(|a, b| a.uses.total_cmp(&b.uses))
    }
}
