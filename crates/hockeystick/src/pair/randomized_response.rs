//! Randomised response: `(p, 1−p)` against `(1−p, p)`.

use super::LossLaw;
use crate::mechanism::{RandomizedResponse, ResponseParameter};
use hockeystick_numerics::ball::Ball;

/// The loss is `±ξ` with `ξ = |ln(p/(1−p))|` and odds `e^ξ : 1`; swapping the outcomes swaps the directions.
pub(super) fn loss_law(response: &RandomizedResponse) -> LossLaw {
    let xi = match response.parameter() {
        ResponseParameter::Epsilon(epsilon) => Ball::from(epsilon),
        ResponseParameter::Truth(p) => {
            // 1 − p is exact as the sum of two doubles.
            let (truth, lie) = (Ball::from(p), Ball::ONE - Ball::from(p));
            if p >= 0.5 { (truth / lie).ln() } else { (lie / truth).ln() }
        }
    };
    LossLaw::TwoPoint { xi, at_infinity: 0.0 }
}
