//! Sums over the number of times a two-point loss came out high.

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, limits::check, log_factorial::log_factorial};

/// Terms are added until what is left is below this fraction of the sum.
const NEGLIGIBLE: f64 = 1e-19;
/// What is left may also be given up when it is below every double.
const INVISIBLE: f64 = f64::MIN_POSITIVE * f64::EPSILON;
/// So many terms take some hundredths of a millisecond.
const MANY: usize = 64;
/// A sum that takes more terms than this is given up, with an upper end that says so.
const MOST_TERMS: usize = 4_000_000;

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

/// What is known of a weight `0 ≤ w(j) ≤ 1`, so that terms left out can be bounded.
#[derive(Clone, Copy)]
pub(super) struct Weight {
    /// Does it grow with `j`, or fall?
    pub(super) is_increasing: bool,
    /// Is its logarithm concave? Then the ratio of consecutive terms falls away from the largest.
    pub(super) is_log_concave: bool,
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

    /// About the mean and the variance of the loss.
    pub(super) fn moments(&self) -> (f64, f64) {
        let xi = self.xi.approximate();
        let p = 1.0 / (1.0 + (-xi).exp());
        let k = self.count as f64;
        (k * xi * (2.0 * p - 1.0), k * 4.0 * xi * xi * p * (1.0 - p))
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

    /// `Σ_{j ≥ from} P(j)·w(j)`, summed outward from `anchor`.
    ///
    /// # Guarantee
    /// Encloses the truth, whatever the anchor. Terms left out are bounded by a geometric series: the ratio of
    /// consecutive `P(j)` falls away from the mode, and a monotone weight is at most its last value on the side where
    /// it falls, 1 on the other; for a log-concave weight the ratio of the products falls by itself.
    pub(super) fn expect(
        &self,
        from: u64,
        anchor: u64,
        known: Weight,
        weight: impl Fn(u64) -> TruncatedSum,
    ) -> TruncatedSum {
        if from > self.count {
            return TruncatedSum { sum: Enclosure::ZERO, truncation: 0.0 };
        }
        let anchor = anchor.clamp(from, self.count);
        // Relative to P(anchor), so that nothing underflows on the way.
        let scale = self.probability(anchor);
        let at_anchor = weight(anchor);
        let up = |j: u64| Enclosure::point((self.count - j) as f64) / (j + 1) as f64 * self.odds;
        let down = |j: u64| Enclosure::point(j as f64) / (self.count - j + 1) as f64 * self.inverse_odds;
        let mut direction = Outward {
            total: at_anchor,
            at_anchor: at_anchor.sum,
            known,
            invisible: INVISIBLE / scale.lower(),
        };
        direction.add((anchor..self.count).map(|j| (j + 1, up(j))), !known.is_increasing, &weight);
        direction.add((from + 1..=anchor).rev().map(|j| (j - 1, down(j))), known.is_increasing, &weight);
        TruncatedSum {
            sum: (scale * direction.total.sum).clamp(0.0, 1.0),
            truncation: scale.upper() * direction.total.truncation,
        }
    }
}

/// A sum that grows outward from its anchor, in units of the anchor's probability.
struct Outward {
    total: TruncatedSum,
    /// The anchor's own term, from which the ratios of both directions start.
    at_anchor: Enclosure,
    known: Weight,
    /// What is too small to be seen in any double.
    invisible: f64,
}

impl Outward {
    /// Adds the terms of one direction, given as `(j, P(j)/P(previous j))`, until the rest is negligible.
    fn add(
        &mut self,
        ratios: impl Iterator<Item = (u64, Enclosure)>,
        weight_falls: bool,
        weight: impl Fn(u64) -> TruncatedSum,
    ) {
        let total = &mut self.total;
        let mut likelihood = Enclosure::ONE;
        let mut last_product = self.at_anchor;
        for (step, (j, ratio)) in ratios.enumerate() {
            if step % MANY == 0 {
                check();
            }
            likelihood = likelihood * ratio;
            if !likelihood.upper().is_finite() || step > MOST_TERMS {
                // Nothing is known of the rest; the caller cuts the sum to what a probability can be.
                total.sum = Enclosure::new(total.sum.lower(), f64::INFINITY);
                break;
            }
            let at = weight(j);
            let product = likelihood * at.sum;
            total.sum = total.sum + product;
            total.truncation += likelihood.upper() * at.truncation;
            let ceiling = if weight_falls { at.sum.upper() } else { 1.0 };
            let by_likelihood = geometric_tail(likelihood * ceiling, ratio);
            let by_product = if self.known.is_log_concave {
                geometric_tail(product, product / last_product)
            } else {
                None
            };
            last_product = product;
            let rest = [by_likelihood, by_product].into_iter().flatten().fold(f64::INFINITY, f64::min);
            if rest <= (NEGLIGIBLE * total.sum.lower()).max(self.invisible) {
                total.sum = total.sum + Enclosure::new(0.0, rest);
                total.truncation += rest;
                break;
            }
        }
    }
}

/// A bound on the terms after `term`, once their ratio is below 1.
fn geometric_tail(term: Enclosure, ratio: Enclosure) -> Option<f64> {
    (ratio.upper() < 1.0).then(|| (term * ratio / ratio.one_minus()).upper())
}
