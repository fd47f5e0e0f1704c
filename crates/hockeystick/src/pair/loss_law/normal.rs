//! Normal privacy loss: the Gaussian mechanism and everything that composes to one.

use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    mills::{mills_ratio, mills_ratio_drop},
    probability::Probability,
};

/// From this many standard deviations on `δ ≤ Φ(−x) ≤ e^{−x²/2}` is below every double.
const INVISIBLE: f64 = 50.0;

/// `φ(x) = e^{−x²/2}/√(2π)`.
pub(crate) fn density(x: Ball) -> Enclosure {
    (x * x * Ball::from(-0.5)).exp_enclosure() / Enclosure::SQRT_TWO_PI
}

/// `δ(ε)` of a loss `N(μ²/2, μ²)`, for any real `ε` ([Sommer19, Thm 5]).
///
/// `δ(ε) = Φ(−x) − e^ε Φ(−y)` with `x = ε/μ − μ/2`, `y = ε/μ + μ/2`. Since `e^ε φ(y) = φ(x)`, it equals
/// `φ(x)·(R(x) − R(y))` with the Mills ratio `R`: nothing overflows, and the difference is taken without cancellation.
/// The complement is `φ(x)·(R(−x) + R(y))`, a sum of positive terms.
///
/// # Guarantee
/// Encloses the truth for all real numbers in `mu > 0` and `epsilon`.
pub(crate) fn delta(mu: Ball, epsilon: Ball) -> Probability {
    let at = epsilon.enclosure();
    if at.contains(0.0) && at.width() > 0.0 {
        // |δ′| ≤ 1: around 0 the value at 0 is within |ε|.
        let reach = at.upper().max(-at.lower());
        let at_zero = delta(mu, Ball::ZERO).value() + Enclosure::new(-reach, reach);
        return Probability::from_value(at_zero);
    }
    if at.upper() < 0.0 {
        // The pair is self-dual: 1 − δ(−ε) = e^{−ε}(1 − δ(ε)).
        let mirrored = delta(mu, -epsilon);
        let ratio = epsilon.exp_enclosure();
        let value = ratio * mirrored.value() - epsilon.enclosure().exp_m1();
        return Probability::from_both(value, ratio * mirrored.complement());
    }
    let middle = epsilon / mu;
    let half = mu * Ball::from(0.5);
    let near = middle - half;
    if near.enclosure().lower() > INVISIBLE {
        return Probability::from_value(Enclosure::new(0.0, f64::from_bits(1)));
    }
    let height = density(near);
    let value = height * mills_ratio_drop(middle, mu);
    if near.approximate() < 0.0 {
        let complement = height * (mills_ratio(-near) + mills_ratio(middle + half));
        Probability::from_both(value, complement)
    } else {
        Probability::from_value(value)
    }
}

/// `P(X > x) = φ(x)·R(x)` for a standard normal `X`.
///
/// # Guarantee
/// Encloses the truth for all real numbers in `x`.
pub(crate) fn upper_tail(x: Ball) -> Probability {
    let magnitude = if x.approximate() < 0.0 { -x } else { x };
    if magnitude.enclosure().lower() > INVISIBLE {
        let nothing = Probability::from_value(Enclosure::new(0.0, f64::from_bits(1)));
        return if x.approximate() < 0.0 { nothing.opposite() } else { nothing };
    }
    let beyond = Probability::from_value(density(magnitude) * mills_ratio(magnitude));
    if x.approximate() < 0.0 { beyond.opposite() } else { beyond }
}

/// `P(L > ε)` of a loss `N(μ²/2, μ²)`: the δ of probabilistic differential privacy ([Sommer19, Cor. 5.1]).
///
/// # Guarantee
/// Encloses the truth for all real numbers in `mu > 0` and `epsilon`.
pub(crate) fn tail(mu: Ball, epsilon: Ball) -> Probability {
    upper_tail(epsilon / mu - mu * Ball::from(0.5))
}

/// `Q(L > ε)`: under `Q` the loss is `N(−μ²/2, μ²)`.
///
/// # Guarantee
/// Encloses the truth for all real numbers in `mu > 0` and `epsilon`.
pub(crate) fn other_tail(mu: Ball, epsilon: Ball) -> Probability {
    upper_tail(epsilon / mu + mu * Ball::from(0.5))
}
