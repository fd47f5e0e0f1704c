//! What the author of a curve says of it.

use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};
use std::{fmt, ops::RangeInclusive, sync::Arc};

/// The hockey-stick curve of a worst-case pair `(P, Q)` for removing a record, enclosed at any `ε ≥ 0` in both directions.
///
/// That is all there is to know of a pair: `H_α(P‖Q) = 1 − α + α·H_{1/α}(Q‖P)` gives the curves at negative ε. Implement it where δ can be
/// enclosed but losses cannot be listed, and make a pair of it by [`CurvePair::shared`](super::CurvePair::shared): it is composed, mixed with other parts and sampled
/// like any other pair.
///
/// The enclosures need not come from one pair of laws. Upper ends have to be above every pair of neighbouring datasets. Lower ends have to be
/// below one pair of datasets that is the same for all ε, or below a pair that dominates. Compositions then have the same meaning.
///
/// # Example
/// ```
/// use hockeystick::{Query, pair::{CertifiedCurve, CurvePair, Releases}};
/// use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};
/// use std::ops::RangeInclusive;
///
/// /// Laplace noise of scale 1 on a count: δ(ε) = 1 − e^{(ε−1)/2} up to ε = 1.
/// #[derive(Debug)]
/// struct NoisyCount;
///
/// impl CertifiedCurve for NoisyCount {
///     fn removed(&self, epsilon: f64) -> Probability {
///         let kept = ((Enclosure::point(epsilon) - 1.0) * 0.5).exp();
///         if epsilon < 1.0 { Probability::from_complement(kept) } else { Probability::ZERO }
///     }
///
///     fn added(&self, epsilon: f64) -> Probability {
///         self.removed(epsilon)
///     }
///
///     fn infinite_mass(&self) -> Probability {
///         Probability::ZERO
///     }
///
///     fn vanishing_mass(&self) -> Probability {
///         Probability::ZERO
///     }
///
///     fn finite_losses(&self) -> RangeInclusive<Enclosure> {
///         Enclosure::point(-1.0)..=Enclosure::ONE
///     }
///
///     fn is_self_dual(&self) -> bool {
///         true
///     }
/// }
///
/// let releases = Releases::of_pair("noisy count", CurvePair::shared(NoisyCount), 1)?;
/// let answer = Query::of(&releases).delta(0.5)?;
/// assert!(answer.lower().unwrap() <= 1.0 - (-0.25f64).exp() && answer.upper() - answer.lower().unwrap() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Guarantee
/// Every enclosure contains the truth, round-off included, for the double that is given.
pub trait CertifiedCurve: fmt::Debug + Send + Sync {
    /// `H_{e^ε}(P‖Q)` for a finite `ε ≥ 0`: δ for removing a record. Relative accuracy down to the smallest δ makes compositions narrow.
    fn removed(&self, epsilon: f64) -> Probability;

    /// `H_{e^ε}(Q‖P)` for a finite `ε ≥ 0`: δ for adding a record.
    fn added(&self, epsilon: f64) -> Probability;

    /// `P(L = ∞)`, the limit of [`removed`](Self::removed) for large ε.
    fn infinite_mass(&self) -> Probability;

    /// `Q(L = −∞)`, the limit of [`added`](Self::added) for large ε.
    fn vanishing_mass(&self) -> Probability;

    /// The smallest and the largest finite loss; infinite where losses are unbounded, an enclosure up to infinity where it is not known.
    fn finite_losses(&self) -> RangeInclusive<Enclosure>;

    /// Are both directions the same curve? Then the pair stands for replacing a record, too, if it dominates that in one order.
    fn is_self_dual(&self) -> bool {
        false
    }

    /// The same curve to fewer digits, if that is faster: a composition looks at hundreds of points.
    fn at_many_points(&self) -> Option<Arc<dyn CertifiedCurve>> {
        None
    }

    /// What whoever reads an answer should know of the curve: a theorem that leaves a gap, say.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
