//! What is small enough to be bounded only: `g(ε) ≤ κ(c) e^{K(c) − cε}` for every `c > 0`.

use hockeystick_numerics::special::{exp, ln_1p};

/// A moment, which bounds `g(ε) ≤ κ(c) e^{K(c) − cε}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    pub(crate) tilt: f64,
    /// An upper bound of `K(c)`.
    pub(crate) log: f64,
}

impl Moment {
    /// # Guarantee
    /// At least g(ε), for `(1 − e^{ε−L})₊ ≤ κ(c) e^{c(L−ε)}`. Never 0.
    pub(crate) fn bound(self, epsilon: f64) -> f64 {
        let log = self.log - self.tilt * epsilon + log_kappa(self.tilt);
        let sizes = self.log.abs() + (self.tilt * epsilon).abs() + self.tilt;
        exp((log + 1e-15 * sizes + 1e-9).min(0.0)).max(f64::MIN_POSITIVE)
    }
}

/// `log κ(c)`, `κ(c) = c^c/(1 + c)^{1+c}`, or a little more.
pub(crate) fn log_kappa(tilt: f64) -> f64 {
    if tilt > 0.0 { -tilt * ln_1p(1.0 / tilt) - ln_1p(tilt) + 1e-12 } else { 0.0 }
}
