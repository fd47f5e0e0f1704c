//! What is small enough to be bounded only: `g(ε) ≤ κ(c) e^{K(c) − cε}` for every `c > 0`.

use crate::engine::{
    contour::{factors::Factors, line::log_moment, search::saddle},
    masses::infinite_mass,
};
use crate::pair::SharedPair;
use hockeystick_numerics::{
    rounding::add_up,
    special::{exp, ln, ln_1p},
};
use std::fmt;

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

/// An upper bound of δ(ε) from one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chernoff {
    /// The ε.
    pub epsilon: f64,
    /// `c`, the order of the moment.
    pub tilt: f64,
    /// `δ(ε)` is at most this.
    pub delta: f64,
}

impl fmt::Display for Chernoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "δ ≤ {:.1e} at ε = {:.4}, by the moment at z = {:.4}", self.delta, self.epsilon, self.tilt)
    }
}

/// How many times smaller than δ a sketch must show the bound to be: it is off by less.
const LOG_ROOM: f64 = -0.01;

/// An upper bound of δ(ε), if a sketch shows that it will be below `delta`.
///
/// # Guarantee
/// `δ(ε) ≤ P(L = ∞) + κ(c) M(c) e^{−cε}`, with an upper bound of `M(c)`, since `(1 − e^{ε−L})₊ ≤ κ(c) e^{c(L−ε)}`.
pub fn chernoff(pairs: &[(SharedPair, u64)], epsilon: f64, delta: f64) -> Option<Chernoff> {
    let infinite = infinite_mass(pairs).value().upper();
    let factors = Factors::new(pairs);
    let wanted = ln(delta - infinite);
    if wanted.is_nan() || !factors.are_known() {
        return None;
    }
    let tilt = saddle::negligible(&factors, epsilon, wanted + LOG_ROOM)?;
    let moment = Moment { tilt, log: log_moment(&factors, tilt)? };
    Some(Chernoff { epsilon, tilt, delta: add_up(moment.bound(epsilon), infinite) })
}
