//! On which side of the root a number is: as midpoints say, and as is proven.

use crate::curve::{Evaluation, PrivacyProfile};
use hockeystick_numerics::special::{ln, ln_1p};

/// A profile at some ε, as midpoints show it, relative to a target; on the complement where that is the smaller of the two.
pub(super) struct Level {
    /// How far `ln δ(ε)` is above `ln target`.
    pub(super) excess: f64,
    /// The width of δ(ε), relative to the target, and what of it is round-off, which differs from one ε to the next.
    pub(super) width: f64,
    pub(super) roundoff: f64,
}

pub(super) fn level(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> Level {
    let Evaluation { delta, budget } = profile.delta(epsilon);
    let roundoff = |unit: f64| 2.0 * budget.roundoff / unit;
    if target <= 0.5 {
        // A δ of 0 has no logarithm, and roundings may seem to leave less.
        let relative = (delta.value().midpoint() / target - 1.0).max(-1.0);
        let close = ((delta.value() - target) / target).midpoint();
        let excess = ln_1p(if relative.abs() < 0.5 { close } else { relative });
        return Level { excess, width: delta.value().width() / target, roundoff: roundoff(target) };
    }
    // The midpoint of what is hardly known says nothing; what is not proven then counts as too little.
    let complement = delta.complement();
    let is_known = complement.upper() <= 2.0 * complement.lower();
    let missing = if is_known { complement.midpoint() } else { complement.lower() };
    let unit = complement.upper();
    Level {
        excess: ln(1.0 - target) - ln(missing),
        width: complement.width() / unit,
        roundoff: roundoff(unit),
    }
}

/// Is `δ(ε) ≤ target` proven?
pub(super) fn is_enough(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> bool {
    profile.delta(epsilon).delta.is_certainly_at_most(target)
}

/// Is `δ(ε) > target` proven?
pub(super) fn is_too_little(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> bool {
    profile.delta(epsilon).delta.is_certainly_above(target)
}
