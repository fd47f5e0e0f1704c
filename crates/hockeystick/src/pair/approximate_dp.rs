//! Any (ε, δ)-DP mechanism: approximate randomised response, which dominates them all.

use super::{
    LossLaw, SharedPair,
    randomized_response::two_sided,
    shape::{DiscretePair, logistic},
};
use crate::{error::Error, mechanism::ApproximateDp};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// With probability δ the outcome gives the input away; otherwise the loss is `±ε` with odds `e^ε : 1`
/// ([KOV15, Thm 3.3]; [Sommer19, Example 1]). Two outcomes, and a mass of δ that only `P` and only `Q` can produce.
pub(super) fn pair(dp: &ApproximateDp) -> Result<SharedPair, Error> {
    of(dp.epsilon(), dp.delta())
}

/// The pair of selection mechanisms for which ε-DP is all that is proven.
pub(super) fn pure_pair(epsilon: f64) -> Result<SharedPair, Error> {
    of(epsilon, 0.0)
}

fn of(epsilon: f64, delta: f64) -> Result<SharedPair, Error> {
    let xi = Ball::from(epsilon);
    let finite = Ball::ONE - Ball::from(delta);
    let atoms = two_sided(xi, finite * logistic(xi), finite * logistic(-xi)).to_vec();
    let only = Enclosure::point(delta);
    Ok(Arc::new(DiscretePair::new(atoms, only, only)?.with_law(LossLaw::TwoPoint { xi, at_infinity: delta })))
}
