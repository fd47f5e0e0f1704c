//! Release by noisy distance to instability.
//!
//! In: ε and δ. Out: the pair whose profile is the larger of those of both modes of the release.
//!
//! # Guarantee
//! Masses and tails are closed forms, enclosed, also where the two modes nearly touch.

use super::{
    Atom, DominatingPair, Panel, Quadratic, RatioLaw, SharedPair, Tails, loss_law::laplace, stretch::Stretch,
};
use crate::{error::Error, mechanism::Stability};
use hockeystick_numerics::{
    ball::Ball, double_double::DoubleDouble, enclosure::Enclosure, probability::Probability,
    rounding::UNIT_ROUNDOFF,
};
use std::{ops::RangeInclusive, sync::Arc};

/// With probability `δ₀` the loss is infinite; otherwise it is that of two Laplace laws `c = max(ε₀ + 2·log(1 − δ₀), 0)`
/// scales apart.
///
/// The mechanism has two modes ([Zhu22, Ex. 16]). If the distance is positive, its noisy value costs what a Laplace
/// mechanism does, `1 − H(α) = exp(min(ε, (ε − ε₀)/2, 0))` with `ε = log α`; if it is 0, the answer gives the input away
/// with probability `δ₀` and nothing otherwise, `1 − H(α) = (1 − δ₀)·exp(min(ε, 0))`. No pair of neighbours attains both, so
/// the profile is the larger `H`: that of the smaller of the two right-hand sides. A maximum of two curves of
/// [Zhu22, Lemma 9] is one, so some pair has it.
///
/// **Crossings.** `exp((ε − ε₀)/2)` is below `1 − δ₀` for `ε < c`, and below `(1 − δ₀)e^ε` for `ε > −c`. So the Laplace
/// curve is the larger one on `(−c, c)`, if that is an interval, and the other one elsewhere. On it
/// `exp((ε − ε₀)/2) = (1 − δ₀)·exp((ε − c)/2)`, hence for all `ε`
///
/// `1 − H(α) = (1 − δ₀)·exp(min(ε, (ε − c)/2, 0))`,
///
/// which is the mixture above: each atom at `±c` keeps the share of its Laplace law, and if `c = 0` both are one at 0.
///
/// **Self-duality.** Swapping `P` and `Q` maps a curve to `αH(1/α) − α + 1` ([Zhu22, Lemma 46]), which keeps the order of
/// curves and so turns a maximum into the maximum of the images. Both modes are their own image; so is their maximum.
#[derive(Clone, Copy, Debug)]
struct StabilityPair {
    reach: Ball,
    delta: f64,
}

/// The pair of both directions.
pub(super) fn pair(mechanism: &Stability) -> Result<SharedPair, Error> {
    Ok(Arc::new(StabilityPair::new(mechanism.epsilon(), mechanism.delta())))
}

impl StabilityPair {
    fn new(epsilon: f64, delta: f64) -> Self {
        let reach = Ball::from(epsilon) + Ball::from(2.0) * Ball::from(-delta).ln_1p();
        let bounds = reach.enclosure();
        let reach = if bounds.upper() <= 0.0 {
            Ball::ZERO
        } else if bounds.lower() < 0.0 {
            Ball::new(DoubleDouble::from(0.5 * bounds.upper()), (0.5 * bounds.upper()).next_up())
        } else {
            reach
        };
        Self { reach, delta }
    }

    /// `δ₀`.
    fn infinite(self) -> Probability {
        Probability::from_value(Enclosure::point(self.delta))
    }

    /// `1 − δ₀`.
    fn kept(self) -> Probability {
        self.infinite().opposite()
    }

    /// Is `c` known as well as the coefficients of a panel must be?
    fn has_sharp_reach(self) -> bool {
        self.reach.radius() < UNIT_ROUNDOFF * self.reach.approximate()
    }
}

impl DominatingPair for StabilityPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.infinite().or(laplace::delta(self.reach, epsilon))
    }

    /// Given a finite loss, `P(L > ε) = 1 − ½e^{(ε−c)/2}` and `Q(L > ε) = ½e^{−(ε+c)/2}` for `−c ≤ ε < c`.
    fn tails(&self, epsilon: Ball) -> Tails {
        let certain = Probability::ZERO.opposite();
        Stretch::of(epsilon, self.reach).select(
            || Tails { p: certain, q: self.kept() },
            || {
                let half = Ball::from(0.5);
                let lost = ((epsilon - self.reach) * half).exp_enclosure() * 0.5;
                let rare = ((-epsilon - self.reach) * half).exp_enclosure() * 0.5;
                Tails {
                    p: self.infinite().or(Probability::from_complement(lost)),
                    q: self.kept().and(Probability::from_value(rare)),
                }
            },
            || Tails { p: self.infinite(), q: Probability::ZERO },
        )
    }

    fn infinite_mass(&self) -> Probability {
        self.infinite()
    }

    fn vanishing_mass(&self) -> Probability {
        self.infinite()
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let reach = self.reach.enclosure();
        -reach..=reach
    }

    /// Atoms of `½(1 − δ₀)` and `½(1 − δ₀)e^{−c}` at `±c`, and between them a panel in `x = w(L + c)/(2c)` with a power of
    /// two `w ≥ c`: its ends are exact though `c` is rounded, and no coefficient is near 0 but for small `c`.
    ///
    /// A `c` that is 0, or hardly to be told from 0, makes one atom of losses in `[−c, c]`.
    fn ratio_law(&self) -> RatioLaw {
        let kept = self.kept().value();
        if !self.has_sharp_reach() {
            let upper = self.reach.enclosure().upper();
            let loss = Ball::new(DoubleDouble::ZERO, upper);
            return RatioLaw { atoms: vec![Atom { loss, p: kept, q: kept }], ..RatioLaw::default() };
        }
        let (often, c) = (kept * 0.5, self.reach.approximate());
        let rarely = often * (-self.reach).exp_enclosure();
        let width = 2f64.powi(c.log2().ceil().clamp(-1000.0, 1000.0) as i32);
        let per_width = self.reach / Ball::from(width);
        // Q has the density ½(1 − δ₀)e^{−y} in y = (L + c)/2.
        let height = (per_width * Ball::from(0.5)).ln() + Ball::from(-self.delta).ln_1p();
        let panel = Panel {
            from: 0.0,
            to: width,
            log_q: Quadratic {
                constant: height.approximate(),
                linear: -per_width.approximate(),
                square: 0.0,
            },
            ratio: vec![(
                1.0,
                Quadratic { constant: -c, linear: 2.0 * per_width.approximate(), square: 0.0 },
            )],
        };
        RatioLaw {
            atoms: vec![
                Atom { loss: -self.reach, p: rarely, q: often },
                Atom { loss: self.reach, p: often, q: rarely },
            ],
            panels: vec![panel],
            ..RatioLaw::default()
        }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(*self)
    }

    fn is_self_dual(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
