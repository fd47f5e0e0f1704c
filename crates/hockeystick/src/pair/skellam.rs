//! Skellam noise: the difference of two Poisson numbers.

use super::{Atom, NoPair, SharedPair, shape::DiscretePair};
use crate::{error::Error, mechanism::Skellam};
use hockeystick_numerics::{ball::Ball, bessel::bessel_ratios, enclosure::Enclosure};
use std::sync::Arc;

/// More outcomes than this are refused.
const MOST_OUTCOMES: u64 = 1_000_000;
/// Below this variance `1/μ` leaves the range in which balls keep their digits.
const SMALLEST_VARIANCE: f64 = 1e-50;
/// Outcomes are listed down to about `e^{−740}`, which is below every double of full precision.
const NEGLIGIBLE: f64 = 740.0;

/// The noise around `s` against the noise around 0, with `f(k) = e^{−μ}I_{|k|}(μ)` and μ the variance.
///
/// The loss at `x` is `log f(x − s)/f(x)`, a sum of logarithms of [`bessel_ratios`]. Poisson laws are log-concave and so is their
/// difference: the loss grows with `x`, the best tests are thresholds, and a threshold separates answers that differ by less
/// no better. So the pair for `s` dominates those of all smaller differences. Reflection swaps the directions.
///
/// # Guarantee
/// Outcomes that are not listed have less than `10⁻³¹⁷` of either law. They count as giving the input away for upper ends, and as not there
/// for lower ends: leaving outcomes out never raises δ. Their mass is enclosed from 0 up to a geometric series, as ratios fall with the order.
pub(super) fn pair(noise: &Skellam) -> Result<SharedPair, Error> {
    let (variance, shift) = (noise.variance(), noise.sensitivity());
    if variance < SMALLEST_VARIANCE {
        let (smallest, largest) = (SMALLEST_VARIANCE, f64::MAX);
        return Err(
            NoPair::NoiseOutOfRange { parameter: "variance", value: variance, smallest, largest }.into()
        );
    }
    let reach = reach(variance);
    let outcomes = 2.0 * reach + shift as f64;
    if outcomes > MOST_OUTCOMES as f64 {
        return Err(NoPair::TooManyOutcomes { outcomes, most: MOST_OUTCOMES as usize }.into());
    }
    let (reach, shift) = (reach as usize, shift as usize);
    let noise = Noise::new(variance, reach, shift);
    // The outcome x − reach, so that indices are not negative.
    let atoms = (0..=2 * reach + shift)
        .map(|x| {
            let (from_zero, from_shift) = (x.abs_diff(reach), x.abs_diff(reach + shift));
            Atom {
                loss: noise.log_ratio(from_shift, from_zero),
                p: noise.masses[from_shift],
                q: noise.masses[from_zero],
            }
        })
        .collect();
    Ok(Arc::new(DiscretePair::new(atoms, noise.left_out, noise.left_out)?.declared_self_dual()))
}

/// Where `log f(k)/f(0)`, about `√(k² + μ²) − μ − k·asinh(k/μ)`, is down to `−740`. Where exactly matters to no bound.
fn reach(variance: f64) -> f64 {
    let depth = |k: f64| k * (k / variance).asinh() - k * k / (k.hypot(variance) + variance);
    let (mut low, mut high) = (1.0, 2.0);
    while depth(high) < NEGLIGIBLE && high < 1e12 {
        (low, high) = (high, 2.0 * high);
    }
    while high - low > 1.0 {
        let middle = (0.5 * (low + high)).floor();
        if depth(middle) < NEGLIGIBLE { low = middle } else { high = middle }
    }
    high
}

/// The law of the noise, by the distance from its centre.
struct Noise {
    /// `log f(k)/f(0)`.
    logs: Vec<Ball>,
    /// `f(k)`.
    masses: Vec<Enclosure>,
    /// What is beyond the reach on both sides.
    left_out: Enclosure,
}

impl Noise {
    fn new(variance: f64, reach: usize, shift: usize) -> Self {
        let ratios = bessel_ratios(variance, reach + shift + 1);
        let mut logs = vec![Ball::ZERO];
        for ratio in &ratios {
            logs.push(logs[logs.len() - 1] + ratio.ln());
        }
        let weights: Vec<Ball> = logs.iter().map(|log| log.exp()).collect();
        let one_side = weights[1..=reach].iter().fold(Ball::ZERO, |sum, weight| sum + *weight);
        // f(k + j) ≤ f(k) r_k^j.
        let last = ratios[reach].enclosure();
        let beyond = (logs[reach].exp_enclosure() * last / last.one_minus()).upper();
        let both = Enclosure::new(0.0, 2.0 * beyond);
        let total = Ball::ONE + one_side + one_side + Ball::from(both);
        let mass = |weight: &Ball| (*weight / total).enclosure().clamp(0.0, 1.0);
        // f(0) ≤ 1.
        Self { masses: weights.iter().map(mass).collect(), logs, left_out: both }
    }

    /// `log f(a)/f(b)`, exactly 0 half-way.
    fn log_ratio(&self, a: usize, b: usize) -> Ball {
        if a == b { Ball::ZERO } else { self.logs[a] - self.logs[b] }
    }
}
