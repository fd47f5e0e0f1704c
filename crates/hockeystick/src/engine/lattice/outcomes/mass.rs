//! Masses under both laws, and sums of them.

use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, ln_1p},
};

/// The mass between two outcomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass {
    /// Under `P`.
    pub(crate) p: f64,
    /// Its relative error is at most this.
    pub(crate) error: f64,
    /// `log(P/Q)` of both masses.
    pub(crate) loss: f64,
    /// The absolute error of that loss is at most this.
    pub(crate) loss_error: f64,
}

/// Below this masses, and sums of them, lose relative accuracy.
const FEWER_DIGITS: f64 = 1e-290;

/// Masses of adjacent pieces so far.
pub(super) struct PieceSum {
    p: f64,
    /// Approximately the smallest loss of a piece, or 0 if that is close. Masses under `Q` are scaled by `e^{reference}`, so that they underflow no
    /// earlier than those under `P`.
    reference: f64,
    q: f64,
    /// `P − Q`, for a reference of 0.
    excess: f64,
    /// The largest relative error of a piece.
    error: f64,
    /// The sum of the pieces' errors of `log(P/Q)`, weighted with `Q`.
    loss_error: f64,
    /// The smallest and the largest loss of a piece.
    losses: Option<(f64, f64)>,
}

impl PieceSum {
    /// An empty sum, for losses from about this one upwards.
    pub(super) fn from(smallest: f64) -> Self {
        let reference = if smallest.abs() <= 1.0 { 0.0 } else { smallest };
        Self { p: 0.0, reference, q: 0.0, excess: 0.0, error: 0.0, loss_error: 0.0, losses: None }
    }

    pub(super) fn add(&mut self, piece: Mass) {
        if piece.p <= 0.0 {
            return;
        }
        let q = piece.p * exp(self.reference - piece.loss);
        self.p += piece.p;
        self.q += q;
        self.excess += if self.reference == 0.0 { q * expm1(piece.loss) } else { 0.0 };
        self.error = self.error.max(piece.error);
        self.loss_error += q * piece.loss_error;
        let (low, high) = self.losses.unwrap_or((piece.loss, piece.loss));
        self.losses = Some((low.min(piece.loss), high.max(piece.loss)));
    }

    /// `log(ΣP/ΣQ)`, with `Q = Pe^{−l}` for each piece. An error of `l` enters with the share of the piece in `Q`. A relative error of a mass changes
    /// both sums, and the merged loss by at most that error times the range of losses. Round-off is relative to the sums, and to the largest
    /// `|e^l − 1|` if the loss comes from the excess. If masses are too small the error is infinite.
    pub(super) fn total(self, count: f64) -> Mass {
        let (low, high) = self.losses.unwrap_or_default();
        let roundings = (count + 12.0) * UNIT_ROUNDOFF;
        let error = self.error + roundings;
        if self.p < FEWER_DIGITS || self.q < FEWER_DIGITS {
            return Mass { p: self.p, error, loss: high, loss_error: f64::INFINITY };
        }
        let relative = self.excess / self.q;
        let is_near = self.reference == 0.0 && relative.abs() < 0.5;
        let loss = if is_near { ln_1p(relative) } else { self.reference + ln(self.p / self.q) };
        let growth = if is_near { expm1(high).abs().max(expm1(low).abs()) } else { 1.0 };
        let own = self.loss_error / self.q;
        let spread = 2.0 * error * (high - low);
        let rounding = 2.0 * UNIT_ROUNDOFF * (loss.abs() + 2.0 * self.reference.abs());
        let loss_error = (own + spread + 4.0 * roundings * growth + rounding) * (1.0 + 1e-6);
        Mass { p: self.p, error, loss, loss_error }
    }
}
