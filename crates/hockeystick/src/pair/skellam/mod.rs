//! Skellam noise: the difference of two Poisson numbers.
//!
//! In: a variance and a whole sensitivity. Out: the pair of the noise around both answers.
//!
//! # Guarantee
//! Masses are enclosed with relative accuracy, however far out. What is not listed counts as giving the input away for upper ends, and as
//! not there for lower ends.

mod likely;
mod listed;

use super::{
    Between, NoPair, SharedPair, Slack,
    log_concave::{self, Curvature, OUTSIDE, negligible_deviation},
    shape::LazyPair,
};
use crate::{error::Error, mechanism::Skellam};
use hockeystick_numerics::ball::Ball;
use likely::Difference;
use listed::{listed, reach};
use std::sync::Arc;

/// With so many outcomes on top of a large sensitivity, lists are refused.
const MOST_OUTCOMES: u64 = 1_000_000;
/// From this variance on Gaussians enclose the noise: ε is known to `160/μ` of itself, more closely than lists tell in reasonable time.
const WIDE: f64 = 1e7;
/// Up to here `log μ` is nothing beside μ.
const LARGEST_VARIANCE: f64 = 1e20;
/// Below this variance `1/μ` leaves the range in which balls keep their digits.
const SMALLEST_VARIANCE: f64 = 1e-50;
/// Outcomes are listed down to about `e^{−740}`, which is below every double of full precision.
const NEGLIGIBLE: f64 = 740.0;

/// The noise around `s` against the noise around 0, with `f(k) = e^{−μ}I_{|k|}(μ)` and μ the variance.
///
/// The loss at `x` is `log f(x − s)/f(x)`, a sum of logarithms of [`bessel_ratios`](hockeystick_numerics::bessel::bessel_ratios). Poisson laws are log-concave and so is their
/// difference: the loss grows with `x`, the best tests are thresholds, and a threshold separates answers that differ by less
/// no better. So the pair for `s` dominates those of all smaller differences. Reflection swaps the directions.
///
/// # Guarantee
/// Outcomes that are not listed have less than `10⁻³¹⁷` of either law. They count as giving the input away for upper ends, and as not there
/// for lower ends: leaving outcomes out never raises δ. Their mass is enclosed from 0 up to a geometric series, as ratios fall with the order.
pub(super) fn pair(noise: &Skellam) -> Result<SharedPair, Error> {
    let (variance, shift) = (noise.variance(), noise.sensitivity());
    if !(SMALLEST_VARIANCE..=LARGEST_VARIANCE).contains(&variance) {
        let (smallest, largest) = (SMALLEST_VARIANCE, LARGEST_VARIANCE);
        return Err(
            NoPair::NoiseOutOfRange { parameter: "variance", value: variance, smallest, largest }.into()
        );
    }
    if variance >= WIDE {
        return Ok(Arc::new(Between(log_concave::bounds(curvature(variance, shift), shift, 1)?)));
    }
    let reach = reach(variance, NEGLIGIBLE);
    let outcomes = 2.0 * reach + shift as f64;
    if outcomes > MOST_OUTCOMES as f64 {
        return Err(NoPair::TooManyOutcomes { outcomes, most: MOST_OUTCOMES as usize }.into());
    }
    let difference = Difference { variance, shift: shift as usize, reach: reach as usize };
    Ok(match difference.known() {
        Some(known) => Arc::new(LazyPair::new(Arc::new(difference), known)),
        None => Arc::new(listed(variance, reach as usize, shift as usize)?),
    })
}

/// `1/(W + 1) ≤ 1 − I_{k−1}I_{k+1}/I_k² ≤ 1/(W − ½)` with `W = √(μ² + k²)`, for `μ ≥ 3` (`docs/design/large-noise.md`); `c(k) = −log(1 − T)` of the number `T` in between is
/// at least `T` and at most `T/(1 − T)`. So `c ≤ 1/(μ − 3/2)` everywhere, and `c ≥ 1/(W + 1)` as far as the window goes.
fn curvature(variance: f64, shift: u64) -> Curvature {
    let window = Ball::from(negligible_deviation(variance)) + Ball::from(shift);
    let squares = Ball::product_of(variance, variance) + window * window;
    Curvature {
        least_variance: Ball::from(variance) - Ball::from(1.5),
        most_variance: squares.sqrt() + Ball::ONE,
        slack: Slack { above: 0.0, below: OUTSIDE },
    }
}

#[cfg(test)]
mod tests {
    use hockeystick_numerics::bessel::bessel_ratios;

    /// The bounds of the curvature hold for ratios of Bessel functions, which are computed otherwise.
    #[test]
    fn curvature_is_between_its_bounds() {
        for variance in [3.0, 17.5, 900.0, 1e5] {
            let ratios = bessel_ratios(variance, 3000);
            for k in [1usize, 2, 3, 10, 100, 1000, 2500] {
                let curvature = -(ratios[k] / ratios[k - 1]).ln_enclosure();
                let wide = (variance * variance + (k * k) as f64).sqrt();
                assert!(curvature.lower() >= 1.0 / (wide + 1.0), "μ = {variance}, k = {k}: {curvature:?}");
                assert!(curvature.upper() <= 1.0 / (wide - 1.5), "μ = {variance}, k = {k}: {curvature:?}");
            }
        }
    }
}
