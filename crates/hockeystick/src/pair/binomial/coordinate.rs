//! The outcomes of one coordinate, all of them listed.

use crate::pair::{Atom, NoPair, shape::DiscretePair};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::check,
    log_factorial::log_factorial,
    special::{ln, ln_1p, log_binomial},
};
use std::ops::RangeInclusive;

/// So many outcomes take some tenths of a millisecond.
const MANY: u64 = 1024;
/// Outcomes are listed down to about `e^{−740}`, which is below every double of full precision.
pub(super) const NEGLIGIBLE: f64 = 740.0;
/// Sums of losses do not start farther away from the outcomes that are listed.
const FAR: u64 = 500_000;
/// Up to this sensitivity a ratio of probabilities is multiplied out: small fractions are then exact, and so is a loss of 0.
const SHORT_PRODUCT: u64 = 8;

/// The pair of one coordinate.
///
/// # Guarantee
/// Outcomes that are not listed count as giving the input away for upper ends, and as not there for lower ends.
pub(super) fn coordinate(n: u64, chance: f64, shift: u64) -> Result<DiscretePair, NoPair> {
    let masses = Masses::new(n, chance, shift);
    let (first, last) = (masses.likely.start().max(&shift), (masses.likely.end() + shift).min(n));
    let losses = losses(n, chance, shift, *first..=last);
    let atoms = (*first..=last)
        .zip(losses)
        .map(|(x, loss)| Atom { loss, p: masses.at(x - shift), q: masses.at(x) })
        .collect();
    DiscretePair::new(atoms, masses.total(n - shift + 1..=n), masses.total(0..=shift - 1))
}

/// The probabilities of the likely numbers among 0 … n, and of those up to a shift beyond.
struct Masses {
    /// All others are less likely than about `e^{−740}`.
    likely: RangeInclusive<u64>,
    first: u64,
    known: Vec<Enclosure>,
    /// All that are not likely together, at most.
    left_out: Enclosure,
}

impl Masses {
    fn new(n: u64, chance: f64, shift: u64) -> Self {
        let odds = (Ball::ONE - Ball::from(chance)) / Ball::from(chance);
        let mode = mode(n, chance);
        let log_mode = log_mass(n, chance, mode);
        // `m(k−1)/m(k)`.
        let ratio = |k: u64| Ball::from(k) * odds / Ball::from(n - k + 1);
        let (lowest, highest) = likely_range(n, chance).into_inner();
        let (first, last) = (lowest.saturating_sub(shift), (highest + shift).min(n));
        let mut logs = vec![log_mode; (last - first + 1) as usize];
        let index = |k: u64| (k - first) as usize;
        for k in (first + 1..=mode).rev() {
            logs[index(k - 1)] = logs[index(k)] + ratio(k).ln();
        }
        for k in mode + 1..=last {
            logs[index(k)] = logs[index(k - 1)] - ratio(k).ln();
        }
        let known: Vec<Enclosure> = logs.iter().map(|log| log.exp_enclosure().clamp(0.0, 1.0)).collect();
        // Ratios of neighbours fall on the way out: a geometric series.
        let series = |mass: Enclosure, ratio: Ball| {
            let ratio = ratio.enclosure();
            let sum = (mass * ratio / ratio.one_minus()).upper();
            if ratio.upper() < 1.0 && sum < 1.0 { sum } else { 1.0 }
        };
        let below = if lowest == 0 { 0.0 } else { series(known[index(lowest)], ratio(lowest)) };
        let above =
            if highest == n { 0.0 } else { series(known[index(highest)], Ball::ONE / ratio(highest + 1)) };
        Self { likely: lowest..=highest, first, known, left_out: Enclosure::new(0.0, below + above) }
    }

    /// Of a number that is likely, or not far from those.
    fn at(&self, k: u64) -> Enclosure {
        let index = k.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.known.get(index)).copied().unwrap_or(self.left_out)
    }

    /// Of all numbers of a range, perhaps with those that are left out.
    fn total(&self, range: RangeInclusive<u64>) -> Enclosure {
        let last = self.first + self.known.len() as u64 - 1;
        let known = *range.start().max(&self.first)..=*range.end().min(&last);
        let sum = known.fold(Ball::ZERO, |sum, k| sum + Ball::from(self.at(k)));
        (sum.enclosure() + self.left_out).clamp(0.0, 1.0)
    }
}

