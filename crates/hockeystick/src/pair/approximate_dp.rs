//! Any (ε, δ)-DP mechanism: approximate randomised response, which dominates them all.

use super::LossLaw;
use crate::mechanism::ApproximateDp;
use hockeystick_numerics::ball::Ball;

/// With probability δ the outcome gives the input away; otherwise the loss is `±ε` with odds `e^ε : 1`
/// ([KOV15, Thm 3.3]; [Sommer19, Example 1]).
pub(super) fn loss_law(dp: &ApproximateDp) -> LossLaw {
    LossLaw::TwoPoint { xi: Ball::from(dp.epsilon()), at_infinity: dp.delta() }
}

/// Selection mechanisms for which ε-DP is all that is proven.
pub(super) fn pure(epsilon: f64) -> LossLaw {
    LossLaw::TwoPoint { xi: Ball::from(epsilon), at_infinity: 0.0 }
}
