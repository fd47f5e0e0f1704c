//! Answers of a composition: δ at many ε, ε at δ, the trade-off curve, the composed losses.

use super::{evaluate::ComposedLaw, law::Pessimistic, profile::Lattice, refine::TooLarge};
use crate::{
    curve::{
        Evaluation, PrivacyProfile, ProfileCurve, TradeOff, conversion::HockeyStickToTradeOff,
        smallest_epsilon_near,
    },
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// A loss and how likely it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossMass {
    /// The loss.
    pub loss: f64,
    /// Its probability under `P`.
    pub mass: f64,
}

impl Lattice {
    /// δ at each ε, from one composition.
    ///
    /// # Guarantee
    /// Each enclosure contains the truth. Far from the goal of the composition they may be wide.
    pub fn deltas(&self, epsilons: &[f64]) -> Vec<Evaluation> {
        epsilons.iter().map(|&epsilon| self.delta(epsilon)).collect()
    }

    /// The smallest `ε ≥ 0` with `δ(ε) ≤ delta`.
    ///
    /// # Guarantee
    /// `δ(upper) ≤ delta` is proven by the pessimistic law, or `upper = ∞`; `δ(lower) > delta` by the optimistic one, or
    /// `lower = 0`.
    pub fn epsilon(&self, delta: f64) -> Enclosure {
        let (start, largest) = (self.plan().epsilon, self.largest_finite_loss());
        let upper = End { at: |epsilon| self.upper(epsilon), largest }.epsilon(delta, start).upper();
        let lower = End { at: |epsilon| self.lower(epsilon), largest }.epsilon(delta, start).lower();
        Enclosure::new(lower.min(upper), upper)
    }

    /// The least type II error of a test whose type I error is at most `type_one_error`.
    pub fn trade_off(&self, type_one_error: f64) -> Probability {
        HockeyStickToTradeOff(&ProfileCurve(self)).trade_off(type_one_error)
    }

    /// The composed losses in plain floats, for plots: those of the pessimistic law in the window, or all outcomes if they were enumerated.
    pub fn losses(&self) -> Vec<LossMass> {
        self.masses().into_iter().map(|(loss, mass)| LossMass { loss, mass }).collect()
    }

    /// This composition and more, for the same goal and with the same options.
    pub fn and(&self, more: &[(SharedPair, u64)]) -> Result<Self, TooLarge> {
        let (parts, goal, options) = self.made_of();
        let parts: Vec<(SharedPair, u64)> = parts.iter().chain(more).cloned().collect();
        Self::compose_with(&parts, goal, options)
    }
}

impl ComposedLaw<Pessimistic> {
    /// The smallest `ε ≥ 0` for which `δ(ε) ≤ delta` is proven, if one is found from `start` on.
    pub(crate) fn epsilon(&self, delta: f64, start: f64) -> Option<f64> {
        let end = End { at: |epsilon| self.upper(epsilon), largest: Enclosure::point(f64::INFINITY) };
        Some(end.epsilon(delta, start).upper()).filter(|found| found.is_finite())
    }
}

/// One end of δ, as a profile of its own: searched alone, it is found to the last digit.
struct End<At> {
    at: At,
    largest: Enclosure,
}

impl<At: Fn(f64) -> f64 + Send + Sync> End<At> {
    fn epsilon(&self, delta: f64, start: f64) -> Enclosure {
        smallest_epsilon_near(self, delta, Some(start)).0.bounds
    }
}

impl<At: Fn(f64) -> f64 + Send + Sync> PrivacyProfile for End<At> {
    fn delta(&self, epsilon: f64) -> Evaluation {
        Evaluation::exact(Probability::from_value(Enclosure::point((self.at)(epsilon))), 0.0)
    }

    fn mass_at_infinity(&self) -> Probability {
        Probability::UNKNOWN
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }
}
