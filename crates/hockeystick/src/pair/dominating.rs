//! The pair interface: what the author of a worst-case pair says of it, and what engines ask.

use super::{
    Atom, LatticeNormal, LikelyOutcomes, LossLaw, Merging, Moments, Outcome, Preimage, RatioLaw, Slack,
    Tails,
    ratio_law::{Unlisted, moments},
};
use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure, probability::Probability};
use num_complex::Complex;
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// A shared pair.
pub type SharedPair = Arc<dyn DominatingPair>;

/// A pair `(P, Q)` of probability laws, with the privacy loss `L = log dP/dQ`, that dominates a mechanism in one
/// direction: `H_α(M(D)‖M(D′)) ≤ H_α(P‖Q)` for all `α ≥ 0` ([Zhu22, Def. 7]).
///
/// Implement it for a mechanism of your own, with `D` the data that have the record and `D′` those without it, and ask about
/// [`Releases`](super::Releases) of it: every engine answers, in both directions. Seven methods say all that is needed.
///
/// # Example
/// ```
#[doc = include_str!("../../examples/custom_pair.rs")]
/// ```
///
/// # Guarantee
/// Every enclosure contains the truth for all real numbers in the argument, round-off included. What answers prove rests on it.
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

    /// The same pair with `P` and `Q` swapped.
    fn dual(&self) -> SharedPair;

    /// Are `(P, Q)` and `(Q, P)` equivalent? Then the pair dominates for a symmetric relation if it does in one direction.
    fn is_self_dual(&self) -> bool {
        false
    }

    /// `M(z) = E_P[e^{zL}; |L| < ∞] = ∫ p^{1+z} q^{−z}`, or `None` if `z` is outside the strip where it exists. It is integrated, unless you
    /// know it in closed form.
    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        self.ratio_law().mgf(z)
    }

    /// What whoever reads an answer should know about how the pair came about: a file whose probabilities did not add up,
    /// say.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// More than that, of pairs of this library: closed forms and lists.
    #[doc(hidden)]
    fn details(&self) -> Option<&dyn Details> {
        None
    }
}

/// A pair that dominates another, and one that the other dominates: what is true of a composition of the first bounds it from above, what is true of the second from
/// below.
///
/// # Guarantee
/// For every number of uses `k`, sampled or not, and together with anything else, the composed curve is at most that of `above` plus `k·slack.above`, and at least
/// that of `below` less `k·slack.below`.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Upper ends come from it.
    pub above: SharedPair,
    /// Lower ends come from it.
    pub below: SharedPair,
    /// What both leave out.
    pub slack: Slack,
}

impl Bounds {
    /// The bounds of what becomes of the pair, if it keeps the order of pairs: sampling does, and swapping.
    pub(super) fn map<Refused>(
        &self,
        each: impl Fn(&SharedPair) -> Result<SharedPair, Refused>,
    ) -> Result<Self, Refused> {
        Ok(Self { above: each(&self.above)?, below: each(&self.below)?, slack: self.slack })
    }

    /// Of the pair with `P` and `Q` swapped.
    pub(super) fn dual(&self) -> Self {
        Self { above: self.above.dual(), below: self.below.dual(), slack: self.slack }
    }
}

/// What engines ask of a pair. It follows from the pair itself, unless a closed form or a list says it better.
///
/// It cannot be named outside of the library: who writes a pair need not know of it.
pub trait Details: DominatingPair {
    /// Pairs above and below, if compositions are better known by them than by the pair itself.
    fn bounds(&self) -> Option<&Bounds> {
        None
    }

    /// Is nothing known of it but its curve, `delta` of it and of its dual? Compositions then rest on discrete pairs above and below.
    fn is_known_by_curve(&self) -> bool {
        false
    }

    /// The same pair to fewer digits, if its curve is looked at at many points.
    fn at_many_points(&self) -> Option<SharedPair> {
        None
    }

    /// The law of the loss, if it is one of those that compose in closed form. Then the pair is its own dual.
    fn loss_law(&self) -> Option<LossLaw> {
        None
    }

    /// The law of the loss, if it is a normal one restricted to equally spaced values.
    fn lattice_normal(&self) -> Option<LatticeNormal> {
        None
    }

    /// All outcomes, if there are finitely many and all of them are known: then compositions are exact.
    fn all_outcomes(&self) -> Option<&[Atom]> {
        None
    }

    /// The pair of a Poisson sample, if it has a form of its own.
    fn sampled(&self, _rate: f64) -> Option<SharedPair> {
        None
    }

    /// Laws whose moments add up to those of the pair: one, unless the pair is joined from halves of others.
    fn ratio_laws(&self) -> Vec<RatioLaw> {
        vec![self.ratio_law()]
    }

    /// The outcomes that matter if those with less than about `e^least` of both `P` and `Q` do not: with fewer to list, that is faster.
    fn likely_outcomes(&self, _least: f64) -> LikelyOutcomes {
        LikelyOutcomes::all(self.ratio_laws())
    }

