//! The integers at which the loss exceeds ε.

use hockeystick_numerics::ball::Ball;

/// Integers up to here are safe to double and to add.
const LARGEST_OUTCOME: f64 = 4e15;
/// No more outcomes than this are left undecided.
const FEW: i64 = 4;

/// Where the losses exceed ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Threshold {
    /// From `above` on `L > ε` for certain, `undecided` outcomes before it cannot be told from ε, and those before have
    /// `L ≤ ε` for certain.
    At {
        /// The first that is certain.
        above: i64,
        /// The number of undecided ones.
        undecided: i64,
    },
    /// So far out, and the noise and the sensitivity are so small against it, that what lies beyond has a probability
    /// below any double under either law.
    Far,
    /// Too many outcomes cannot be told from ε.
    Unknown,
}

impl Threshold {
    /// The threshold for a narrow ball of ε: estimated in doubles from the shift and the variance, decided by balls.
    pub(super) fn of(epsilon: Ball, shift: f64, variance: f64, loss: impl Fn(i64) -> Ball) -> Self {
        let estimate = (epsilon.approximate() * variance / shift + shift / 2.0).floor();
        if estimate.is_nan() {
            return Self::Unknown;
        }
        // Sensitivities are at most 10¹⁵ and σ is below 10⁶: this is 10⁹ σ away from both centres.
        if estimate.abs() > LARGEST_OUTCOME {
            return Self::Far;
        }
        let is_above = |x: i64| (loss(x) - epsilon).enclosure().lower() > 0.0;
        let is_not_above = |x: i64| (loss(x) - epsilon).enclosure().upper() <= 0.0;
        let mut above = estimate as i64;
        let mut stride = 1;
        // By doubling strides up, then by halving them down.
        while !is_above(above) {
            above += stride;
            stride *= 2;
            if above as f64 > 2.0 * LARGEST_OUTCOME {
                return Self::Unknown;
            }
        }
        while stride > 0 {
            while is_above(above - stride) {
                above -= stride;
            }
            stride /= 2;
        }
        let undecided = (1..=FEW + 1).take_while(|&k| !is_not_above(above - k)).count() as i64;
        if undecided > FEW { Self::Unknown } else { Self::At { above, undecided } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::double_double::DoubleDouble;

    #[test]
    fn losses_are_told_from_epsilon() {
        // With σ = 1 and s = 1 the loss at x is x − ½, exactly.
        let loss = |x: i64| Ball::from(x as f64) - Ball::from(0.5);
        let of = |epsilon: Ball| Threshold::of(epsilon, 1.0, 1.0, loss);
        let at = |epsilon: f64| of(Ball::from(epsilon));
        assert_eq!(at(2.5), Threshold::At { above: 4, undecided: 0 });
        assert_eq!(at(2.5f64.next_down()), Threshold::At { above: 3, undecided: 0 });
        assert_eq!(at(-1e9 - 0.25), Threshold::At { above: -1_000_000_000 + 1, undecided: 0 });
        assert_eq!(at(1e16), Threshold::Far);
        let blurred = |rad: f64| of(Ball::new(DoubleDouble::from(2.5), rad));
        assert_eq!(blurred(1e-30), Threshold::At { above: 4, undecided: 1 });
        assert_eq!(blurred(50.0), Threshold::Unknown);
    }
}
