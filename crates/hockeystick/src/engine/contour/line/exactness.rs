//! How exactly `M` is summed along a line.

use crate::engine::contour::tuning::TUNING;
use hockeystick_numerics::special::ln;

/// The accuracy of rules and sums that a relative width of g requires.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exactness {
    /// Rules are made exact to this, relative to `M(c)` and divided by the number of uses.
    pub(crate) log_tolerance: f64,
    /// Up to so many uses of a pair its `M` is summed directly. That is faster, but every use adds the round-off of `M` to δ's.
    pub(crate) most_direct: f64,
}

impl Exactness {
    /// For a relative width of g.
    pub(crate) fn of(needed: f64) -> Self {
        let needs_all_digits = needed < TUNING.needs_all_digits;
        Self {
            log_tolerance: ln(needed) - TUNING.log_below_needed - TUNING.log_of_rules,
            most_direct: if needs_all_digits {
                0.0
            } else {
                (needed * TUNING.direct_uses_for_digits).min(TUNING.most_direct_uses)
            },
        }
    }

    /// The same on a line of very many points, where sums node by node take too long for however many uses.
    pub(crate) fn without_decay(needed: f64) -> Self {
        Self { most_direct: needed * TUNING.direct_uses_for_digits, ..Self::of(needed) }
    }
}
