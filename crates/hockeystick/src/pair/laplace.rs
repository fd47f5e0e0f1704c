//! Laplace noise: two Laplace laws of scale `b`, a distance `s` apart.

use super::LossLaw;
use crate::mechanism::Laplace;
use hockeystick_numerics::ball::Ball;

/// The loss depends on `s/b` alone ([Sommer19, App. A.3]); both directions agree by reflection.
pub(super) fn loss_law(laplace: &Laplace) -> LossLaw {
    LossLaw::Laplace { distance: Ball::from(laplace.sensitivity()) / Ball::from(laplace.scale()) }
}
