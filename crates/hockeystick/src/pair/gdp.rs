//! μ-GDP: as hard to tell apart as `N(μ, 1)` and `N(0, 1)`.

use super::LossLaw;
use crate::mechanism::Gdp;
use hockeystick_numerics::ball::Ball;

/// The loss is normal with the given μ, by the definition of Gaussian differential privacy.
pub(super) fn loss_law(gdp: &Gdp) -> LossLaw {
    LossLaw::Normal { mu_squared: Ball::product_of(gdp.mu(), gdp.mu()) }
}
