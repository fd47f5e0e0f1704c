//! Sums of `e^{−x²/2σ²}` over the integers.

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, limits::check, probability::Probability};

/// Terms are added until what is left is about this fraction of the sum.
const NEGLIGIBLE: f64 = 1e-19;
/// No sum gets near this many terms while σ is in its range; one that did would be given up, with an upper end that says so.
const MOST_TERMS: u64 = 100_000_000;
/// So many terms take some tenths of a millisecond.
const MANY: u64 = 1024;
/// From this σ on the sum over all integers is its integral, to the last bit.
const SMOOTH: f64 = 2.0;

/// The integer as a ball.
pub(super) fn whole(x: i64) -> Ball {
    let size = Ball::from(x.unsigned_abs());
    if x < 0 { -size } else { size }
}

/// The law `e^{−x²/2σ²}/N` on the integers.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    sigma: f64,
    two_variance: Ball,
    /// `e^{−1/σ²}`: the ratio of consecutive terms shrinks by it from term to term.
    curvature: Ball,
    normaliser: Enclosure,
}

impl Lattice {
    /// The law with this σ.
    ///
    /// By Poisson's summation formula `N = σ√(2π)(1 + 2Σ_{k≥1} e^{−2π²σ²k²})`; for σ ≥ 2 the sum is below 10⁻³³. For
    /// smaller σ, `N` is summed as it stands.
    pub(super) fn new(sigma: f64) -> Self {
        let two_variance = Ball::from(2.0) * Ball::product_of(sigma, sigma);
        let curvature = (-(Ball::from(2.0) / two_variance)).exp();
        let mut lattice = Self { sigma, two_variance, curvature, normaliser: Enclosure::ONE };
        lattice.normaliser = if sigma >= SMOOTH {
            Enclosure::SQRT_TWO_PI * sigma * Enclosure::new(1.0, 1f64.next_up())
        } else {
            Enclosure::ONE + lattice.scaled_tail(1, Ball::ZERO) * 2.0
        };
        lattice
    }

    /// σ.
    pub(super) fn sigma(&self) -> f64 {
        self.sigma
    }

    /// `2σ²`.
    pub(super) fn two_variance(&self) -> Ball {
        self.two_variance
    }

    /// `N`.
    pub(super) fn normaliser(&self) -> Enclosure {
        self.normaliser
    }

    /// The probability of `x`.
    pub(super) fn probability(&self, x: i64) -> Enclosure {
        (self.log_weight(x).exp_enclosure() / self.normaliser).clamp(0.0, 1.0)
    }

    /// The probability of all integers from `x` on.
    pub(super) fn tail(&self, x: i64) -> Probability {
        if x >= 1 {
            // At most ½, so that the complement loses nothing.
            Probability::from_value(self.scaled_tail(x, Ball::ZERO))
        } else {
            self.tail(1 - x).opposite()
        }
    }

    /// `e^log_factor` times the probability of all integers from `x ≥ 1` on; only the product need be a double.
    pub(super) fn scaled_tail(&self, x: i64, log_factor: Ball) -> Enclosure {
        let relative = self.falling_sum(x, 0, |_| Some(Ball::ONE));
        (log_factor + self.log_weight(x)).exp_enclosure() * relative / self.normaliser
    }

    /// `Σ_{j≥0} e^{−(j² + 2jx)/2σ²}(1 − e^{gap − j·step})` for `x ≥ 0`, `gap ≤ 0`.
    pub(super) fn weighted_above(&self, x: i64, gap: Ball, step: Ball) -> Enclosure {
        self.falling_sum(x, 0, |j| Some(gain(gap - step * Ball::from(j))))
    }

    /// `Σ_{j=1}^{count} e^{−j²/2σ²}(1 − e^{gap + j·step})` for `gap + count·step ≤ 0`.
    pub(super) fn weighted_below(&self, count: u64, gap: Ball, step: Ball) -> Enclosure {
        self.falling_sum(0, 1, |j| (j <= count).then(|| gain(gap + step * Ball::from(j))))
    }

    /// `Σ_{j≥first} e^{−(j² + 2jx)/2σ²}·gain(j)` for gains from 0 to 1, until there is none; `first` is 0 or 1.
    ///
    /// # Guarantee
    /// Encloses the truth. The ratio of consecutive weights falls, so that what is left out is at most a geometric series.
    fn falling_sum(&self, x: i64, first: u64, gain: impl Fn(u64) -> Option<Ball>) -> Enclosure {
        let mut ratio = (-(whole(2 * x + 1) / self.two_variance)).exp();
        let (mut weight, mut sum) = (Ball::ONE, Ball::ZERO);
        for j in 0..MOST_TERMS {
            if j % MANY == 0 {
                check();
            }
            if j >= first {
                let Some(gain) = gain(j) else { return sum.enclosure() };
                sum = sum + weight * gain;
            }
            let left = weight.approximate() * ratio.approximate() / (1.0 - ratio.approximate());
            let shrinking = ratio.enclosure().clamp(0.0, f64::INFINITY);
            if left <= NEGLIGIBLE * sum.approximate() && shrinking.upper() < 1.0 {
                let rest = weight.enclosure() * shrinking / shrinking.one_minus();
                return sum.enclosure() + Enclosure::new(0.0, rest.upper());
            }
            weight = weight * ratio;
            ratio = ratio * self.curvature;
        }
        Enclosure::new(sum.enclosure().lower(), f64::INFINITY)
    }

    fn log_weight(&self, x: i64) -> Ball {
        -(whole(x) * whole(x) / self.two_variance)
    }
}

/// `1 − e^x` for `x ≤ 0`.
fn gain(x: Ball) -> Ball {
    Ball::from((-x.exp_m1_enclosure()).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_normalisers_agree() {
        // Summed as it stands, N is what Poisson's formula says; e^{−2π²σ²} is 6·10⁻³⁵ at σ = 2, 3·10⁻⁹ at σ = 1.
        for sigma in [2.0, 3.5, 40.0] {
            let lattice = Lattice::new(sigma);
            let unscaled = Lattice { normaliser: Enclosure::ONE, ..lattice.clone() };
            let summed = Enclosure::ONE + unscaled.scaled_tail(1, Ball::ZERO) * 2.0;
            assert!(summed.overlaps(lattice.normaliser), "{summed:?} {:?}", lattice.normaliser);
            assert!(summed.width() < 1e-14 * sigma && lattice.normaliser.width() < 1e-14 * sigma);
        }
        let short = Lattice::new(1.0).normaliser;
        assert!(short.lower() > 2.506628274631 && short.upper() < 2.5066283);
    }

    #[test]
    fn tails_are_sums_of_probabilities() {
        for sigma in [0.05, 0.7, 3.0] {
            let lattice = Lattice::new(sigma);
            for from in [-3, 0, 1, 4] {
                let sum = (from..from + 60).fold(Enclosure::ZERO, |sum, x| sum + lattice.probability(x));
                assert!(sum.overlaps(lattice.tail(from).value()), "σ = {sigma}, from {from}");
            }
        }
    }
}
