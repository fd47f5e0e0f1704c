//! The privacy loss class of a composition.

use crate::pair::{InnerDistribution, PrivacyLossClass, SharedPair};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// Mean, variance and third absolute central moment of the loss given that it is finite, and the probability that it is not
/// ([Sommer19, Def. 10 and Thm 4]).
///
/// All four compose: the moments of the inner distributions add, the third ones as a bound for the sum in the theorems of
/// Berry, Esseen and Nagaev; the finite masses multiply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComposedClass {
    /// `E L`.
    pub mean: Enclosure,
    /// `E (L − E L)²`.
    pub variance: Enclosure,
    /// The sum over all uses of `E|Lᵢ − E Lᵢ|³`.
    pub third_absolute: Enclosure,
    /// `P(L = ∞)`.
    pub infinite_mass: Probability,
    /// Do all uses have the same law?
    pub is_identical: bool,
}

impl ComposedClass {
    /// Of a composition; `None` if a loss has no mean, variance or third moment, or is never finite.
    pub fn compose(parts: &[(SharedPair, u64)]) -> Option<Self> {
        let nothing = Self {
            mean: Enclosure::ZERO,
            variance: Enclosure::ZERO,
            third_absolute: Enclosure::ZERO,
            infinite_mass: Probability::ZERO,
            is_identical: parts.len() == 1,
        };
        parts.iter().try_fold(nothing, |sum, (pair, count)| {
            let PrivacyLossClass { inner: moments, infinite_mass: infinite } =
                InnerDistribution::of(pair.as_ref()).class()?;
            let uses = *count as f64;
            // One use keeps all its digits.
            let infinite = if *count == 1 {
                infinite
            } else {
                let log_finite = infinite.complement().ln() * uses;
                Probability::from_both(-log_finite.exp_m1(), log_finite.exp())
            };
            Some(Self {
                mean: sum.mean + moments.mean * uses,
                variance: sum.variance + moments.variance * uses,
                third_absolute: sum.third_absolute + moments.third_absolute * uses,
                infinite_mass: sum.infinite_mass.or(infinite),
                is_identical: sum.is_identical,
            })
        })
    }

    /// `Σ E|Lᵢ − E Lᵢ|³ / (Σ E(Lᵢ − E Lᵢ)²)^{3/2}`, the Lyapunov ratio: `γ/(√n σ³)` for equal uses. Infinite if the variance may be 0.
    pub fn lyapunov_ratio(&self) -> f64 {
        if self.variance.lower() <= 0.0 {
            return f64::INFINITY;
        }
        (self.third_absolute / (self.variance * self.variance.sqrt())).upper()
    }
}
