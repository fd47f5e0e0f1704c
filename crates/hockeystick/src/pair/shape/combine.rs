//! Samples and compositions of discrete pairs, which are discrete again.

use super::{
    DiscretePair, mixed_loss,
    outcomes::{grouped, sorted},
};
use crate::pair::{Atom, NoPair};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::{check, claim},
};

/// Outcomes before merging, in units of those allowed after it: most products merge at least this well.
pub(in crate::pair) const BEFORE_MERGING: usize = 4;

impl DiscretePair {
    /// The pair `((1−γ)Q + γP, Q)` of a Poisson sample, when this one is `(P, Q)` for removing a record
    /// ([Zhu22, Thm 11]); `γ` is from 0 to 1.
    ///
    /// Outcomes of `Q` alone become ordinary ones, with the loss `log(1 − γ)`.
    #[must_use]
    pub fn sampled(&self, rate: f64) -> Self {
        if rate == 1.0 {
            return self.clone();
        }
        let weight = Ball::from(rate);
        let rest = Ball::ONE - weight;
        let (share, remainder) = (Enclosure::point(rate), rest.enclosure());
        let mut atoms: Vec<Atom> = self
            .atoms()
            .iter()
            .map(|atom| Atom {
                loss: mixed_loss(weight, rest, atom.loss),
                p: remainder * atom.q + share * atom.p,
                q: atom.q,
            })
            .collect();
        if self.vanishing.upper() > 0.0 {
            atoms.push(Atom { loss: (-weight).ln_1p(), p: remainder * self.vanishing, q: self.vanishing });
        }
        Self::assembled(sorted(atoms), share * self.infinite, Enclosure::ZERO)
    }

    /// The pair of both mechanisms together, run independently ([Zhu22, Thm 10]).
    ///
    /// Losses add up; those that cannot be told apart are merged. Refuses more than `most` outcomes.
    pub fn product(&self, other: &Self, most: usize) -> Result<Self, NoPair> {
        let outcomes = self.atoms().len().saturating_mul(other.atoms().len());
        if outcomes > most.saturating_mul(BEFORE_MERGING) {
            return Err(NoPair::TooManyOutcomes { outcomes: outcomes as f64, most });
        }
        check();
        let _claim = claim::<Atom>(2 * outcomes);
        let atoms =
            grouped(self.atoms().iter().flat_map(|a| other.atoms().iter().map(|b| joint(a, b))).collect());
        if atoms.len() > most {
            return Err(NoPair::TooManyOutcomes { outcomes: atoms.len() as f64, most });
        }
        let infinite = self.infinite + self.sums.whole_p * other.infinite;
        let vanishing = self.vanishing + self.sums.whole_q * other.vanishing;
        let product = Self::assembled(atoms, infinite, vanishing);
        Ok(if self.self_dual && other.self_dual { product.declared_self_dual() } else { product })
    }
}

fn joint(a: &Atom, b: &Atom) -> Atom {
    Atom { loss: a.loss + b.loss, p: a.p * b.p, q: a.q * b.q }
}
