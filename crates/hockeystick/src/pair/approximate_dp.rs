//! Any (ε, δ)-DP mechanism: approximate randomised response, which dominates them all.

use super::{
    SharedPair,
    randomized_response::two_sided,
    shape::{DiscretePair, logistic},
};
use crate::{curve::LossLaw, error::Error, mechanism::ApproximateDp};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// With probability δ the outcome gives the input away; otherwise the loss is `±ε` with odds `e^ε : 1`
/// ([KOV15, Thm 3.3]; [Sommer19, Example 1]).
pub(super) fn loss_law(dp: &ApproximateDp) -> LossLaw {
    LossLaw::TwoPoint { xi: Ball::from(dp.epsilon()), at_infinity: dp.delta() }
}

/// Two outcomes with the losses `±ε`, and a mass of δ that only `P` and only `Q` can produce.
pub(super) fn pair(dp: &ApproximateDp) -> Result<SharedPair, Error> {
    let xi = Ball::from(dp.epsilon());
    let finite = Ball::ONE - Ball::from(dp.delta());
    let atoms = two_sided(xi, finite * logistic(xi), finite * logistic(-xi)).to_vec();
    let only = Enclosure::point(dp.delta());
    Ok(Arc::new(DiscretePair::new(atoms, only, only)?.with_law(loss_law(dp))))
}
