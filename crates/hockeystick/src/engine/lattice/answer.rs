//! Answers of a composition: δ at many ε, ε at δ, the trade-off curve, the composed losses.

use super::{evaluate::ComposedLaw, law::Pessimistic, profile::Lattice, refine::TooLarge, tuning::TUNING};
use crate::{
    curve::{Evaluation, PrivacyProfile, ProfileCurve, TradeOff, conversion::HockeyStickToTradeOff},
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

/// How often an interval is halved: to neighbouring doubles, unless it ends at 0.
const HALVINGS: u32 = 100;

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
        let is_enough = |epsilon: f64| self.upper(epsilon) <= delta;
        let is_too_little = |epsilon: f64| self.lower(epsilon) > delta;
        if is_enough(0.0) {
            return Enclosure::ZERO;
        }
        let start = self.plan().epsilon.max(1e-9);
        let high = least(start, is_enough);
        let end = high.unwrap_or(start);
        let low = widened(end, -1.0, is_too_little).map_or(0.0, |low| halved(low, end, is_too_little));
        Enclosure::new(low, high.unwrap_or(f64::INFINITY).max(low))
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
    /// The smallest `ε ≥ 0` for which `δ(ε) ≤ delta` is proven, searched from `start` upwards.
    pub(crate) fn epsilon(&self, delta: f64, start: f64) -> Option<f64> {
        least(start.max(1e-9), |epsilon| self.upper(epsilon) <= delta)
    }
}

/// The smallest number at which a monotone condition holds, searched from `start` upwards.
fn least(start: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    widened(start, 1.0, &holds).map(|high| halved(high, 0.0, &holds))
}

/// The first trial at which the condition holds, going up from `start`, or down for a negative sign.
fn widened(start: f64, sign: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    let steps = std::iter::successors(Some(TUNING.first_step), |step| Some(step * TUNING.step_growth));
    let near = steps.take_while(|step| *step < TUNING.widening - 1.0).map(|step| step * sign.signum());
    let factor = if sign > 0.0 { TUNING.widening } else { 1.0 / TUNING.widening };
    let far = std::iter::successors(Some(start * factor), |at| Some(at * factor)).take(TUNING.widenings);
    let all = std::iter::once(start).chain(near.map(|step| start * (1.0 + step))).chain(far);
    all.into_iter().find(|at| holds(*at))
}

/// Bisection between `good`, where the condition holds, and `beyond`, where it does not: the last number at which it holds.
fn halved(good: f64, beyond: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let (mut good, mut bad) = (good, beyond);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (good + bad);
        if middle == good || middle == bad {
            break;
        }
        if holds(middle) { good = middle } else { bad = middle }
    }
    good
}
