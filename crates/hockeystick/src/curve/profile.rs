//! The privacy profile `ε ↦ δ(ε)` of a composition.

use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// `δ(ε) = H_{e^ε}(P‖Q) = E_P[(1 − e^{ε−L})₊; L < ∞] + P(L = ∞)` in one direction, enclosed.
pub trait PrivacyProfile {
    /// `δ(ε)` for any real `ε`.
    ///
    /// # Guarantee
    /// The enclosure contains the truth, round-off included.
    fn delta(&self, epsilon: f64) -> Evaluation;

    /// `P(L = ∞)`, the limit of `δ(ε)` for large `ε`.
    fn mass_at_infinity(&self) -> Probability;

    /// The largest finite loss: from there on `δ(ε)` is the mass at infinity. Infinite where losses are unbounded.
    fn largest_finite_loss(&self) -> Enclosure;
}

/// A value of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The enclosed probability.
    pub delta: Probability,
    /// The part of its half-width that comes from terms left out of sums.
    pub truncation: f64,
}
