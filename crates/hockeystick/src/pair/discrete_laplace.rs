//! Laplace noise on the integers.

use super::{Atom, NoPair, SharedPair, shape::DiscretePair};
use crate::{error::Error, mechanism::DiscreteLaplace};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// More losses than this are refused.
const MOST_OUTCOMES: u64 = 1_000_000;

/// The noise around `s` against the noise around 0, both `∝ r^{|x|}`, `r = e^{−1/b}`.
///
/// The loss is `(2x − s)/b` between 0 and `s` and constant beyond. So there are `s + 1` of them, and the ends are
/// geometric sums: `Q(x ≤ 0) = 1/(1 + r)` and `Q(x ≥ s) = r^s/(1 + r)`; between, `Q(x) = r^x(1 − r)/(1 + r)`.
/// Both directions agree by reflection.
pub(super) fn pair(laplace: &DiscreteLaplace) -> Result<SharedPair, Error> {
    let shift = laplace.sensitivity();
    if shift > MOST_OUTCOMES {
        return Err(NoPair::TooManyOutcomes { outcomes: shift as f64, most: MOST_OUTCOMES as usize }.into());
    }
    let scale = Ball::from(laplace.scale());
    let step = Ball::ONE / scale;
    let total = Ball::ONE + (-step).exp();
    let (end, inside) = (Ball::ONE / total, -(-step).exp_m1() / total);
    let loss = |x: u64| (Ball::from(2 * x) - Ball::from(shift)) / scale;
    let weight = |x: u64| if x == 0 || x == shift { end } else { inside }.enclosure();
    // r^x from its logarithm, so that it may underflow without taking others along.
    let power = |x: u64| (-(Ball::from(x) / scale)).exp_enclosure();
    let atoms = (0..=shift)
        .map(|x| Atom { loss: loss(x), p: weight(x) * power(shift - x), q: weight(x) * power(x) })
        .collect();
    let pair = DiscretePair::new(atoms, Enclosure::ZERO, Enclosure::ZERO)?;
    Ok(Arc::new(pair.declared_self_dual()))
}
