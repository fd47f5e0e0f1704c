//! Sums over the number of times a two-point loss came out high.

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, log_factorial::log_factorial};

/// Terms are added until what is left is below this fraction of the sum.
const NEGLIGIBLE: f64 = 1e-19;

/// `k` independent losses `±ξ` with odds `e^ξ : 1`: the total is `ξ(2j − k)` with `j ~ Binomial(k, e^ξ/(1 + e^ξ))`.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoPointPower {
    xi: Ball,
    count: u64,
    /// `ln p` and `ln(1 − p)`.
    log_high: Ball,
    log_low: Ball,
    /// `e^ξ` and `e^{−ξ}`.
    odds: Enclosure,
    inverse_odds: Enclosure,
}

/// Over which values of `j` a weight grows.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Weight {
    /// The weight grows with `j`.
    Increasing,
    /// The weight falls with `j`.
    Decreasing,
}

/// A sum and the part of its width that comes from terms left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct TruncatedSum {
    pub(super) sum: Enclosure,
    pub(super) truncation: f64,
}

impl TwoPointPower {
    pub(super) fn new(xi: Ball, count: u64) -> Self {
        let log_high = -(-xi).exp().ln_1p();
        Self {
            xi,
            count,
            log_high,
            log_low: log_high - xi,
            odds: xi.exp_enclosure(),
            inverse_odds: (-xi).exp_enclosure(),
        }
    }

    pub(super) fn xi(&self) -> Ball {
        self.xi
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The loss `ξ(2j − k)`.
    pub(super) fn loss(&self, j: u64) -> Ball {
        self.xi * (Ball::from(2 * j) - Ball::from(self.count))
    }

    /// `P(j)`, from thirty digits of its logarithm.
    fn probability(&self, j: u64) -> Enclosure {
        let rest = self.count - j;
        let log_ways = log_factorial(self.count) - log_factorial(j) - log_factorial(rest);
        (log_ways + self.log_high * Ball::from(j) + self.log_low * Ball::from(rest)).exp_enclosure()
    }

    /// The most likely `j`, or a neighbour.
    pub(super) fn mode(&self) -> u64 {
        let p = 1.0 / (1.0 + (-self.xi.approximate()).exp());
        (((self.count + 1) as f64 * p) as u64).min(self.count)
    }

    /// The standard deviation of `j`, roughly.
    pub(super) fn spread(&self) -> f64 {
        let p = 1.0 / (1.0 + (-self.xi.approximate()).exp());
        (self.count as f64 * p * (1.0 - p)).sqrt()
    }

    /// `Σ_{j ≥ from} P(j)·w(j)` for a monotone weight `0 ≤ w ≤ 1`, summed outward from `anchor`.
    ///
    /// # Guarantee
    /// Encloses the truth, whatever the anchor. Terms left out are bounded by a geometric series: the ratio of
    /// consecutive `P(j)` falls away from the mode, and a monotone weight is at most its last value on the side where
    /// it falls, 1 on the other.
    pub(super) fn expect<E>(
        &self,
        from: u64,
        anchor: u64,
        monotone: Weight,
        mut weight: impl FnMut(u64) -> Result<TruncatedSum, E>,
    ) -> Result<TruncatedSum, E> {
        if from > self.count {
            return Ok(TruncatedSum { sum: Enclosure::ZERO, truncation: 0.0 });
        }
        let anchor = anchor.clamp(from, self.count);
        let at_anchor = weight(anchor)?;
        // Relative to P(anchor), so that nothing underflows on the way.
        let mut sum = at_anchor.sum;
        let mut truncation = at_anchor.truncation;

        let mut term = Enclosure::ONE;
        let mut j = anchor;
        while j < self.count {
            let ratio = Enclosure::point((self.count - j) as f64) / (j + 1) as f64 * self.odds;
            term = term * ratio;
            j += 1;
            let at = weight(j)?;
            sum = sum + term * at.sum;
            truncation += term.upper() * at.truncation;
            let ceiling = if monotone == Weight::Increasing { 1.0 } else { at.sum.upper() };
            if let Some(tail) = geometric_tail(term, ratio, ceiling, sum) {
                sum = sum + Enclosure::new(0.0, tail);
                truncation += tail;
                break;
            }
        }

        let mut term = Enclosure::ONE;
        let mut j = anchor;
        while j > from {
            let ratio = Enclosure::point(j as f64) / (self.count - j + 1) as f64 * self.inverse_odds;
            term = term * ratio;
            j -= 1;
            let at = weight(j)?;
            sum = sum + term * at.sum;
            truncation += term.upper() * at.truncation;
            let ceiling = if monotone == Weight::Decreasing { 1.0 } else { at.sum.upper() };
            if let Some(tail) = geometric_tail(term, ratio, ceiling, sum) {
                sum = sum + Enclosure::new(0.0, tail);
                truncation += tail;
                break;
            }
        }
        let scale = self.probability(anchor);
        Ok(TruncatedSum { sum: (scale * sum).clamp(0.0, 1.0), truncation: scale.upper() * truncation })
    }
}

/// A bound on the terms after `term`, once their ratio is below 1 and they no longer matter.
fn geometric_tail(term: Enclosure, ratio: Enclosure, ceiling: f64, sum: Enclosure) -> Option<f64> {
    if ratio.upper() >= 1.0 {
        return None;
    }
    let tail = (term * ceiling * ratio / ratio.one_minus()).upper();
    (tail <= NEGLIGIBLE * sum.lower()).then_some(tail)
}
