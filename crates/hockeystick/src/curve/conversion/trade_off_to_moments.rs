//! Trade-off → moment function, and with it the characteristic functions.

use super::cells::{self, Cell};
use crate::curve::{LossSupport, MomentFunction, Support, TradeOff};
use hockeystick_numerics::disc::Disc;
use num_complex::Complex;

/// `M(z) = ∫₀¹ |f′(x)|^{−z} dx` where `f′ ≠ 0`, with `f = T[P, Q]`; so `φ(t) = M(it) = ∫ e^{−it log|f′(x)|} dx`
/// ([Zhu22, Lemma 25]).
///
/// `P` can be taken as the uniform law and `Q` with density `|f′|`, plus a mass `1 − f(0)` where `P` has none. Where
/// `f′ = 0` the loss is infinite.
///
/// # Guarantee
/// Encloses the truth for `−1 ≤ Re z ≤ 0`, and for every `z` if the support says that losses are bounded and none is
/// infinite; elsewhere the radius is infinite. It falls like `|z(z + 1)|/resolution²`.
#[derive(Clone, Debug)]
pub struct TradeOffToMoments {
    cells: Vec<Cell>,
    support: Support,
}

impl TradeOffToMoments {
    /// Evaluates `f` at some multiple of `resolution` points; moments then cost no more of them.
    pub fn new<T: TradeOff + ?Sized>(trade_off: &T, resolution: usize) -> Self {
        Self { cells: cells::of_trade_off(trade_off, resolution), support: trade_off.support() }
    }
}

impl LossSupport for TradeOffToMoments {
    fn support(&self) -> Support {
        self.support
    }
}

impl MomentFunction for TradeOffToMoments {
    fn moment(&self, z: Complex<f64>) -> Disc {
        cells::moment(&self.cells, z)
    }
}
