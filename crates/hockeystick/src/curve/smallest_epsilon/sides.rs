//! On which side of the root a number is: as midpoints say, and as is proven.

use crate::curve::PrivacyProfile;
use hockeystick_numerics::special::{ln, ln_1p};

/// How far `ln δ(ε)` is above `ln target`; on the complement where that is the smaller of the two.
pub(super) fn excess(profile: &dyn PrivacyProfile, epsilon: f64, target: f64) -> f64 {
    if target > 0.5 {
        let delta = profile.delta(epsilon).delta;
        // The midpoint of what is hardly known says nothing; what is not proven then counts as too little.
        let complement = delta.complement();
        let is_known = complement.upper() <= 2.0 * complement.lower();
        ln(1.0 - target) - ln(if is_known { complement.midpoint() } else { complement.lower() })
    } else {
        ln_1p((profile.delta(epsilon).delta.value() - target).midpoint() / target)
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
