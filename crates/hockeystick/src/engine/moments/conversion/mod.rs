//! From one order of a Rényi curve to (ε, δ).
//!
//! In: an order and a bound of the moment there. Out: a bound of δ at an ε, or of ε at a δ.
//!
//! Everything is written with `λ = α − 1` and `k = λ·D_α`, so that nothing is divided by a small λ before it must be.
//!
//! # Guarantee
//! It holds for every mechanism with that moment. `optimal` has the smallest such bound that there is.

pub mod classic;
pub mod optimal;
pub mod standard;
mod tangents;
mod theorem_four;

pub use theorem_four::{lemma_one, theorem_four};

use hockeystick_numerics::enclosure::Enclosure;

/// How a Rényi divergence of one order is turned into (ε, δ).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// `δ = e^{−λ(ε − D)}` ([Asoodeh21, Thm 1]; Abadi et al. 2016, Mironov 2017).
    Classic,
    /// The same times `ζ_α` ([Asoodeh21, Thm 4, g]; Balle et al. 2020, Canonne, Kamath and Steinke 2020).
    Standard,
    /// The smallest δ that the divergence implies ([Asoodeh21, Thm 3]).
    Optimal,
}

impl Conversion {
    /// An upper bound of δ at ε, from an upper bound `k` of `λ·D_{λ+1}`.
    ///
    /// # Guarantee
    /// At least δ(ε) for every ε in the enclosure, of every pair with `λ·D_{λ+1} ≤ k`.
    pub fn delta(self, lambda: f64, k: f64, epsilon: Enclosure) -> f64 {
        match self {
            Self::Classic => classic::delta(lambda, k, epsilon),
            Self::Standard => standard::delta(lambda, k, epsilon),
            Self::Optimal => {
                optimal::delta_bound(lambda, k, epsilon).min(standard::delta(lambda, k, epsilon))
            }
        }
    }

    /// An upper bound of ε at δ, from an upper bound `k` of `λ·D_{λ+1}`. It may be negative, which says that 0 will do.
    ///
    /// # Guarantee
    /// `δ(max(value, 0)) ≤ delta` for every pair with `λ·D_{λ+1} ≤ k`.
    pub fn epsilon(self, lambda: f64, k: f64, delta: f64) -> f64 {
        match self {
            Self::Classic => classic::epsilon(lambda, k, delta),
            Self::Standard => standard::epsilon(lambda, k, delta),
            Self::Optimal => {
                optimal::epsilon_bound(lambda, k, delta).min(standard::epsilon(lambda, k, delta))
            }
        }
    }

    /// The conversion that this one is known to improve on at every order, if it is worth a look.
    pub(super) fn weaker(self) -> Option<Self> {
        match self {
            // A factor ζ < 1 apart at every order: the search cannot miss it.
            Self::Classic | Self::Standard => None,
            Self::Optimal => Some(Self::Standard),
        }
    }

    /// About the logarithm of [`Self::delta`].
    pub(super) fn rough_log_delta(self, lambda: f64, k: f64, epsilon: f64) -> f64 {
        match self {
            Self::Classic => k - lambda * epsilon,
            Self::Standard => k - lambda * epsilon + standard::rough_log_zeta(lambda),
            Self::Optimal => optimal::rough_log_delta(lambda, k, epsilon),
        }
    }

    /// About [`Self::epsilon`].
    pub(super) fn rough_epsilon(self, lambda: f64, k: f64, delta: f64) -> f64 {
        match self {
            Self::Classic => (k - delta.ln()) / lambda,
            Self::Standard => (k + standard::rough_log_zeta(lambda) - delta.ln()) / lambda,
            Self::Optimal => optimal::rough_epsilon(lambda, k, delta),
        }
    }
}
