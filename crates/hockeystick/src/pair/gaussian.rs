//! Gaussian noise: `N(s, σ²)` against `N(0, σ²)`.

use super::LossLaw;
use crate::mechanism::Gaussian;
use hockeystick_numerics::ball::Ball;

/// The loss is normal with `μ = s/σ` ([Sommer19, Lemma 11]); the pair is the same in both directions by reflection.
pub(super) fn loss_law(gaussian: &Gaussian) -> LossLaw {
    let mu = Ball::from(gaussian.sensitivity()) / Ball::from(gaussian.sigma());
    LossLaw::Normal { mu_squared: mu * mu }
}
