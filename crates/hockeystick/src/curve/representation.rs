//! The representations of an ordered pair `(P, Q)`, each of which determines the others ([Zhu22, Fig. 2]).
//!
//! All of them speak of the same ordered pair and of the same loss `L = log dP/dQ`, under `P` and under `Q`. That settles
//! every question of direction: a conversion never swaps the pair, except the one that says so.

use super::PrivacyProfile;
use crate::pair::{DominatingPair, Tails};
use hockeystick_numerics::{ball::Ball, disc::Disc, probability::Probability};
use num_complex::Complex;

/// Where the loss can lie. No representation shows its limits at finitely many points, so they are told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// No finite loss is smaller.
    pub smallest: f64,
    /// No finite loss is larger.
    pub largest: f64,
    /// `P(L = ∞)`.
    pub infinite_mass: Probability,
    /// `Q(L = −∞)`.
    pub vanishing_mass: Probability,
}

impl Support {
    /// Nothing is known. Every conversion stays valid; those that need a limit answer with an infinite bound.
    pub const UNKNOWN: Self = Self {
        smallest: f64::NEG_INFINITY,
        largest: f64::INFINITY,
        infinite_mass: Probability::UNKNOWN,
        vanishing_mass: Probability::UNKNOWN,
    };
}

/// What every representation may know of the support of the loss.
pub trait LossSupport {
    /// The support.
    fn support(&self) -> Support {
        Support::UNKNOWN
    }
}

/// The hockey-stick curve `ε ↦ H_{e^ε}(P‖Q) = sup_A P(A) − e^ε Q(A)`, for all real `ε`.
pub trait HockeyStick: LossSupport {
    /// `H_{e^ε}(P‖Q)`, enclosed for all real numbers in `epsilon`.
    fn hockey_stick(&self, epsilon: Ball) -> Probability;
}

/// The complementary distribution functions of the loss under `P` and `Q`.
///
/// The `F` and `G` of [Zhu22, App. B] are those of `log dQ/dP = −L`: `F(x) = P(L ≥ −x)`, `G(x) = Q(L ≥ −x)`.
pub trait LossTails: LossSupport {
    /// `P(L > ε)` and `Q(L > ε)`; where an atom cannot be told from `ε`, both possibilities are enclosed.
    fn loss_tails(&self, epsilon: Ball) -> Tails;
}

/// The trade-off function `f = T[P, Q]`: `f(x) = inf { 1 − Q(A) : P(A) ≤ x }` over randomised events `A`, the least type II
/// error of a test of `P` against `Q` whose type I error is at most `x`.
pub trait TradeOff: LossSupport {
    /// `f(x)`, enclosed, for `x` in `[0, 1]`.
    fn trade_off(&self, type_one_error: f64) -> Probability;
}

/// The moment function `M(z) = E_P[e^{zL}; |L| < ∞]`.
///
/// It holds both characteristic functions of `L`: `M(it)` under `P` and `M(it − 1)` under `Q`, of sub-probability measures of
/// mass `1 − P(L = ∞)` and `1 − Q(L = −∞)`. The `φ′` of [Zhu22, Def. 12] is the one of `−L` under `Q`: `M(−it − 1)`.
pub trait MomentFunction: LossSupport {
    /// `M(z)`; a disc of infinite radius where it is not known, or does not exist.
    fn moment(&self, z: Complex<f64>) -> Disc;
}

impl<T: DominatingPair + ?Sized> LossSupport for T {
    fn support(&self) -> Support {
        let losses = self.finite_losses();
        Support {
            smallest: losses.start().lower(),
            largest: losses.end().upper(),
            infinite_mass: self.infinite_mass(),
            vanishing_mass: self.vanishing_mass(),
        }
    }
}

impl<T: DominatingPair + ?Sized> HockeyStick for T {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        self.delta(epsilon)
    }
}

impl<T: DominatingPair + ?Sized> LossTails for T {
    fn loss_tails(&self, epsilon: Ball) -> Tails {
        self.tails(epsilon)
    }
}

impl<T: DominatingPair + ?Sized> MomentFunction for T {
    fn moment(&self, z: Complex<f64>) -> Disc {
        self.mgf(z).unwrap_or(Disc::new(Complex::new(0.0, 0.0), f64::INFINITY))
    }
}

/// The profile of a composition as a hockey-stick curve, so that whatever an engine composes can be converted.
#[derive(Clone, Copy, Debug)]
pub struct ProfileCurve<'a, T: ?Sized>(pub &'a T);

impl<T: PrivacyProfile + ?Sized> LossSupport for ProfileCurve<'_, T> {
    fn support(&self) -> Support {
        Support {
            largest: self.0.largest_finite_loss().upper(),
            infinite_mass: self.0.mass_at_infinity(),
            ..Support::UNKNOWN
        }
    }
}

impl<T: PrivacyProfile + ?Sized> HockeyStick for ProfileCurve<'_, T> {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        // δ decreases: its values at the ends of the ball enclose those inside.
        let ends = epsilon.enclosure();
        let largest = self.0.delta(ends.lower()).delta;
        if ends.lower() == ends.upper() {
            return largest;
        }
        let smallest = self.0.delta(ends.upper()).delta;
        Probability::from_both(
            smallest.value().hull(largest.value()),
            smallest.complement().hull(largest.complement()),
        )
    }
}
