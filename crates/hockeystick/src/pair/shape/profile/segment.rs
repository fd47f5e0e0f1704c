//! A line of a piecewise linear hockey-stick curve, and the tails it stands for.

use super::vertex::Vertex;
use hockeystick_numerics::ball::Ball;

/// Certainly?
pub(super) fn is_positive(x: Ball) -> bool {
    x.enclosure().lower() > 0.0
}

/// A number between 0 and 1 and what it leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) value: Ball,
    pub(super) complement: Ball,
}

impl Share {
    /// The difference of two shares, from the sides that know it better.
    pub(super) fn minus(self, other: Self) -> Ball {
        let (direct, crossed) = (self.value - other.value, other.complement - self.complement);
        if direct.radius() <= crossed.radius() { direct } else { crossed }
    }
}

/// The line between two neighbouring vertices; without one it starts in `(0, 1)` or runs on to the right.
///
/// On it `H = t − sα` with the tails `s = Q(L > ε)` and `t = P(L > ε)` of all `ε` between the two losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment<'a> {
    pub(super) from: Option<&'a Vertex>,
    pub(super) to: Option<&'a Vertex>,
}

/// `e^{−x}` and `1 − e^{−x}`.
fn decay(x: Ball) -> (Ball, Ball) {
    ((-x).exp(), -(-x).exp_m1())
}

impl Segment<'_> {
    /// `t`. With `Δ` the difference of the losses, `t = H_a + (H_a − H_b)/(e^Δ − 1)`; `1 − t` is `s` of the swapped pair.
    pub(super) fn p_tail(self) -> Share {
        match (self.from, self.to) {
            (None, _) => Share { value: Ball::ONE, complement: Ball::ZERO },
            (Some(a), None) => Share { value: a.value, complement: a.complement },
            (Some(a), Some(b)) => {
                let decay = decay(Ball::from(b.loss) - Ball::from(a.loss));
                Share {
                    value: intercept(a.value, b.value, decay),
                    complement: slope(
                        (b.dual_value, a.dual_value),
                        (a.complement, b.complement),
                        -a.loss,
                        decay,
                    ),
                }
            }
        }
    }

    /// `s = (H_a − H_b)/(α_b − α_a)`; `1 − s` is `t` of the swapped pair.
    pub(super) fn q_tail(self) -> Share {
        match (self.from, self.to) {
            (_, None) => Share { value: Ball::ZERO, complement: Ball::ONE },
            (None, Some(b)) => Share { value: b.dual_complement, complement: b.dual_value },
            (Some(a), Some(b)) => {
                let decay = decay(Ball::from(b.loss) - Ball::from(a.loss));
                Share {
                    value: slope((a.value, b.value), (b.dual_complement, a.dual_complement), b.loss, decay),
                    complement: intercept(b.dual_value, a.dual_value, decay),
                }
            }
        }
    }

    /// Does the line to `to` certainly fall?
    ///
    /// Where `α` is small the heights are all 1 up to round-off, but the slope is not 0.
    pub(super) fn falls(self) -> bool {
        match (self.from, self.to) {
            (Some(a), Some(b)) if b.loss > 0.0 => is_positive(a.value - b.value),
            _ => is_positive(self.q_tail().value),
        }
    }

    /// `H` at `epsilon` on the line: the mean of the ends with weights `∝ α_b − α` and `α − α_a`.
    pub(super) fn at(self, epsilon: Ball) -> Share {
        let Some(b) = self.to else { return self.p_tail() };
        let (share_b, rest) = decay(Ball::from(b.loss) - epsilon);
        let Some(a) = self.from else {
            return Share { value: rest + share_b * b.value, complement: share_b * b.complement };
        };
        let (_, all) = decay(Ball::from(b.loss) - Ball::from(a.loss));
        let (_, passed) = decay(epsilon - Ball::from(a.loss));
        let (left, right) = (rest / all, share_b * (passed / all));
        Share {
            value: left * a.value + right * b.value,
            complement: left * a.complement + right * b.complement,
        }
    }
}

/// `near + (near − far)/(e^Δ − 1)`, a sum of terms ≥ 0, from `e^{−Δ}` and `1 − e^{−Δ}`.
fn intercept(near: Ball, far: Ball, (shrink, rest): (Ball, Ball)) -> Ball {
    near + (near - far) * (shrink / rest)
}

/// `(high − low)/(α_far − α_near)`; where `1/α_far` might overflow the same from what the images leave,
/// `(far − near·e^{−Δ})/(1 − e^{−Δ})`.
fn slope(
    (high, low): (Ball, Ball),
    (far, near): (Ball, Ball),
    far_loss: f64,
    (shrink, rest): (Ball, Ball),
) -> Ball {
    if far_loss > 0.0 {
        (high - low) * (Ball::from(-far_loss).exp() / rest)
    } else {
        (far - near * shrink) / rest
    }
}
