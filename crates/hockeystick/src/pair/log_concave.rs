//! Noise on the integers whose log-probabilities are about as curved as those of a Gaussian.

use super::{Bounds, NoPair, SharedPair, Slack, gaussian::NormalPair};
use hockeystick_numerics::ball::Ball;
use std::{f64::consts::TAU, sync::Arc};

/// Bounds of the curvature `c(x) = log f(x)²/(f(x−1)f(x+1))` of a law `f` on the integers.
///
/// A law may be bounded on a window only, outside of which it is negligible; the slack is then at least the mass of `f` outside of a window that is smaller by the
/// shift on both sides, and what it takes to go on outside with less curvature, or to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curvature {
    /// `c(x) ≤ 1/least_variance`.
    pub(super) least_variance: Ball,
    /// `c(x) ≥ 1/most_variance`.
    pub(super) most_variance: Ball,
    /// What is outside of the window.
    pub(super) slack: Slack,
}

/// Variances from here on: the proof takes the smoothing for small beside them.
const SMOOTHING_IS_SMALL: f64 = 1000.0;

/// The noise around `s` against the noise around 0, in each of `dimension` coordinates: between `N(0, v − τ²)` and `N(0, w + τ²)` for `1/w ≤ c(x) ≤ 1/v`.
///
/// 1. Where `c ≤ 1/v` everywhere, every test of `(f(·−s), f)` is weaker than one of a discrete Gaussian `∝ e^{−(x−θ)²/2v}` with a real centre θ; where `c ≥ 1/w` it
///    is stronger than one with variance `w` (their logarithms differ by a convex or concave function, so their masses change order at most twice).
/// 2. A discrete Gaussian comes out of `N(θ, v − τ²)` by a random rounding with variance `τ²`, and `N(θ, w + τ²)` out of a discrete one by adding `N(0, τ²)`, up to
///    factors of the curve and of α that are `e^{−2π²τ²}` from 1 (Poisson's summation formula).
/// 3. With `2π²τ² ≥ 11 + 3 log σ + μ²/7`, `μ = s/σ`, a change of the variance by 0.01 makes up for the factors.
///
/// # Guarantee
/// As [`Bounds`] says; the proofs are in `docs/design/large-noise.md`.
pub(super) fn bounds(curvature: Curvature, shift: u64, dimension: u64) -> Result<Bounds, NoPair> {
    let Curvature { least_variance, most_variance, slack } = curvature;
    let (least, most) = (least_variance.enclosure().lower(), most_variance.enclosure().upper());
    let shift_squared = Ball::product_of(shift as f64, shift as f64);
    let mu_squared = shift_squared.approximate() / least;
    // (1.5 log σ² = 3 log σ; the constants leave room for roundings.)
    let smoothing = 2.0 * (11.0 + 1.5 * most.ln() + mu_squared / 7.0) / (TAU * TAU) + 0.01;
    // Not so if anything is no number, either.
    let is_small = SMOOTHING_IS_SMALL * smoothing <= least && least <= most && most < LARGEST_VARIANCE;
    if !is_small {
        let largest = (7.0 * least * TAU * TAU / (2.0 * SMOOTHING_IS_SMALL)).sqrt() * least.sqrt();
        return Err(NoPair::NoiseOutOfRange {
            parameter: "sensitivity",
            value: shift as f64,
            smallest: 1.0,
            largest: (0.9 * largest).floor(),
        });
    }
    let smoothing = Ball::from(smoothing);
    let coordinates = Ball::from(dimension);
    let gaussian =
        |variance: Ball| -> SharedPair { Arc::new(NormalPair::new(shift_squared * coordinates / variance)) };
    let slack = slack.of_uses(dimension);
    Ok(Bounds {
        above: gaussian(least_variance - smoothing),
        below: gaussian(most_variance + smoothing),
        slack,
    })
}

/// Beyond, a smoothing is nothing beside roundings.
const LARGEST_VARIANCE: f64 = 1e40;

/// Deviations `t` with `P(|X − E X| ≥ t) ≤ 2e^{−320} < 4·10⁻¹³⁹` of a sum of independent summands in `[−1, 1]` around their means, by Bernstein's inequality:
/// `P(X − E X ≥ t) ≤ e^{−t²/2(V + t/3)}`. A Skellam number is a limit of such sums.
pub(super) fn negligible_deviation(variance: f64) -> f64 {
    (DEPTH / 3.0 + (DEPTH * DEPTH / 9.0 + 2.0 * DEPTH * variance).sqrt()).ceil() + 1.0
}

/// See [`negligible_deviation`].
const DEPTH: f64 = 320.0;

/// At least what a window leaves out that ends [`negligible_deviation`] and a shift from the mean, for variances up to 10²⁰: four times 4·10⁻¹³⁹, and as much again for
/// what goes on in geometric series with ratios up to `1 − 1/σ`.
pub(super) const OUTSIDE: f64 = 1e-127;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variance: f64, shift: u64) -> Result<Bounds, NoPair> {
        let variance = Ball::from(variance);
        bounds(Curvature { least_variance: variance, most_variance: variance, slack: Slack::NONE }, shift, 1)
    }

    #[test]
    fn ends_close_in_as_noise_grows() {
        for (sigma, width) in [(1e3, 4e-6), (1e5, 8e-10), (1e9, 1e-14)] {
            let bounds = of(sigma * sigma, 1).unwrap();
            let [above, below] = [bounds.above, bounds.below].map(|pair| pair.delta(Ball::ZERO).value());
            let [most, least] = [above.upper(), below.lower()];
            assert!(above.lower() > below.upper() || sigma > 1e8, "{sigma}");
            assert!(least > 0.0 && most - least < width * least, "{sigma}: {least} {most}");
        }
    }

    /// A shift of σ²/5 needs a smoothing that is no more than σ²/1000; one of σ² is refused, and the message says how large it may be.
    #[test]
    fn large_shifts_are_refused() {
        assert!(of(1e8, 20_000_000).is_ok());
        let NoPair::NoiseOutOfRange { largest, .. } = of(1e8, 100_000_000).unwrap_err() else { panic!() };
        assert!(of(1e8, largest as u64).is_ok(), "{largest}");
    }
}
