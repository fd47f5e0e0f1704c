//! Laplace noise on the integers.

use super::{Atom, Between, Bounds, SharedPair, Slack, laplace::LaplacePair, shape::DiscretePair};
use crate::{error::Error, mechanism::DiscreteLaplace};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
use std::sync::Arc;

/// With more losses than this, continuous noise encloses the pair: ε is known to `1/4bs` of itself.
const MOST_OUTCOMES: u64 = 1_000_000;

/// The noise around `s` against the noise around 0, both `∝ r^{|x|}`, `r = e^{−1/b}`.
///
/// The loss is `(2x − s)/b` between 0 and `s` and constant beyond. So there are `s + 1` of them, and the ends are
/// geometric sums: `Q(x ≤ 0) = 1/(1 + r)` and `Q(x ≥ s) = r^s/(1 + r)`; between, `Q(x) = r^x(1 − r)/(1 + r)`.
/// Both directions agree by reflection.
pub(super) fn pair(laplace: &DiscreteLaplace) -> Result<SharedPair, Error> {
    let shift = laplace.sensitivity();
    let scale = Ball::from(laplace.scale());
    if shift > MOST_OUTCOMES {
        return Ok(between(scale, Ball::from(shift)));
    }
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

/// Between continuous noise with the same sensitivity and with a little more.
///
/// With `a = Q(x > t) = r^{t+1}/(1 + r)` and `b = P(x ≤ t) = r^{s−t}/(1 + r)` the vertices of the trade-off curve have the product `ab = r^{s+1}/(1 + r)²`, which is
/// `¼e^{−s′/b}` with `s′ = s + 2b·log cosh(1/2b)`: they lie on the curve of continuous noise with the sensitivity `s′ ≤ s + min(1, 1/4b)`. The line between
/// neighbours, from `(a, b)` to `(ra, b/r)`, meets the axes at `a(1 + r)` and `b(1 + r)/r`, and so touches the hyperbola with the product `ab(1 + r)²/4r = ¼e^{−s/b}`, the curve of
/// continuous noise with the sensitivity `s`; the first and the last line, of slopes `−e^{±s/b}`, are its own.
fn between(scale: Ball, shift: Ball) -> SharedPair {
    let quarter = Ball::from(0.25) / scale;
    let more = if quarter.approximate() < 1.0 { quarter } else { Ball::ONE };
    let laplace = |shift: Ball| -> SharedPair { Arc::new(LaplacePair::new(shift / scale)) };
    Arc::new(Between(Bounds { above: laplace(shift + more), below: laplace(shift), slack: Slack::NONE }))
}
