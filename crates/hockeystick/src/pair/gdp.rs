//! μ-GDP: as hard to tell apart as `N(μ, 1)` and `N(0, 1)`.

use super::{SharedPair, approximate_dp, gaussian::NormalPair};
use crate::{error::Error, mechanism::Gdp};
use hockeystick_numerics::ball::Ball;
use std::sync::Arc;

/// The loss is normal with the given μ, by the definition of Gaussian differential privacy; with μ = 0 there is none.
pub(super) fn pair(gdp: &Gdp) -> Result<SharedPair, Error> {
    if gdp.mu() == 0.0 {
        return approximate_dp::pure_pair(0.0);
    }
    Ok(Arc::new(NormalPair::new(Ball::product_of(gdp.mu(), gdp.mu()))))
}
