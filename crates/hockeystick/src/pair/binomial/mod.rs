//! Binomial noise on the integers.
//!
//! In: the number of coins, their probability, a whole sensitivity. Out: the pair of the noise around both answers.
//!
//! # Guarantee
//! Masses are enclosed with relative accuracy, however far out. What is not listed counts as giving the input away for upper ends, and as
//! not there for lower ends.

mod coordinate;
mod fair;
mod likely;

use super::{
    Between, NoPair, SharedPair, Slack,
    log_concave::{self, Curvature, OUTSIDE, negligible_deviation},
    shape::{DiscretePair, Known, LazyPair},
};
use crate::{error::Error, mechanism::Binomial};
use coordinate::{NEGLIGIBLE, coordinate, likely_range, log_mass, mode, rough_log_mass};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use likely::{Coins, LONGEST_SHIFT};
use std::sync::Arc;

/// More outcomes than this are refused.
const MOST_OUTCOMES: usize = 1_000_000;
/// From this variance on Gaussians enclose the noise, more closely than lists tell in reasonable time.
const WIDE: f64 = 1e7;
/// At least what all outcomes have together that are not listed.
const LEFT_OUT: f64 = 1e-314;

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
    if let Some(curvature) = curvature(n, binomial.p(), shift) {
        return Ok(Arc::new(Between(log_concave::bounds(curvature, shift, binomial.dimension())?)));
    }
    let likely = likely_range(n, binomial.p());
    let outcomes = likely.end() - likely.start() + shift;
    if outcomes > MOST_OUTCOMES as u64 {
        return Err(NoPair::TooManyOutcomes { outcomes: outcomes as f64, most: MOST_OUTCOMES }.into());
    }
    if binomial.dimension() == 1
        && let Some(known) = known(n, binomial.p(), shift)
    {
        let coins = Coins { n, chance: binomial.p(), shift };
        return Ok(Arc::new(LazyPair::new(Arc::new(coins), Known { self_dual: is_fair, ..known })));
    }
    let coordinate = coordinate(n, binomial.p(), shift)?;
    let coordinate = if is_fair { coordinate.declared_self_dual() } else { coordinate };
    Ok(Arc::new(power(coordinate, binomial.dimension())?))
}

/// Bounds of `c(x) = log(1 + 1/x) + log(1 + 1/(n − x))` on a window, if the noise is wide. The function is convex and smallest in the middle of `0 … n`; outside of the
/// window the masses go on as a geometric series, with `c = 0`, or stop.
fn curvature(n: u64, chance: f64, shift: u64) -> Option<Curvature> {
    let mean = n as f64 * chance;
    let variance = mean * (1.0 - chance);
    // (The mean is off by a rounding, less than 1.)
    let reach = negligible_deviation(variance) + shift as f64 + 1.0;
    let (low, high) = ((mean - reach).floor(), (mean + reach).ceil());
    let all = n as f64;
    if variance < WIDE || low < 1.0 || high > all - 1.0 {
        return None;
    }
    // n ≤ 10¹⁵: these are exact.
    let at = |x: f64| (Ball::ONE / Ball::from(x)).ln_1p() + (Ball::ONE / Ball::from(all - x)).ln_1p();
    let least = at((0.5 * all).clamp(low, high));
    let variances = [low, high].map(|end| (Ball::ONE / at(end)).enclosure().lower());
    Some(Curvature {
        least_variance: Ball::from(variances[0].min(variances[1])),
        most_variance: Ball::ONE / least,
        slack: Slack { above: OUTSIDE, below: OUTSIDE },
    })
}

/// What [`coordinate`] will say of the pair, if its ends are so unlikely that nothing needs to be added up for that.
fn known(n: u64, chance: f64, shift: u64) -> Option<Known> {
    let deviation = (n as f64 * chance * (1.0 - chance)).sqrt();
    let is_unlikely = |k: u64| log_mass(n, chance, k).enclosure().upper() < -(NEGLIGIBLE + 1.0);
    if shift as f64 > LONGEST_SHIFT * deviation
        || !(shift - 1..n - shift + 1).contains(&mode(n, chance))
        || rough_log_mass(n, chance, shift - 1) > -(NEGLIGIBLE + 2.0)
        || rough_log_mass(n, chance, n - shift + 1) > -(NEGLIGIBLE + 2.0)
        || !(is_unlikely(shift - 1) && is_unlikely(n - shift + 1))
    {
        return None;
    }
    let likely = likely_range(n, chance);
    let (first, last) = (*likely.start().max(&shift), (likely.end() + shift).min(n));
    // The logarithm of a ratio of masses that have the radius of three factorials each.
    let loss = |x: u64| (log_mass(n, chance, x - shift) - log_mass(n, chance, x)).enclosure();
    // At the ends fewer numbers than the shift, at most 7000, each less likely than e^{−741}; and those beyond the likely ones, in geometric series.
    let beyond = Probability::from_value(Enclosure::new(0.0, LEFT_OUT));
    let losses = (loss(first), loss(last));
    let is_finite = |loss: Enclosure| loss.lower().is_finite() && loss.upper().is_finite();
    (is_finite(losses.0) && is_finite(losses.1)).then_some(Known {
        infinite: beyond,
        vanishing: beyond,
        losses,
        self_dual: false,
    })
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
