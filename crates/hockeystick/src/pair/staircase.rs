//! Staircase noise.

use super::{SharedPair, randomized_response::symmetric};
use crate::{error::Error, mechanism::Staircase};
use hockeystick_numerics::ball::Ball;

/// The noise around 1 against the noise around 0: three losses, `±ε` and 0.
///
/// In units of the sensitivity the density falls by `t = e^{−ε}` at `γ + k`, from `a = (1 − t)/2(γ + t(1 − γ))`. Moved by 1
/// each outcome beyond both centres changes by one step, and so do those within `m = min(γ, 1 − γ)` of a centre; between
/// `m` and `1 − m` nothing changes. Hence `P(L = ε) = ½ + am`, `P(L = −ε) = t·P(L = ε)`, and `P(L = 0) = |1 − 2γ|·a`,
/// times `t` where `γ < ½`. At `γ = ½` it is randomised response. Reflection swaps the directions.
///
/// Answers may be closer to each other than 1. A symmetric density that falls on both sides, moved by `s`, has total variation
/// distance `∫_{−s/2}^{s/2} f`, which grows with `s`; for `s ≤ 1` the losses are still `±ε` and 0, with odds `e^ε` between
/// the first two, so that the distance says everything and the pair for 1 dominates all others.
pub(super) fn pair(noise: &Staircase) -> Result<SharedPair, Error> {
    // γ = 0 has a first step of no length: the same density as γ = 1.
    let first = if noise.gamma() == 0.0 { 1.0 } else { noise.gamma() };
    let (epsilon, gamma) = (Ball::from(noise.epsilon()), Ball::from(first));
    let (fall, rest) = ((-epsilon).exp(), Ball::ONE - gamma);
    let height = -(-epsilon).exp_m1() / (Ball::from(2.0) * (gamma + fall * rest));
    let narrow = first <= 0.5;
    let likely = Ball::from(0.5) + height * if narrow { gamma } else { rest };
    let unmoved = if narrow { (rest - gamma) * fall * height } else { (gamma - rest) * height };
    symmetric(epsilon, likely, likely * fall, (first != 0.5).then_some(unmoved))
}
