//! Skellam noise: the difference of two Poisson numbers.
//!
//! In: a variance and a whole sensitivity. Out: the pair of the noise around both answers.
//!
//! # Guarantee
//! Masses are enclosed with relative accuracy, however far out. What is not listed counts as giving the input away for upper ends, and as
//! not there for lower ends.

mod likely;
mod listed;

use super::{NoPair, SharedPair, shape::LazyPair};
use crate::{error::Error, mechanism::Skellam};
use likely::Difference;
use listed::{listed, reach};
use std::sync::Arc;

/// More outcomes than this are refused.
const MOST_OUTCOMES: u64 = 1_000_000;
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
    if variance < SMALLEST_VARIANCE {
        let (smallest, largest) = (SMALLEST_VARIANCE, f64::MAX);
        return Err(
            NoPair::NoiseOutOfRange { parameter: "variance", value: variance, smallest, largest }.into()
        );
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
