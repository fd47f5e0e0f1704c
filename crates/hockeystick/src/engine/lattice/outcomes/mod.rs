//! The outcomes of a pair, ready to be put on a lattice: stretches with a density, and atoms.
//!
//! In: a pair. Out: what it can produce, cut wherever a lattice asks.
//!
//! Masses of cells come from closed forms of the densities in plain floats, each with a relative error bound, and nothing is
//! obtained as a difference of nearly equal tails.
//!
//! # Guarantee
//! The masses of every cell under `P` and `Q` are within their stated errors.

mod exponent;
mod kernel;
mod ratio;
mod stretch;
mod wide;

pub(super) use stretch::{Loss, Mass, Stretch};

use crate::pair::SharedPair;
use hockeystick_numerics::enclosure::Enclosure;

/// An outcome with positive probability.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    /// Its loss.
    pub(super) loss: Enclosure,
    /// Its probability under `P`.
    pub(super) p: Enclosure,
}

/// Everything that `P` and `Q` share.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    pub(super) stretches: Vec<Stretch>,
    /// In the order of their losses.
    pub(super) atoms: Vec<Atom>,
}

impl Outcomes {
    /// Of a pair, leaving out densities below `e^least`. `None` if its law of the ratio does not show all outcomes.
    pub(super) fn of(pair: &SharedPair, least: f64) -> Option<Self> {
        let law = pair.ratio_law();
        let panels = law.panels.iter().filter(|panel| panel.from < panel.to && !panel.ratio.is_empty());
        let stretches: Vec<Stretch> =
            panels.map(|panel| Stretch::new(panel, law.swapped, least)).collect::<Option<_>>()?;
        let mut atoms: Vec<Atom> = (law.atoms.iter())
            .map(|atom| {
                let loss = atom.loss.enclosure();
                if law.swapped { Atom { loss: -loss, p: atom.q } } else { Atom { loss, p: atom.p } }
            })
            .filter(|atom| atom.p.upper() > 0.0)
            .collect();
        if atoms.iter().any(|atom| !atom.loss.lower().is_finite() || !atom.loss.upper().is_finite()) {
            return None;
        }
        atoms.sort_by(|a, b| a.loss.upper().total_cmp(&b.loss.upper()));
        let outcomes = Self { stretches, atoms };
        // A law that shows outcomes in part only does not add up.
        let finite = pair.infinite_mass().complement().midpoint();
        ((outcomes.total() - finite).abs() <= 1e-6).then_some(outcomes)
    }

    /// The likeliest atom.
    pub(super) fn likeliest_atom(&self) -> Option<&Atom> {
        self.atoms.iter().max_by(|a, b| a.p.midpoint().total_cmp(&b.p.midpoint()))
    }

    /// The two likeliest atoms, the likelier first.
    pub(super) fn likeliest_atoms(&self) -> Option<[Atom; 2]> {
        let mut atoms = self.atoms.clone();
        atoms.sort_by(|a, b| b.p.midpoint().total_cmp(&a.p.midpoint()));
        Some([*atoms.first()?, *atoms.get(1)?])
    }

    /// `P`'s mass, roughly.
    fn total(&self) -> f64 {
        let atoms: f64 = self.atoms.iter().map(|atom| atom.p.midpoint()).sum();
        let stretches: f64 =
            self.stretches.iter().map(|stretch| stretch.mass(stretch.bottom, stretch.top).p).sum();
        atoms + stretches
    }
}
