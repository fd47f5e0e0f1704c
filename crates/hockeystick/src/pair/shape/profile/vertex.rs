//! A corner of a piecewise linear hockey-stick curve, and the stretch between two of them.

use hockeystick_numerics::ball::Ball;

/// The point `(α, H)` of a curve at `α = e^loss`, with its image on the curve of the swapped pair.
///
/// The image is `(1/α, H')` with `1 − H' = (1 − H)/α` ([Zhu22, Lemma 46]). All four numbers are kept, as each has digits that
/// the others have lost where `α` is large or small; swapping `P` and `Q` only renames them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) loss: f64,
    /// `H`.
    pub(super) value: Ball,
    /// `1 − H`.
    pub(super) complement: Ball,
    /// `H'`.
    pub(super) dual_value: Ball,
    /// `1 − H'`.
    pub(super) dual_complement: Ball,
}

impl Vertex {
    /// The point at height `delta ≥ 1 − e^loss`.
    pub(super) fn new(loss: f64, delta: f64) -> Self {
        let (value, shrink) = (Ball::from(delta), Ball::from(-loss).exp());
        let complement = Ball::ONE - value;
        let dual_complement = complement * shrink;
        let dual_value = if loss >= 0.0 {
            value * shrink - Ball::from(-loss).exp_m1()
        } else {
            Ball::ONE - dual_complement
        };
        Self { loss, value, complement, dual_value, dual_complement }
    }

    /// The point `(α, 1 − α)`, for `loss < 0`.
    pub(super) fn harmless(loss: f64) -> Self {
        let loss_ball = Ball::from(loss);
        Self {
            loss,
            value: -loss_ball.exp_m1(),
            complement: loss_ball.exp(),
            dual_value: Ball::ZERO,
            dual_complement: Ball::ONE,
        }
    }

    /// The image on the curve of the swapped pair.
    pub(super) fn mirrored(self) -> Self {
        Self {
            loss: -self.loss + 0.0,
            value: self.dual_value,
            complement: self.dual_complement,
            dual_value: self.value,
            dual_complement: self.complement,
        }
    }

    /// Is it certainly lower than `other`?
    pub(super) fn is_below(&self, other: &Self) -> bool {
        is_positive(other.value - self.value) || is_positive(self.complement - other.complement)
    }
}

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
            (Some(a), Some(b)) => Share {
                value: intercept(a.value, b.value, a.loss, b.loss),
                complement: slope(b.dual_value, a.dual_value, a.complement, b.complement, -a.loss, -b.loss),
            },
        }
    }

    /// `s = (H_a − H_b)/(α_b − α_a)`; `1 − s` is `t` of the swapped pair.
    pub(super) fn q_tail(self) -> Share {
        match (self.from, self.to) {
            (_, None) => Share { value: Ball::ZERO, complement: Ball::ONE },
            (None, Some(b)) => Share { value: b.dual_complement, complement: b.dual_value },
            (Some(a), Some(b)) => Share {
                value: slope(a.value, b.value, b.dual_complement, a.dual_complement, b.loss, a.loss),
                complement: intercept(b.dual_value, a.dual_value, -b.loss, -a.loss),
            },
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

/// `near + (near − far)/(e^Δ − 1)`, a sum of terms ≥ 0, with `Δ = far_loss − near_loss > 0`.
fn intercept(near: Ball, far: Ball, near_loss: f64, far_loss: f64) -> Ball {
    let (shrink, rest) = decay(Ball::from(far_loss) - Ball::from(near_loss));
    near + (near - far) * (shrink / rest)
}

/// `(high − low)/(α_far − α_near)`, or the same from what the images leave, `(far − near·e^{−Δ})/(1 − e^{−Δ})`, where
/// `1/α_far` would overflow.
fn slope(high: Ball, low: Ball, far: Ball, near: Ball, far_loss: f64, near_loss: f64) -> Ball {
    let (shrink, rest) = decay(Ball::from(far_loss) - Ball::from(near_loss));
    if far_loss > 0.0 {
        (high - low) * (Ball::from(-far_loss).exp() / rest)
    } else {
        (far - near * shrink) / rest
    }
}