    /// The same, where outcomes with nearly the same loss may be listed as one: its ball then holds the losses of all of them, and its
    /// probabilities are their sums.
    fn merged_outcomes(&self, least: f64, merging: Merging) -> LikelyOutcomes {
        self.likely_outcomes(least).merged(merging)
    }

    /// `log M(λ)` for real λ, where it has a closed form although the law of the loss has none.
    fn log_moment(&self, _lambda: f64) -> Option<Enclosure> {
        None
    }

    /// Where `M` exists.
    fn strip(&self) -> (f64, f64) {
        self.ratio_law().strip()
    }

    /// Of the finite loss.
    fn moments(&self) -> Option<Moments> {
        let unlisted = Unlisted::of(self.infinite_mass(), self.vanishing_mass(), self.is_self_dual());
        moments(&[&self.ratio_law()], Some(unlisted))
    }

    /// The loss of an outcome.
    fn loss(&self, outcome: Outcome) -> Option<Enclosure> {
        self.ratio_law().loss(outcome)
    }

    /// The outcomes with this loss.
    fn outcomes(&self, loss: f64) -> Option<Vec<Preimage>> {
        self.ratio_law().outcomes(loss)
    }
}

/// A pair of which no details are known but what follows from it.
#[derive(Debug)]
struct Derived<'a>(&'a dyn DominatingPair);

impl DominatingPair for Derived<'_> {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.0.delta(epsilon)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        self.0.tails(epsilon)
    }

    fn infinite_mass(&self) -> Probability {
        self.0.infinite_mass()
    }

    fn vanishing_mass(&self) -> Probability {
        self.0.vanishing_mass()
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        self.0.finite_losses()
    }

    fn ratio_law(&self) -> RatioLaw {
        self.0.ratio_law()
    }

    fn dual(&self) -> SharedPair {
        self.0.dual()
    }

    fn is_self_dual(&self) -> bool {
        self.0.is_self_dual()
    }

    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        self.0.mgf(z)
    }
}

impl Details for Derived<'_> {}

/// What follows from a pair. Pairs of this library may know it in closed form.
impl dyn DominatingPair + '_ {
    fn ask<Told>(&self, question: impl FnOnce(&dyn Details) -> Told) -> Told {
        match self.details() {
            Some(details) => question(details),
            None => question(&Derived(self)),
        }
    }

    /// The open interval of `Re z` in which `M` exists; it contains `(−1, 0)`.
    pub fn strip(&self) -> (f64, f64) {
        self.ask(|details| details.strip())
    }

    /// Mean, variance and third absolute central moment of the finite loss; `None` if no loss is finite or a moment does
    /// not exist.
    pub fn moments(&self) -> Option<Moments> {
        self.ask(|details| details.moments())
    }

    /// The law of the loss, if it is one of those that compose in closed form.
    pub fn loss_law(&self) -> Option<LossLaw> {
        self.ask(|details| details.loss_law())
    }

    /// As [`Details::lattice_normal`].
    pub(crate) fn lattice_normal(&self) -> Option<LatticeNormal> {
        self.details()?.lattice_normal()
    }

    /// As [`Details::bounds`].
    pub(crate) fn bounds(&self) -> Option<&Bounds> {
        self.details()?.bounds()
    }

    /// As [`Details::at_many_points`].
    pub(crate) fn at_many_points(&self) -> Option<SharedPair> {
        self.details().and_then(|details| details.at_many_points())
    }

    /// As [`Details::is_known_by_curve`].
    pub(crate) fn is_known_by_curve(&self) -> bool {
        self.details().is_some_and(|details| details.is_known_by_curve())
    }

    /// The outcomes that both laws can produce, if there are finitely many and all of them are known.
    pub fn all_outcomes(&self) -> Option<&[Atom]> {
        self.details()?.all_outcomes()
    }

    /// The loss of an outcome of the [`ratio_law`](DominatingPair::ratio_law): an atom by its index, a point of a panel by its
    /// coordinate. `None` if there is no such outcome.
    pub fn loss(&self, outcome: Outcome) -> Option<Enclosure> {
        self.ask(|details| details.loss(outcome))
    }

    /// The outcomes with this loss, the inverse of `loss`: each set contains all of them that it could, as narrow
    /// as round-off permits. `None` if outcomes are not listed.
    pub fn outcomes(&self, loss: f64) -> Option<Vec<Preimage>> {
        self.ask(|details| details.outcomes(loss))
    }

    /// Laws whose moments add up to those of the pair.
    pub fn ratio_laws(&self) -> Vec<RatioLaw> {
        self.ask(|details| details.ratio_laws())
    }

    /// As [`Details::log_moment`].
    pub(crate) fn log_moment(&self, lambda: f64) -> Option<Enclosure> {
        self.ask(|details| details.log_moment(lambda))
    }

    /// As [`Details::likely_outcomes`].
    pub(crate) fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        self.ask(|details| details.likely_outcomes(least))
    }

    /// As [`Details::merged_outcomes`].
    pub(crate) fn merged_outcomes(&self, least: f64, merging: Merging) -> LikelyOutcomes {
        self.ask(|details| details.merged_outcomes(least, merging))
    }
}
