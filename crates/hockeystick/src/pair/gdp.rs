//! μ-GDP: as hard to tell apart as `N(μ, 1)` and `N(0, 1)`.

use super::{LossLaw, SharedPair, gaussian::NormalPair};
use crate::mechanism::Gdp;
use hockeystick_numerics::ball::Ball;
use std::sync::Arc;

/// The loss is normal with the given μ, by the definition of Gaussian differential privacy.
pub(super) fn loss_law(gdp: &Gdp) -> LossLaw {
    LossLaw::Normal { mu_squared: Ball::product_of(gdp.mu(), gdp.mu()) }
}

pub(super) fn pair(gdp: &Gdp) -> SharedPair {
    Arc::new(NormalPair::new(Ball::product_of(gdp.mu(), gdp.mu())))
}
