//! Pairs on finitely many outcomes.

use super::{
    outcomes::sorted,
    sums::{Running, Sums},
};
use crate::{
    pair::LossLaw,
    pair::{Atom, Details, DominatingPair, NoPair, RatioLaw, SharedPair, Tails},
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::{Claim, check, claim},
    probability::Probability,
};
use std::{ops::RangeInclusive, sync::Arc};

/// More outcomes than this near one ε, and it is a wide ball: its two ends are asked instead.
const FEW: usize = 8;

/// A pair of laws on finitely many outcomes.
///
/// Each atom stands for one outcome, or for several whose losses all lie in its ball.
///
/// # Guarantee
/// `δ(ε) = Σ p(1 − e^{ε−L})₊ + p∞` is a sum of positive terms, and so is its complement `Σ p·min(1, e^{ε−L})`: both
/// have the relative accuracy of the masses, for any number of outcomes. A question takes `O(log n)`.
#[derive(Clone, Debug)]
pub struct DiscretePair {
    atoms: Vec<Atom>,
    pub(super) infinite: Enclosure,
    pub(super) vanishing: Enclosure,
    pub(super) sums: Sums,
    pub(super) self_dual: bool,
    law: Option<LossLaw>,
    _claim: Claim,
}

impl DiscretePair {
    /// The pair with these outcomes, `P(L = ∞) = infinite` and `Q(L = −∞) = vanishing`; each law adds up to 1.
    ///
    /// Outcomes that neither can produce are left out; those that only one of them can must not be listed. Refuses
    /// losses that are not finite.
    pub fn new(atoms: Vec<Atom>, infinite: Enclosure, vanishing: Enclosure) -> Result<Self, NoPair> {
        if let Some(atom) = atoms.iter().find(|atom| !atom.loss.is_finite()) {
            return Err(NoPair::LossOutOfRange { p: atom.p.upper(), q: atom.q.upper() });
        }
        Ok(Self::assembled(sorted(atoms), infinite, vanishing))
    }

    /// A pair of which nothing is known.
    pub(in crate::pair) fn unknown() -> Self {
        Self::assembled(Vec::new(), Enclosure::UNIT_INTERVAL, Enclosure::UNIT_INTERVAL)
    }

    /// From outcomes with finite losses, in order.
    pub(super) fn assembled(atoms: Vec<Atom>, infinite: Enclosure, vanishing: Enclosure) -> Self {
        check();
        let claim = claim::<Atom>(atoms.len());
        let sums = Sums::over(&atoms);
        Self { atoms, infinite, vanishing, sums, self_dual: false, law: None, _claim: claim }
    }

    /// The same pair, declared to be equivalent to its dual. That is for the caller to prove.
    #[must_use]
    pub fn declared_self_dual(self) -> Self {
        Self { self_dual: true, ..self }
    }

    /// The same pair with the closed form of its loss, which is self-dual as all of them are.
    pub(in crate::pair) fn with_law(self, law: LossLaw) -> Self {
        Self { law: Some(law), self_dual: true, ..self }
    }

    /// The outcomes that both laws can produce, by increasing loss.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The same pair with `P` and `Q` swapped.
    pub(super) fn swapped(&self) -> Self {
        let swapped = |atom: &Atom| Atom { loss: -atom.loss, p: atom.q, q: atom.p };
        let atoms = self.atoms.iter().rev().map(swapped).collect();
        let dual = Self::assembled(atoms, self.vanishing, self.infinite);
        Self { self_dual: self.self_dual, law: self.law, ..dual }
    }

    /// `δ` over a ball of ε from its ends: it never grows with ε.
    fn delta_between(&self, ends: Enclosure) -> Probability {
        let (most, least) = (self.delta(Ball::from(ends.lower())), self.delta(Ball::from(ends.upper())));
        Probability::from_both(
            Enclosure::new(least.value().lower(), most.value().upper()),
            Enclosure::new(most.complement().lower(), least.complement().upper()),
        )
    }
}

impl DominatingPair for DiscretePair {
    fn delta(&self, epsilon: Ball) -> Probability {
        if !epsilon.is_finite() {
            return Probability::UNKNOWN;
        }
        let sums = self.sums.running(&self.atoms);
        let near = sums.near(&self.atoms, epsilon);
        if near.len() > FEW && epsilon.radius() > 0.0 {
            return self.delta_between(epsilon.enclosure());
        }
        let mut value = self.infinite + sums.excess_over(&self.atoms, near.end, epsilon);
        let mut complement = sums.below_p[near.start] + sums.shrunk_over(&self.atoms, near.end, epsilon);
        for atom in &self.atoms[near] {
            let gap = epsilon - atom.loss;
            value = value + atom.p * (-gap.exp_m1_enclosure()).clamp(0.0, 1.0);
            complement = complement + atom.p * gap.exp_enclosure().clamp(0.0, 1.0);
        }
        Probability::from_both(value, complement)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        if !epsilon.is_finite() {
            return Tails { p: Probability::UNKNOWN, q: Probability::UNKNOWN };
        }
        let sums = self.sums.running(&self.atoms);
        let near = sums.near(&self.atoms, epsilon);
        // Those near ε may all be above it, or none.
        let between = |few: Enclosure, many: Enclosure| Enclosure::new(few.lower(), many.upper());
        let Running { above_p, above_q, below_p, below_q, .. } = sums;
        Tails {
            p: Probability::from_both(
                between(above_p[near.end] + self.infinite, above_p[near.start] + self.infinite),
                between(below_p[near.start], below_p[near.end]),
            ),
            q: Probability::from_both(
                between(above_q[near.end], above_q[near.start]),
                between(below_q[near.start] + self.vanishing, below_q[near.end] + self.vanishing),
            ),
        }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::from_both(self.infinite, self.sums.whole_p)
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::from_both(self.vanishing, self.sums.whole_q)
    }

    /// `0 ..= 0` if no loss is finite.
    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (smallest, largest) = self.sums.ends;
        smallest..=largest
    }

    fn ratio_law(&self) -> RatioLaw {
        RatioLaw { atoms: self.atoms.clone(), ..RatioLaw::default() }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(self.swapped())
    }

    fn is_self_dual(&self) -> bool {
        self.self_dual
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for DiscretePair {
    fn all_outcomes(&self) -> Option<&[Atom]> {
        Some(&self.atoms)
    }

    fn sampled(&self, rate: f64) -> Option<SharedPair> {
        Some(Arc::new(Self::sampled(self, rate)))
    }

    fn loss_law(&self) -> Option<LossLaw> {
        self.law
    }
}
