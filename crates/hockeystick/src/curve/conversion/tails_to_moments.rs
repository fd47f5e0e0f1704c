//! Tails → moment function, and with it the characteristic functions.

use super::cells::{self, Cell};
use crate::curve::{LossSupport, LossTails, MomentFunction, Support};
use hockeystick_numerics::disc::Disc;
use num_complex::Complex;

/// `M(z) = ∫ e^{zx} dP(L ≤ x)` over finite losses: `φ(t) = M(it)` is the Fourier transform of the law of `L` under `P`,
/// `M(it − 1)` that under `Q` ([Zhu22, App. B], by definition).
///
/// The law under `P` is integrated against `P` and that under `Q` against `Q`, not the other way round as
/// [Zhu22, App. E.2] prints it.
///
/// # Guarantee
/// Encloses the truth for `−1 ≤ Re z ≤ 0`, and for every `z` if the finite losses are bounded; elsewhere the radius is
/// infinite. It falls like `|z(z + 1)|·(range of the loss)²/resolution²`.
#[derive(Clone, Debug)]
pub struct TailsToMoments {
    cells: Vec<Cell>,
    support: Support,
}

impl TailsToMoments {
    /// Evaluates the tails at about `7·resolution` losses at most; moments then cost no more of them.
    pub fn new<T: LossTails + ?Sized>(tails: &T, resolution: usize) -> Self {
        Self { cells: cells::of_tails(tails, resolution), support: tails.support() }
    }
}

impl LossSupport for TailsToMoments {
    fn support(&self) -> Support {
        self.support
    }
}

impl MomentFunction for TailsToMoments {
    fn moment(&self, z: Complex<f64>) -> Disc {
        cells::moment(&self.cells, z)
    }
}
