//! The numbers that fit a `?`, found by trying.

use super::{
    error::CalibrationError,
    family::{Family, SEEDS},
};
use crate::mechanism::MAX_COUNT;

/// The smallest and the largest number that fit, and one to begin with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Domain {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) start: f64,
    pub(super) whole: bool,
    /// The factor of the first step from the start.
    stride: f64,
    /// The end towards which the first step is taken.
    first: f64,
}

/// No step is longer.
const LARGEST_STEP: f64 = 1e154;
/// Where nothing is known, and next to a guess.
const STRIDE: f64 = 2.0;
const NEAR_STRIDE: f64 = 1.1;

impl Domain {
    /// Filling takes microseconds, so the ends are found by bisection.
    pub(super) fn of(family: &dyn Family) -> Result<Self, CalibrationError> {
        let whole = family.hole().whole;
        let fits = |value: f64| family.fill(value).is_ok();
        let seed = SEEDS.into_iter().find(|&seed| fits(seed));
        let Some(seed) = seed else {
            // The complaint about the most natural number says what is wrong.
            family.fill(1.0)?;
            return Ok(Self { least: 1.0, most: 1.0, start: 1.0, whole, stride: STRIDE, first: 1.0 });
        };
        // A share has its middle at one half, not at its end.
        let start = if !whole && seed == 1.0 && !fits(1.0 + f64::EPSILON) { 0.5 } else { seed };
        let largest = if whole { MAX_COUNT as f64 } else { f64::MAX };
        let (least, most) = match family.is_quick() {
            true => (end(seed, 0.0, whole, fits), end(seed, largest, whole, fits)),
            // They are found on the way.
            false => (0.0, largest),
        };
        Ok(Self { least, most, start, whole, stride: STRIDE, first: most })
    }

    /// The same with a guess to begin with, and short steps from it, the first towards `other`.
    pub(super) fn near(&self, guess: f64, other: f64) -> Self {
        let first = if other < guess { self.least } else { self.most };
        Self { start: guess.clamp(self.least, self.most), stride: NEAR_STRIDE, first, ..*self }
    }

    /// Both ends, the one that is walked to first before the other.
    pub(super) fn ends(&self) -> [f64; 2] {
        if self.first == self.least { [self.least, self.most] } else { [self.most, self.least] }
    }
}

/// The number nearest to `limit` that fits, by bisection on the numbers between it and `inside`, which fits.
pub(super) fn end(inside: f64, limit: f64, whole: bool, fits: impl Fn(f64) -> bool) -> f64 {
    if fits(limit) {
        return limit;
    }
    // Doubles that are not negative are ordered as their bits are.
    let index = |x: f64| if whole { x as u64 } else { x.to_bits() };
    let number = |i: u64| if whole { i as f64 } else { f64::from_bits(i) };
    let (mut good, mut bad) = (index(inside), index(limit));
    while good.abs_diff(bad) > 1 {
        let middle = good.midpoint(bad);
        if fits(number(middle)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    number(good)
}

impl Domain {
    /// The next number to look at on the way from `from` to an end, the `step`-th of them; nothing at the end itself.
    pub(super) fn towards(&self, end: f64, from: f64, step: u32) -> Option<f64> {
        if from == end {
            return None;
        }
        // 2, 4, 16, 256, … : the end of the doubles is eleven steps away, or some more from a guess.
        let factor = self.stride.powf(2f64.powi(step.min(12) as i32)).min(LARGEST_STEP);
        let scaled = if end > from { from.max(f64::MIN_POSITIVE) * factor } else { from / factor };
        let is_inside = if end > from { scaled < end } else { scaled > end };
        let closer = end + (from - end) / 16.0;
        let next = if is_inside && scaled.is_normal() {
            scaled
        } else if !closer.is_normal() || (closer - end).abs() <= 1e-15 * end.abs() || end < f64::MIN_POSITIVE
        {
            end
        } else {
            closer
        };
        // A whole number is at least one away.
        let next = match (self.whole, end > from) {
            (false, _) => next,
            (true, true) => next.floor().max(from + 1.0),
            (true, false) => next.ceil().min(from - 1.0),
        };
        Some(if next == from { end } else { next.clamp(self.least, self.most) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Template;

    fn domain(text: &str) -> Domain {
        Domain::of(&Template::parse(text).unwrap()).unwrap()
    }

    #[test]
    fn ends_are_found() {
        let sigma = domain("gaussian(sigma=?)");
        assert_eq!((sigma.least, sigma.most), (f64::from_bits(1), f64::MAX));
        let rate = domain("poisson(gaussian(sigma=1), rate=?)");
        assert_eq!((rate.least, rate.most, rate.start), (f64::from_bits(1), 1.0, 0.5));
        let delta = domain("dp(epsilon=1, delta=?)");
        assert_eq!((delta.least, delta.most), (0.0, 1.0f64.next_down()));
        let count = domain("gaussian(sigma=1) * ?");
        assert_eq!((count.least, count.most, count.start), (1.0, 1e15, 1.0));
        let categories = domain("k_randomized_response(categories=?, epsilon=1)");
        assert_eq!(categories.least, 2.0);
    }

    #[test]
    fn every_end_is_reached_in_few_steps() {
        for text in [
            "gaussian(sigma=?)",
            "dp(epsilon=1, delta=?)",
            "gaussian(sigma=1) * ?",
            "randomized_response(p=?)",
        ] {
            let domain = domain(text);
            let guess = domain.near(domain.start, domain.least);
            for (domain, end) in [domain, guess].into_iter().flat_map(|d| [(d, d.least), (d, d.most)]) {
                let (mut at, mut steps) = (domain.start, 0);
                while let Some(next) = domain.towards(end, at, steps) {
                    assert!(next != at && (next > at) == (end > at), "{text}: {at} {next} {end}");
                    at = next;
                    steps += 1;
                }
                assert!(at == end && steps < 40, "{text}: {steps} steps to {at}");
            }
        }
    }

    /// A step of a tenth from a small count once led to the end of all counts.
    #[test]
    fn short_steps_of_counts_are_whole() {
        let count = domain("gaussian(sigma=1) * ?").near(8.0, 9.0);
        assert_eq!(count.towards(count.most, 8.0, 0), Some(9.0));
        assert_eq!(count.towards(count.least, 8.0, 0), Some(7.0));
        assert_eq!(count.towards(count.least, 2.0, 0), Some(1.0));
    }
}
