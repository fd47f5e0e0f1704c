//! The shuffle model: n users report by an ε₀-locally private mechanism, and a shuffler hides who said what.
//!
//! In: the pair of one report for replacing a value, and n. Out: a curve above that of all reports.
//!
//! **Theorem** ([Feldman, McMillan & Talwar 2021, arXiv 2012.12803, Thm 3.1]). Let `C ~ Bin(n − 1, e^{−ε₀})`, `A ~ Bin(C, ½)` and `Δ ~ Bern(e^{ε₀}/(e^{ε₀} + 1))`. The pair
//!
//! ```text
//! P: (A + Δ, C − A + 1 − Δ)      Q: (A + 1 − Δ, C − A + Δ)
//! ```
//!
//! dominates the shuffled reports if one user's value x₀ becomes x₁.
//!
//! *Proof.* As R is ε₀-private, there are laws with `R(x₀) = pU + (1 − p)V`, `R(x₁) = (1 − p)U + pV`, `p = e^{ε₀}/(e^{ε₀} + 1)`, and every other report is `e^{−ε₀}·½(R(x₀) + R(x₁)) =
//! e^{−ε₀}·½(U + V)` with something else in the rest of the mixture. How many reports come from U and how many from V is the pair; given that, the order is uniform and everything else
//! is the same for both datasets. ∎
//!
//! Given C = c the two numbers add up to c + 1, and with `B(x) = P(Bin(c, ½) = x)` the likelihood ratio at x grows with x. Outcomes from k on have a loss above ε, and
//!
//! ```text
//! δ(ε) = Σ_c P(C = c) [(p − α(1 − p)) B(k − 1) − (α − 1) P(Bin(c, ½) ≥ k)],      α = e^ε.
//! ```
//!
//! # Guarantee
//! δ is an upper bound for every ε₀-private mechanism. Nothing is said of how far below the truth is.

mod clones;

use super::{CertifiedCurve, CurvePair, SharedPair};
use crate::{error::Error, mechanism};
use clones::Clones;
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};
use std::ops::RangeInclusive;

/// The pair of all reports, over that of one report for replacing a value; it is the same in all directions, for a dataset without the user has a value of hers that
/// says nothing.
pub(super) fn pair(shuffled: &mechanism::Shuffle, base: &SharedPair) -> Result<SharedPair, Error> {
    let (low, high) = base.finite_losses().into_inner();
    let local = high.upper().max(-low.lower());
    if !(local.is_finite() && base.infinite_mass().value().upper() == 0.0) {
        return Err(Error::NotProven {
            what: "the shuffle model with reports that have unbounded losses",
            reason: "its theorem is about reports that are ε₀-locally private, with δ = 0",
            instead: "use a mechanism with bounded losses, such as randomized_response, laplace or dp(epsilon=…)",
        });
    }
    Ok(CurvePair::shared(Shuffled { clones: Clones::new(local.max(0.0), shuffled.users()), local }))
}

/// The curve of the clones; the same in both directions.
#[derive(Clone, Debug)]
struct Shuffled {
    clones: Clones,
    /// ε₀.
    local: f64,
}

impl CertifiedCurve for Shuffled {
    fn removed(&self, epsilon: f64) -> Probability {
        if epsilon >= self.local {
            return Probability::ZERO;
        }
        Probability::from_value(Enclosure::new(0.0, self.clones.delta(epsilon).min(1.0)))
    }

    fn added(&self, epsilon: f64) -> Probability {
        self.removed(epsilon)
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        Enclosure::new(-self.local, 0.0)..=Enclosure::new(0.0, self.local)
    }

    fn is_self_dual(&self) -> bool {
        true
    }

    fn notes(&self) -> Vec<String> {
        vec![
            "the theorem on shuffled reports bounds from above alone: nothing is known of the lower end"
                .to_owned(),
        ]
    }
}

#[cfg(test)]
mod tests;
