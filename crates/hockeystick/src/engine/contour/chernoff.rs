//! An upper bound of δ by one moment, for directions that need no engine.

use super::{
    bound::Moment,
    factors::Factors,
    line::log_moment,
    search::{saddle, searchable},
};
use crate::{engine::masses::infinite_mass, pair::SharedPair};
use hockeystick_numerics::{rounding::add_up, special::ln};
use std::fmt;

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

/// The bound estimated by a sketch must be below δ by this factor, as a logarithm. A sketch's error is smaller.
const LOG_ROOM: f64 = -0.01;

/// An upper bound of δ(ε), if a sketch shows that it will be below `delta`.
///
/// # Guarantee
/// `δ(ε) ≤ P(L = ∞) + κ(c) M(c) e^{−cε}`, with an upper bound of `M(c)`, since `(1 − e^{ε−L})₊ ≤ κ(c) e^{c(L−ε)}`.
pub fn chernoff(pairs: &[(SharedPair, u64)], epsilon: f64, delta: f64) -> Option<Chernoff> {
    let infinite = infinite_mass(pairs).value().upper();
    let factors = searchable(Factors::new(pairs));
    let wanted = ln(delta - infinite);
    if wanted.is_nan() || !factors.are_known() {
        return None;
    }
    let tilt = saddle::negligible(&factors, epsilon, wanted + LOG_ROOM)?;
    let moment = Moment { tilt, log: log_moment(&factors, tilt)? };
    Some(Chernoff { epsilon, tilt, delta: add_up(moment.bound(epsilon), infinite) })
}
