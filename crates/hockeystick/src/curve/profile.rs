//! The privacy profile `ε ↦ δ(ε)` of a composition.

use super::Budget;
use crate::pair::SharedPair;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `δ(ε) = H_{e^ε}(P‖Q) = E_P[(1 − e^{ε−L})₊; L < ∞] + P(L = ∞)` in one direction, enclosed.
pub trait PrivacyProfile: Send + Sync {
    /// `δ(ε)` for any real `ε`.
    ///
    /// # Guarantee
    /// The enclosure contains the truth, round-off included.
    fn delta(&self, epsilon: f64) -> Evaluation;

    /// Whether `δ(ε) ≤ delta` is proven. A bound is enough, where [`delta`](Self::delta) would look for the value.
    ///
    /// # Guarantee
    /// If true, `δ(ε)` is at most `delta`.
    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        self.delta(epsilon).delta.is_certainly_at_most(delta)
    }

    /// `P(L = ∞)`, the limit of `δ(ε)` for large `ε`.
    fn mass_at_infinity(&self) -> Probability;

    /// The largest finite loss: from there on `δ(ε)` is the mass at infinity. Infinite where losses are unbounded.
    fn largest_finite_loss(&self) -> Enclosure;

    /// An upper bound of `H_{e^ε}(Q‖P)`, what the curve of the other direction has at `ε`, if it is at hand.
    ///
    /// # Guarantee
    /// `(q − αp)₊ = q − αp + α(p − q/α)₊`, hence `H_α(Q‖P) = 1 − α + α H_{1/α}(P‖Q)`: a curve determines its mirror image. What is at
    /// hand is an upper bound of it.
    fn dual_at_hand(&self, _epsilon: f64) -> Option<f64> {
        None
    }

    /// A guess of the smallest `ε` with `δ(ε) ≤ delta`, to start a search from. Nothing is promised.
    fn near(&self, _delta: f64) -> Option<f64> {
        None
    }
}

/// An upper bound of `H_α(Q‖P) = 1 − α + α H_{1/α}(P‖Q)` at `α = e^ε` from one of `H_{1/α}(P‖Q)`.
pub(crate) fn mirrored(most: f64, epsilon: f64) -> f64 {
    // Where e^ε overflows, or nothing is known, no bound but 1 is.
    if !(most.is_finite() && epsilon < LARGEST) {
        return 1.0;
    }
    let epsilon = Enclosure::point(epsilon);
    (epsilon.exp() * most - epsilon.exp_m1()).clamp(0.0, 1.0).upper()
}

/// `e^ε` is a double up to here.
const LARGEST: f64 = 700.0;

/// A value of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// The enclosed probability.
    pub delta: Probability,
    /// Where its half-width comes from.
    pub budget: Budget,
}

impl Evaluation {
    /// A value from closed forms: what is not truncation is round-off.
    pub fn exact(delta: Probability, truncation: f64) -> Self {
        let half_width = 0.5 * delta.value().width();
        let truncation = truncation.min(half_width);
        let budget = Budget { truncation, roundoff: half_width - truncation, ..Budget::default() };
        Self { delta, budget }
    }
}

/// The profile of a pair, without composition.
#[derive(Clone, Debug)]
pub struct PairProfile {
    pair: SharedPair,
}

impl PairProfile {
    /// The curve `ε ↦ H_{e^ε}(P‖Q)`.
    pub fn new(pair: SharedPair) -> Self {
        Self { pair }
    }
}

impl PrivacyProfile for PairProfile {
    fn delta(&self, epsilon: f64) -> Evaluation {
        Evaluation::exact(self.pair.delta(Ball::from(epsilon)), 0.0)
    }

    fn mass_at_infinity(&self) -> Probability {
        self.pair.infinite_mass()
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.pair.finite_losses().into_inner().1
    }

    /// Where values are dear, by halving on the pair that has fewer digits and is faster.
    fn near(&self, delta: f64) -> Option<f64> {
        let rough = self.pair.at_many_points()?;
        let is_enough = |epsilon: f64| rough.delta(Ball::from(epsilon)).value().midpoint() <= delta;
        let (mut below, mut above) = (0.0, 1.0);
        while !is_enough(above) && above < LARGEST {
            (below, above) = (above, 4.0 * above);
        }
        for _ in 0..HALVINGS {
            let middle = if below > 0.0 { 0.5 * (below + above) } else { 0.1 * above };
            (below, above) = if is_enough(middle) { (below, middle) } else { (middle, above) };
        }
        Some(above)
    }
}

/// The guess is good to some 10⁻⁴ of itself.
const HALVINGS: usize = 18;

#[cfg(test)]
mod tests {
    use super::mirrored;

    #[test]
    fn what_is_not_known_has_no_mirror_image() {
        for (most, epsilon) in [(f64::NAN, 1.0), (0.5, f64::INFINITY), (0.5, f64::NAN), (1.0, 800.0)] {
            assert_eq!(mirrored(most, epsilon), 1.0, "{most} at {epsilon}");
        }
        // δ(0) is the same in both directions.
        assert!((mirrored(0.25, 0.0) - 0.25).abs() < 1e-15 && mirrored(0.25, 0.0) >= 0.25);
    }
}
