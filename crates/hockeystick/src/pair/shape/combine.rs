//! Samples and compositions of discrete pairs, which are discrete again.

use super::{
    DiscretePair, mixed_loss,
    outcomes::{grouped, sorted},
};
use crate::pair::{Atom, DominatingPair, NoPair};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::{check, claim},
    probability::Probability,
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
        Self::product_of(self, other, most).expect("both are listed")
    }

    /// The same of pairs whose outcomes are all known; `None` of others.
    pub(in crate::pair) fn product_of(
        a: &dyn DominatingPair,
        b: &dyn DominatingPair,
        most: usize,
    ) -> Option<Result<Self, NoPair>> {
        let (of_a, of_b) = (a.all_outcomes()?, b.all_outcomes()?);
        let outcomes = of_a.len().saturating_mul(of_b.len());
        let too_many = |outcomes: usize| NoPair::TooManyOutcomes { outcomes: outcomes as f64, most };
        if outcomes > most.saturating_mul(BEFORE_MERGING) {
            return Some(Err(too_many(outcomes)));
        }
        check();
        let _claim = claim::<Atom>(2 * outcomes);
        let atoms = grouped(of_a.iter().flat_map(|a| of_b.iter().map(|b| joint(a, b))).collect());
        if atoms.len() > most {
            return Some(Err(too_many(atoms.len())));
        }
        // One of them has it: `p + (1 − p)·p′`.
        let either = |a: Probability, b: Probability| a.value() + a.complement() * b.value();
        let infinite = either(a.infinite_mass(), b.infinite_mass());
        let vanishing = either(a.vanishing_mass(), b.vanishing_mass());
        let product = Self::assembled(atoms, infinite, vanishing);
        let is_self_dual = a.is_self_dual() && b.is_self_dual();
        Some(Ok(if is_self_dual { product.declared_self_dual() } else { product }))
    }
}

fn joint(a: &Atom, b: &Atom) -> Atom {
    Atom { loss: a.loss + b.loss, p: a.p * b.p, q: a.q * b.q }
}
