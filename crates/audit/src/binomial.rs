//! Tails of the binomial distribution, enclosed.

use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    limits::check,
    log_factorial::log_factorial,
    special::{ln, ln_1p, log_binomial},
};
use std::ops::RangeInclusive;

/// Terms are added until the rest is below this part of the sum.
const NEGLIGIBLE: f64 = 1e-17;
/// So many terms take some hundredths of a millisecond.
const MANY: usize = 1024;

/// `Binomial(n, p)` with `0 < p < 1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binomial {
    trials: u64,
    log_success: Ball,
    log_failure: Ball,
    /// `p/(1 − p)` and `(1 − p)/p`.
    odds: Enclosure,
    inverse_odds: Enclosure,
}

impl Binomial {
    /// Of a chance that is a double.
    pub(crate) fn new(trials: u64, chance: f64) -> Self {
        let p = Ball::from(chance);
        let rest = Enclosure::ONE - chance;
        let odds = Enclosure::point(chance) / rest;
        Self { trials, log_success: p.ln(), log_failure: (-p).ln_1p(), odds, inverse_odds: rest / chance }
    }

    /// Of `p = e^ε/(1 + e^ε)`.
    pub(crate) fn with_log_odds(trials: u64, epsilon: f64) -> Self {
        let x = Ball::from(epsilon);
        let log_success = -(-x).exp().ln_1p();
        let (odds, inverse_odds) = (x.exp_enclosure(), (-x).exp_enclosure());
        Self { trials, log_success, log_failure: log_success - x, odds, inverse_odds }
    }

    /// `P(X = k)`.
    pub(crate) fn probability(&self, k: u64) -> Enclosure {
        let rest = self.trials - k;
        let log_ways = log_factorial(self.trials) - log_factorial(k) - log_factorial(rest);
        (log_ways + self.log_success * Ball::from(k) + self.log_failure * Ball::from(rest)).exp_enclosure()
    }

    /// `P(X = k + 1)/P(X = k)`.
    fn next(&self, k: u64) -> Enclosure {
        Enclosure::point((self.trials - k) as f64) / (k + 1) as f64 * self.odds
    }

    /// `P(X = k − 1)/P(X = k)`.
    pub(crate) fn previous(&self, k: u64) -> Enclosure {
        Enclosure::point(k as f64) / (self.trials - k + 1) as f64 * self.inverse_odds
    }

    /// `P(X ≥ k)`.
    ///
    /// # Guarantee
    /// Encloses the truth; about fifteen digits where `k` is at least the mean.
    pub(crate) fn at_least(&self, k: u64) -> Enclosure {
        match k {
            0 => Enclosure::ONE,
            k if k > self.trials => Enclosure::ZERO,
            k => summed(self.probability(k), (k..self.trials).map(|j| self.next(j))),
        }
    }

    /// `P(X ≤ k)`, likewise.
    pub(crate) fn at_most(&self, k: u64) -> Enclosure {
        if k >= self.trials {
            return Enclosure::ONE;
        }
        summed(self.probability(k), (1..=k).rev().map(|j| self.previous(j)))
    }
}

/// The sum of terms from the first on, given the ratios of each to the one before, which fall: once they are below 1, the rest is
/// at most a geometric series.
fn summed(first: Enclosure, ratios: impl Iterator<Item = Enclosure>) -> Enclosure {
    let (mut term, mut sum) = (first, first);
    for (step, ratio) in ratios.enumerate() {
        if step % MANY == 0 {
            check();
        }
        term = term * ratio;
        sum = sum + term;
        if ratio.upper() < 1.0 {
            let rest = (term * ratio / ratio.one_minus()).upper();
            if rest <= NEGLIGIBLE * sum.lower() {
                return (sum + Enclosure::new(0.0, rest)).clamp(0.0, 1.0);
            }
        }
    }
    sum.clamp(0.0, 1.0)
}

/// About `ln P(X in range)` for a range that begins at 0 or ends at `n`. A plain float: it only says where to look.
pub(crate) fn log_tail(trials: u64, chance: f64, range: RangeInclusive<u64>) -> f64 {
    let (first, last) = range.into_inner();
    let start = if first == 0 { last } else { first };
    let at_start =
        log_binomial(trials, start) + start as f64 * ln(chance) + (trials - start) as f64 * ln_1p(-chance);
    let odds = chance / (1.0 - chance);
    let (mut term, mut sum) = (1.0f64, 1.0f64);
    let mut add = |ratio: f64| {
        term *= ratio;
        sum += term;
        ratio < 1.0 && term < NEGLIGIBLE * sum || !sum.is_finite()
    };
    let _ = if first == 0 {
        (1..=start).rev().any(|j| add(j as f64 / ((trials - j + 1) as f64 * odds)))
    } else {
        (start..trials).any(|j| add((trials - j) as f64 / (j + 1) as f64 * odds))
    };
    (at_start + ln(sum)).min(0.0)
}
