//! Trade-off → Rényi divergence.

use super::{TradeOffToMoments, moments_to_renyi};
use crate::curve::TradeOff;
use hockeystick_numerics::enclosure::Enclosure;

/// `D_α(P‖Q) = (1/(α − 1)) log ∫₀¹ |f′(x)|^{1−α} dx` with `f = T[P, Q]`, for `α > 1` ([Asoodeh21, Prop. 1] without the
/// term `1 − β(0)` inside its logarithm: where `P` has no mass, `p^α q^{1−α}` is 0 and not `q`).
///
/// # Guarantee
/// Encloses the truth. Finite only if the support says that losses are bounded and none is infinite.
pub fn trade_off_to_renyi(trade_off: &(impl TradeOff + ?Sized), alpha: f64, resolution: usize) -> Enclosure {
    moments_to_renyi(&TradeOffToMoments::new(trade_off, resolution), alpha)
}
