//! Randomised response with k answers.

use super::{SharedPair, randomized_response::symmetric};
use crate::{error::Error, mechanism::KRandomizedResponse};
use hockeystick_numerics::ball::Ball;

/// The answers for two different true categories: one has the loss ε, one −ε, and the `k − 2` others 0.
///
/// With `t = e^{−ε}` the probabilities under `P` are `1`, `t` and `(k−2)t` over `1 + (k−1)t`. Swapping the two
/// categories swaps the directions; with two categories it is randomised response.
pub(super) fn pair(response: &KRandomizedResponse) -> Result<SharedPair, Error> {
    let epsilon = Ball::from(response.epsilon());
    let others = response.categories() - 1;
    let rare = (-epsilon).exp();
    let total = Ball::ONE + Ball::from(others) * rare;
    let still = (others > 1).then(|| Ball::from(others - 1) * rare / total);
    symmetric(epsilon, Ball::ONE / total, rare / total, still)
}
