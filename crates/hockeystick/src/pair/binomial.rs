//! Binomial noise on the integers.

use super::{Atom, NoPair, SharedPair, shape::DiscretePair};
use crate::{error::Error, mechanism::Binomial};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, log_factorial::log_factorial};
use std::sync::Arc;

/// More outcomes than this are refused.
const MOST_OUTCOMES: usize = 1_000_000;
/// Up to this sensitivity a ratio of probabilities is multiplied out: small fractions are then exact, and so is a loss of 0.
const SHORT_PRODUCT: u64 = 8;

/// `Z + s` against `Z` with `Z ~ Binomial(n, p)`, in each of the coordinates ([Koskela21, 6.2, Thm 11]).
///
/// At the outcome `x` from `s` to `n`, `P` has the mass `C(n, x−s)p^{x−s}(1−p)^{n−x+s}` and `Q` has
/// `C(n, x)p^x(1−p)^{n−x}`; the printed loss has the opposite sign and the printed mass mixes the two. Outcomes above `n`
/// only `P` can produce, those below `s` only `Q`. For fair coins, `x ↦ n + s − x` swaps the directions.
pub(super) fn pair(binomial: &Binomial) -> Result<SharedPair, Error> {
    let (n, shift) = (binomial.n(), binomial.sensitivity());
    let is_fair = binomial.p() == 0.5;
    if shift > n {
        let pair = DiscretePair::new(Vec::new(), Enclosure::ONE, Enclosure::ONE)?;
        return Ok(Arc::new(pair.declared_self_dual()));
    }
    if n > MOST_OUTCOMES as u64 {
        return Err(NoPair::TooManyOutcomes { outcomes: n as f64, most: MOST_OUTCOMES }.into());
    }
    let coordinate = coordinate(n, binomial.p(), shift)?;
    let coordinate = if is_fair { coordinate.declared_self_dual() } else { coordinate };
    Ok(Arc::new(power(coordinate, binomial.dimension())?))
}

/// The pair of one coordinate.
fn coordinate(n: u64, chance: f64, shift: u64) -> Result<DiscretePair, NoPair> {
    let masses = masses(n, chance);
    let at = |x: u64| masses[x as usize];
    let losses = losses(n, chance, shift);
    let atoms = (shift..=n).zip(losses).map(|(x, loss)| Atom { loss, p: at(x - shift), q: at(x) }).collect();
    let total = |range: std::ops::RangeInclusive<u64>| {
        let sum = range.fold(Ball::ZERO, |sum, x| sum + Ball::from(at(x)));
        sum.enclosure().clamp(0.0, 1.0)
    };
    DiscretePair::new(atoms, total(n - shift + 1..=n), total(0..=shift - 1))
}

/// The probabilities of 0 … n, from thirty digits of their logarithms.
fn masses(n: u64, chance: f64) -> Vec<Enclosure> {
    let (log_yes, log_no) = (Ball::from(chance).ln(), Ball::from(-chance).ln_1p());
    let factorials: Vec<Ball> = (0..=n).map(log_factorial).collect();
    let all = factorials[n as usize];
    (0..=n)
        .map(|k| {
            let log_ways = all - factorials[k as usize] - factorials[(n - k) as usize];
            let log_mass = log_ways + log_yes * Ball::from(k) + log_no * Ball::from(n - k);
            log_mass.exp_enclosure().clamp(0.0, 1.0)
        })
        .collect()
}

/// `log(P(x)/Q(x)) = Σ_{k<s} log((x−k)(1−p) / ((n−x+s−k)p))` for `x = s … n`.
fn losses(n: u64, chance: f64, shift: u64) -> Vec<Ball> {
    let (yes, no) = (Ball::from(chance), Ball::ONE - Ball::from(chance));
    if shift <= SHORT_PRODUCT {
        let ratio = |x: u64| {
            let multiplied = |from: u64, coin: Ball| {
                (0..shift).fold(Ball::ONE, |product, k| product * (Ball::from(from - k) * coin))
            };
            multiplied(x, no) / multiplied(n - x + shift, yes)
        };
        return (shift..=n).map(|x| ratio(x).ln()).collect();
    }
    // One step up adds log((x+1)/(x+1−s)) + log((n−x+s)/(n−x)). Started from the lowest, where
    // P(s)/Q(s) = s!(n−s)!/n! · ((1−p)/p)^s, the balls would carry along the error of three factorials; so the sums
    // start in the middle, where only x/(x−s) or 1 is left of the ratio of fair coins.
    let tilt = (no / yes).ln() * Ball::from(shift);
    let middle = (n + shift).div_ceil(2);
    let start = if (n + shift).is_multiple_of(2) { Ball::ZERO } else { fraction(middle, middle - shift) };
    let step = |x: u64| fraction(x + 1, x + 1 - shift) + fraction(n - x + shift, n - x);
    let mut losses = vec![start; (n - shift + 1) as usize];
    let index = |x: u64| (x - shift) as usize;
    for x in middle..n {
        losses[index(x + 1)] = losses[index(x)] + step(x);
    }
    for x in (shift..middle).rev() {
        losses[index(x)] = losses[index(x + 1)] - step(x);
    }
    losses.into_iter().map(|loss| loss + tilt).collect()
}

/// `log(a/b)`.
fn fraction(a: u64, b: u64) -> Ball {
    (Ball::from(a) / Ball::from(b)).ln()
}

/// `dimension` independent coordinates, by repeated squaring.
fn power(coordinate: DiscretePair, dimension: u64) -> Result<DiscretePair, NoPair> {
    let mut factor = coordinate;
    let mut product: Option<DiscretePair> = None;
    let mut left = dimension;
    loop {
        if left % 2 == 1 {
            product = Some(match product {
                None => factor.clone(),
                Some(known) => known.product(&factor, MOST_OUTCOMES)?,
            });
        }
        left /= 2;
        match product {
            Some(product) if left == 0 => return Ok(product),
            _ => factor = factor.product(&factor, MOST_OUTCOMES)?,
        }
    }
}
