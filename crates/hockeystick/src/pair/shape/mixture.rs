//! Losses against a mixture, and the odds they come from.

use hockeystick_numerics::ball::Ball;

/// From here on `e^L` is taken out of the logarithm; before, it is far from overflow.
const LARGE_LOSS: f64 = 250.0;

/// `log(rest + weight·e^loss)` for `weight + rest = 1`, both in `[0, 1]`: the loss of `(1−γ)Q + γP` against `Q` where
/// that of `P` is `loss`.
///
/// # Guarantee
/// Encloses the truth. The radius is relative, also near 0, where the logarithm is taken of `1 + weight(e^loss − 1)`;
/// where that is below ½ the two positive parts are added instead, so that nothing cancels.
pub(in crate::pair) fn mixed_loss(weight: Ball, rest: Ball, loss: Ball) -> Ball {
    if loss.approximate() > LARGE_LOSS {
        return loss + (weight + rest * (-loss).exp()).ln();
    }
    let change = weight * loss.exp_m1();
    if change.approximate() < -0.5 { (rest + weight * loss.exp()).ln() } else { change.ln_1p() }
}

/// `1/(1 + e^{−x})`, with relative accuracy for any `x`.
pub(in crate::pair) fn logistic(x: Ball) -> Ball {
    let small = if x.approximate() > 0.0 { (-x).exp() } else { x.exp() };
    let denominator = Ball::ONE + small;
    if x.approximate() > 0.0 { Ball::ONE / denominator } else { small / denominator }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_meet() {
        let weight = Ball::from(0.75);
        let rest = Ball::ONE - weight;
        for (loss, beside) in [(250.0, 250.0f64.next_up()), (-1.0986, -1.0987)] {
            let (a, b) =
                (mixed_loss(weight, rest, Ball::from(loss)), mixed_loss(weight, rest, Ball::from(beside)));
            assert!((a - b).approximate().abs() <= (loss - beside).abs() * 1.001, "{a:?} {b:?}");
        }
    }

    #[test]
    fn extremes_keep_their_digits() {
        let tiny = Ball::from(1e-9);
        let small = mixed_loss(tiny, Ball::ONE - tiny, Ball::from(1e-9));
        assert!((small.approximate() - 1e-18).abs() < 1e-26 && small.radius() < 1e-40);
        let nearly_all = Ball::from(1.0 - f64::EPSILON);
        let low = mixed_loss(nearly_all, Ball::ONE - nearly_all, Ball::from(-1e4));
        assert!((low.approximate() - f64::EPSILON.ln()).abs() < 1e-12 && low.radius() < 1e-12);
        let high = mixed_loss(tiny, Ball::ONE - tiny, Ball::from(1e4));
        assert!((high.approximate() - (1e4 + 1e-9f64.ln())).abs() < 1e-10);
        assert_eq!(mixed_loss(Ball::from(0.3), Ball::ONE - Ball::from(0.3), Ball::ZERO), Ball::ZERO);
    }

    #[test]
    fn odds_far_from_even() {
        assert_eq!(logistic(Ball::ZERO).enclosure().midpoint(), 0.5);
        let rare = logistic(Ball::from(-600.0)).enclosure();
        assert!(rare.contains((-600f64).exp()) && rare.width() < 1e-13 * rare.upper());
        assert!(logistic(Ball::from(1e6)).enclosure().contains(1.0));
    }
}
