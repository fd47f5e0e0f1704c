//! μ-GDP: as hard to tell apart as `N(μ, 1)` and `N(0, 1)`.

use super::{LossLaw, SharedPair, gaussian::NormalPair, laplace::LaplacePair};
use crate::mechanism::Gdp;
use hockeystick_numerics::ball::Ball;
use std::sync::Arc;

/// The loss is normal with the given μ, by the definition of Gaussian differential privacy; with μ = 0 there is none.
pub(super) fn loss_law(gdp: &Gdp) -> LossLaw {
    if gdp.mu() == 0.0 {
        return LossLaw::TwoPoint { xi: Ball::ZERO, at_infinity: 0.0 };
    }
    LossLaw::Normal { mu_squared: Ball::product_of(gdp.mu(), gdp.mu()) }
}

pub(super) fn pair(gdp: &Gdp) -> SharedPair {
    if gdp.mu() == 0.0 {
        return Arc::new(LaplacePair::new(Ball::ZERO));
    }
    Arc::new(NormalPair::new(Ball::product_of(gdp.mu(), gdp.mu())))
}
