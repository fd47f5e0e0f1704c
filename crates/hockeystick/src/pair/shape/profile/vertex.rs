//! A corner of a piecewise linear hockey-stick curve.

use hockeystick_numerics::ball::Ball;

/// The point `(α, H)` of a curve at `α = e^loss`, with its image on the curve of the swapped pair.
///
/// The image is `(1/α, H')` with `1 − H' = (1 − H)/α` ([Zhu22, Lemma 46]). All four numbers are kept, as each has digits that
/// the others have lost where `α` is large or small; swapping `P` and `Q` only renames them.
#[derive(Clone, Copy, Debug)]
pub(in crate::pair::shape) struct Vertex {
    pub(in crate::pair::shape) loss: f64,
    /// `H`.
    pub(in crate::pair::shape) value: Ball,
    /// `1 − H`.
    pub(in crate::pair::shape) complement: Ball,
    /// `H'`.
    pub(in crate::pair::shape) dual_value: Ball,
    /// `1 − H'`.
    pub(in crate::pair::shape) dual_complement: Ball,
}

impl Vertex {
    /// The point at height `delta ≥ 1 − e^loss`.
    pub(in crate::pair::shape) fn new(loss: f64, delta: f64) -> Self {
        // The image of a point at α = 1 is the point itself, exactly.
        let shrink = if loss == 0.0 { Ball::ONE } else { Ball::from(-loss).exp() };
        let value = Ball::from(delta);
        let complement = Ball::ONE - value;
        let dual_complement = complement * shrink;
        // Both are 1 − (1 − δ)e^{−loss}; one would overflow for large losses, the other one cancel for negative ones.
        let dual_value = match loss {
            0.0 => value,
            loss if loss > 0.0 => value * shrink - Ball::from(-loss).exp_m1(),
            loss => (value + Ball::from(loss).exp_m1()) * shrink,
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
    pub(in crate::pair::shape) fn mirrored(self) -> Self {
        Self {
            loss: -self.loss + 0.0,
            value: self.dual_value,
            complement: self.dual_complement,
            dual_value: self.value,
            dual_complement: self.complement,
        }
    }
}
