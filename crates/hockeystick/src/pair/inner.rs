//! The finite part of the privacy loss: its law given that it is finite, and the class that sums of it belong to.

use super::{DominatingPair, Moments};
use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure, probability::Probability};
use num_complex::Complex;

/// The inner distribution of a pair: the law of its loss under `P`, given that it is finite ([Sommer19, Def. 4]).
///
/// What it leaves out, `P(L = ∞)`, composes by itself: `1 − Π(1 − p∞)`.
#[derive(Clone, Copy, Debug)]
pub struct InnerDistribution<'a> {
    pair: &'a dyn DominatingPair,
}

/// The privacy loss class `(μ, σ², ω(∞))` of a pair ([Sommer19, Def. 10]), with the third moment that normal approximations
/// ask for.
///
/// Pairs of one class compose towards the same normal law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrivacyLossClass {
    /// Mean, variance and third absolute central moment of the inner distribution.
    pub inner: Moments,
    /// `ω(∞) = P(L = ∞)`.
    pub infinite_mass: Probability,
}

impl dyn DominatingPair + '_ {
    /// The finite part of the loss under `P`, normalised. Of a pair whose type is known: [`InnerDistribution::of`].
    pub fn inner(&self) -> InnerDistribution<'_> {
        InnerDistribution::of(self)
    }
}

impl<'a> InnerDistribution<'a> {
    /// The inner distribution of a pair.
    pub fn of(pair: &'a dyn DominatingPair) -> Self {
        Self { pair }
    }

    /// `P(|L| < ∞)`: how much of `P` it is made of.
    pub fn mass(&self) -> Probability {
        self.pair.infinite_mass().opposite()
    }

    /// The distribution function `P(L ≤ y | L < ∞)`.
    pub fn cdf(&self, y: Ball) -> Probability {
        self.tail(y).opposite()
    }

    /// `P(L > y | L < ∞)`. Nothing is known of it if no loss is finite.
    pub fn tail(&self, y: Ball) -> Probability {
        let (above, infinite) = (self.pair.tails(y).p, self.pair.infinite_mass());
        let mass = infinite.complement();
        if mass.lower() <= 0.0 {
            return Probability::UNKNOWN;
        }
        let finite = (above.value() - infinite.value()).clamp(0.0, 1.0);
        Probability::from_both(finite / mass, above.complement() / mass)
    }

    /// `E[L]`, the variance and the third absolute central moment; `None` if no loss is finite or one does not exist.
    pub fn moments(&self) -> Option<Moments> {
        self.pair.moments()
    }

    /// `E[e^{zL}] = M(z)/P(|L| < ∞)`; `None` outside the strip, or if no loss is finite.
    pub fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        let (disc, mass) = (self.pair.mgf(z)?, self.mass().value());
        (mass.lower() > 0.0).then(|| divided(disc, mass))
    }

    /// The class of the pair; `None` without moments.
    pub fn class(&self) -> Option<PrivacyLossClass> {
        Some(PrivacyLossClass { inner: self.moments()?, infinite_mass: self.pair.infinite_mass() })
    }
}

/// A disc over a positive number.
fn divided(disc: Disc, mass: Enclosure) -> Disc {
    let scale = Enclosure::ONE / mass;
    let center = disc.center() * scale.midpoint();
    let off = scale.width() * disc.center().norm() + f64::EPSILON * center.norm();
    Disc::new(center, (disc.radius() * scale.upper() + off) * (1.0 + 1e-9))
}
