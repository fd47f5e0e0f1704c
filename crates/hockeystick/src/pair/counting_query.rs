//! The exponential mechanism on a counting query.

use super::{
    Atom, SharedPair,
    shape::{DiscretePair, logistic, mixed_loss},
};
use crate::{error::Error, mechanism::InvalidParameter};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// Two outcomes whose scores count the records that equal them: `m` of `n` records are 0 under `P`; under `Q` one of those
/// is missing ([Koskela21, 6.1]).
///
/// The log-odds of 0 are `a = ε̃(2m − n)` under `P` and `a − ε̃` under `Q`. With `p₀, p₁` the probabilities under `P`, the
/// losses are `log(p₀ + p₁e^{ε̃})` at 0 and `log(p₁ + p₀e^{−ε̃})` at 1: mixtures, which do not cancel.
pub(super) fn pair(epsilon_tilde: f64, n: u64, m: u64) -> Result<SharedPair, Error> {
    if m == 0 {
        return Err(Error::Mechanism(InvalidParameter {
            mechanism: "exponential",
            parameter: "m",
            value: m.to_string(),
            allowed: format!("a whole number from 1 to {n}"),
            cure:
                "the pair takes away one of the m records that are counted; give m of a dataset that has one"
                    .to_owned(),
        }));
    }
    let factor = Ball::from(epsilon_tilde);
    let under_p = factor * (Ball::from(2 * m) - Ball::from(n));
    let under_q = factor * (Ball::from(2 * m) - Ball::from(n + 1));
    let (p_zero, p_one) = (logistic(under_p), logistic(-under_p));
    let mass = |chance: Ball| chance.enclosure().clamp(0.0, 1.0);
    let zero = Atom { loss: mixed_loss(p_one, p_zero, factor), p: mass(p_zero), q: mass(logistic(under_q)) };
    let one = Atom { loss: mixed_loss(p_zero, p_one, -factor), p: mass(p_one), q: mass(logistic(-under_q)) };
    Ok(Arc::new(DiscretePair::new(vec![zero, one], Enclosure::ZERO, Enclosure::ZERO)?))
}
