//! The pair interface: everything an engine may ask of a worst-case pair.

use super::{
    DiscretePair, InnerDistribution, LazyPair, LikelyOutcomes, LossLaw, Merging, Outcome, Preimage, RatioLaw,
    ratio_law::{Unlisted, moments},
};
use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure, probability::Probability};
use num_complex::Complex;
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// A shared pair.
pub type SharedPair = Arc<dyn DominatingPair>;

/// How likely the loss exceeds a threshold, under `P` and under `Q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tails {
    /// `P(L > ε)`, infinite losses included.
    pub p: Probability,
    /// `Q(L > ε)`.
    pub q: Probability,
}

/// Moments of the finite part of the loss under `P`, conditioned on being finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// `E L`.
    pub mean: Enclosure,
    /// `E (L − E L)²`.
    pub variance: Enclosure,
    /// `E |L − E L|³`.
    pub third_absolute: Enclosure,
}

/// A pair `(P, Q)` of probability laws, with the privacy loss `L = log dP/dQ`, that dominates a mechanism in one
/// direction: `H_α(M(D)‖M(D′)) ≤ H_α(P‖Q)` for all `α ≥ 0` ([Zhu22, Def. 7]).
///
/// Implement it to account for a mechanism of your own: `examples/custom_pair.rs` does so for logistic noise, composes it and
/// asks for ε.
///
/// # Guarantee
/// Every enclosure contains the truth for all real numbers in the argument, round-off included.
pub trait DominatingPair: fmt::Debug + Send + Sync {
    /// `H_α(P‖Q) = E_Q[(dP/dQ − α)₊] + P(L = ∞)` at `α = e^ε`, for any real `ε`.
    fn delta(&self, epsilon: Ball) -> Probability;

    /// `P(L > ε)` and `Q(L > ε)`. The derivative of `α ↦ H_α` from the right is `−Q(L > log α)`.
    ///
    /// Where an atom cannot be told from `ε` the enclosures contain both possibilities.
    fn tails(&self, epsilon: Ball) -> Tails;

    /// `P(L = ∞)`.
    fn infinite_mass(&self) -> Probability;

    /// `Q(L = −∞)`: the mass of `Q` where `P` has none.
    fn vanishing_mass(&self) -> Probability;

    /// The smallest and the largest finite loss: infinite where losses are unbounded.
    fn finite_losses(&self) -> RangeInclusive<Enclosure>;

    /// The law of the likelihood ratio, from which moments are integrated. [`RatioLaw::unknown`] if it is of no kind that can be
    /// listed: answers then rest on `delta` and `tails`.
    fn ratio_law(&self) -> RatioLaw;

    /// The outcomes that matter if those with less than about `e^least` of both `P` and `Q` do not: with fewer to list, that is faster.
    fn likely_outcomes(&self, _least: f64) -> LikelyOutcomes {
        LikelyOutcomes::all(self.ratio_laws())
    }

    /// The same, where outcomes with nearly the same loss may be listed as one: its ball then holds the losses of all of them, and its
    /// probabilities are their sums.
    fn merged_outcomes(&self, least: f64, merging: Merging) -> LikelyOutcomes {
        self.likely_outcomes(least).merged(merging)
    }

    /// Laws whose moments add up to those of the pair: one, unless the pair is joined from halves of others.
    fn ratio_laws(&self) -> Vec<RatioLaw> {
        vec![self.ratio_law()]
    }

    /// The same pair with `P` and `Q` swapped.
    fn dual(&self) -> SharedPair;

    /// The law of the loss, if it is one of those that compose in closed form.
    fn loss_law(&self) -> Option<LossLaw> {
        None
    }

    /// Are `(P, Q)` and `(Q, P)` equivalent? Then the pair dominates for a symmetric relation if it does in one direction.
    fn is_self_dual(&self) -> bool {
        self.loss_law().is_some()
    }

    /// The outcomes, if there are finitely many and all of them are known: then compositions and samples are exact.
    fn as_discrete(&self) -> Option<&DiscretePair> {
        None
    }

    /// The same pair, if it has not listed them yet.
    fn as_lazy(&self) -> Option<&LazyPair> {
        None
    }

    /// `M(z) = E_P[e^{zL}; |L| < ∞] = ∫ p^{1+z} q^{−z}`, or `None` if `z` is outside the strip where it exists.
    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        self.ratio_law().mgf(z)
    }

    /// `log M(λ)` for real λ, where it has a closed form although the law of the loss has none.
    fn log_moment(&self, _lambda: f64) -> Option<Enclosure> {
        None
    }

    /// The open interval of `Re z` in which `M` exists; it contains `(−1, 0)`.
    fn strip(&self) -> (f64, f64) {
        self.ratio_law().strip()
    }

    /// Mean, variance and third absolute central moment of the finite loss; `None` if no loss is finite or a moment does
    /// not exist.
    fn moments(&self) -> Option<Moments> {
        moments(&[&self.ratio_law()], Some(Unlisted::of(self)))
    }

    /// The loss of an outcome of the [`ratio_law`](Self::ratio_law): an atom by its index, a point of a panel by its
    /// coordinate. `None` if there is no such outcome.
    fn loss(&self, outcome: Outcome) -> Option<Enclosure> {
        self.ratio_law().loss(outcome)
    }

    /// The outcomes with this loss, the inverse of [`loss`](Self::loss): each set contains all of them that it could, as narrow
    /// as round-off permits. `None` if outcomes are not listed.
    fn outcomes(&self, loss: f64) -> Option<Vec<Preimage>> {
        self.ratio_law().outcomes(loss)
    }

    /// What whoever reads an answer should know about how the pair came about: a file whose probabilities did not add up,
    /// say.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}

impl dyn DominatingPair + '_ {
    /// The finite part of the loss under `P`, normalised. Of a pair whose type is known: [`InnerDistribution::of`].
    pub fn inner(&self) -> InnerDistribution<'_> {
        InnerDistribution::of(self)
    }
}
