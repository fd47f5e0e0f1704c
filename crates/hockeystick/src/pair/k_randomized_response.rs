//! Randomised response with k answers.

use super::{SharedPair, randomized_response::two_sided, shape::DiscretePair};
use crate::{error::Error, mechanism::KRandomizedResponse, pair::Atom, pair::LossLaw};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// The answers for two different true categories: one has the loss ε, one −ε, and the `k − 2` others 0.
///
/// With `t = e^{−ε}` the probabilities under `P` are `1`, `t` and `(k−2)t` over `1 + (k−1)t`. Swapping the two
/// categories swaps the directions; with two categories it is randomised response.
pub(super) fn pair(response: &KRandomizedResponse) -> Result<SharedPair, Error> {
    let epsilon = Ball::from(response.epsilon());
    let others = response.categories() - 1;
    let rare = (-epsilon).exp();
    let total = Ball::ONE + Ball::from(others) * rare;
    let mut atoms = two_sided(epsilon, Ball::ONE / total, rare / total).to_vec();
    if others > 1 {
        let rest = (Ball::from(others - 1) * rare / total).enclosure().clamp(0.0, 1.0);
        atoms.push(Atom { loss: Ball::ZERO, p: rest, q: rest });
    }
    let pair = DiscretePair::new(atoms, Enclosure::ZERO, Enclosure::ZERO)?;
    Ok(Arc::new(if others == 1 {
        pair.with_law(LossLaw::TwoPoint { xi: epsilon, at_infinity: 0.0 })
    } else {
        pair.declared_self_dual()
    }))
}