/// The likeliest number, or one next to it.
pub(super) fn mode(n: u64, chance: f64) -> u64 {
    (((n + 1) as f64 * chance) as u64).min(n)
}

/// The numbers that are not negligible. Where exactly it ends matters to no bound.
pub(super) fn likely_range(n: u64, chance: f64) -> RangeInclusive<u64> {
    let (mode, log_mass) = (mode(n, chance), |k: u64| rough_log_mass(n, chance, k));
    end(mode, 0, log_mass)..=end(mode, n, log_mass)
}

/// `log C(n, k)p^k(1−p)^{n−k}` in doubles.
pub(super) fn rough_log_mass(n: u64, chance: f64, k: u64) -> f64 {
    log_binomial(n, k) + ln(chance) * k as f64 + ln_1p(-chance) * (n - k) as f64
}

/// The farthest number from the mode towards an end that is not negligible, by its logarithm, which falls.
fn end(mode: u64, end: u64, log_mass: impl Fn(u64) -> f64) -> u64 {
    if log_mass(end) >= -NEGLIGIBLE {
        return end;
    }
    let (mut inside, mut outside) = (mode, end);
    while inside.abs_diff(outside) > 1 {
        let middle = inside.midpoint(outside);
        if log_mass(middle) >= -NEGLIGIBLE { inside = middle } else { outside = middle }
    }
    inside
}

/// `log C(n, k)p^k(1−p)^{n−k}`, to thirty digits.
pub(super) fn log_mass(n: u64, chance: f64, k: u64) -> Ball {
    let (log_yes, log_no) = (Ball::from(chance).ln(), Ball::from(-chance).ln_1p());
    let log_ways = log_factorial(n) - log_factorial(k) - log_factorial(n - k);
    log_ways + log_yes * Ball::from(k) + log_no * Ball::from(n - k)
}

/// `log(P(x)/Q(x)) = Σ_{k<s} log((x−k)(1−p) / ((n−x+s−k)p))` for each `x` of a range in `s … n`.
fn losses(n: u64, chance: f64, shift: u64, range: RangeInclusive<u64>) -> Vec<Ball> {
    let (yes, no) = (Ball::from(chance), Ball::ONE - Ball::from(chance));
    if shift <= SHORT_PRODUCT {
        let ratio = |x: u64| {
            if x.is_multiple_of(MANY) {
                check();
            }
            let multiplied = |from: u64, coin: Ball| {
                (0..shift).fold(Ball::ONE, |product, k| product * (Ball::from(from - k) * coin))
            };
            multiplied(x, no) / multiplied(n - x + shift, yes)
        };
        return range.map(|x| ratio(x).ln()).collect();
    }
    // One step up adds log((x+1)/(x+1−s)) + log((n−x+s)/(n−x)). Started from the lowest, where
    // P(s)/Q(s) = s!(n−s)!/n! · ((1−p)/p)^s, the balls would carry along the error of three factorials; so the sums
    // start in the middle, where only x/(x−s) or 1 is left of the ratio of fair coins.
    let tilt = (no / yes).ln() * Ball::from(shift);
    let half = (n + shift).div_ceil(2);
    // (Too far away from the range, the way there would be longer than the digits are worth.)
    let middle = half.clamp(range.start().saturating_sub(FAR), range.end() + FAR);
    let start = if middle != half {
        log_mass(n, chance, middle - shift) - log_mass(n, chance, middle) - tilt
    } else if (n + shift).is_multiple_of(2) {
        Ball::ZERO
    } else {
        fraction(middle, middle - shift)
    };
    let step = |x: u64| {
        if x.is_multiple_of(MANY) {
            check();
        }
        fraction(x + 1, x + 1 - shift) + fraction(n - x + shift, n - x)
    };
    let (first, last) = (middle.min(*range.start()), middle.max(*range.end()));
    let mut losses = vec![start; (last - first + 1) as usize];
    let index = |x: u64| (x - first) as usize;
    for x in middle..last {
        losses[index(x + 1)] = losses[index(x)] + step(x);
    }
    for x in (first..middle).rev() {
        losses[index(x)] = losses[index(x + 1)] - step(x);
    }
    range.map(|x| losses[index(x)] + tilt).collect()
}

/// `log(a/b)`.
fn fraction(a: u64, b: u64) -> Ball {
    (Ball::from(a) / Ball::from(b)).ln()
}
