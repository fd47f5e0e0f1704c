//! How exactly `M` is summed along a line.

use crate::engine::contour::tuning::TUNING;
use hockeystick_numerics::special::ln;

/// The accuracy of rules and sums that a relative width of g requires.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exactness {
    /// Rules are made exact to this, relative to `M(c)` and divided by the number of uses.
    pub(crate) log_tolerance: f64,
    /// The same for `M(λ)`, relative to itself, divided by the number of uses: it is only a factor of the aliasing bound.
    pub(crate) log_tolerance_beyond: f64,
    /// Up to so many uses of a pair its `M` is summed directly. That is faster, but every use adds the round-off of `M` to δ's.
    pub(crate) most_direct: f64,
}

/// Two digits of a factor of the aliasing bound are enough.
pub(super) const LOG_TOLERANCE_BEYOND: f64 = -5.0;
/// How much less than a rule may be off what is not summed is to be, as a logarithm.
const QUIETER: f64 = 12.0;

impl Exactness {
    /// For a relative width of g.
    pub(crate) fn of(needed: f64) -> Self {
        let needs_all_digits = needed < TUNING.needs_all_digits;
        Self {
            log_tolerance: ln(needed) - TUNING.log_below_needed - TUNING.log_of_rules,
            log_tolerance_beyond: LOG_TOLERANCE_BEYOND,
            most_direct: if needs_all_digits {
                0.0
            } else {
                (needed * TUNING.direct_uses_for_digits).min(TUNING.most_direct_uses)
            },
        }
    }

    /// The same for each of so many different pairs, whose errors add up.
    pub(crate) fn of_parts(self, parts: usize) -> Self {
        let parts = parts.max(1) as f64;
        Self {
            log_tolerance: self.log_tolerance - ln(parts),
            log_tolerance_beyond: self.log_tolerance_beyond - ln(parts),
            most_direct: self.most_direct / parts,
        }
    }

    /// `log |M(z)/M(c)|` from which on the rest of a line is not worth its sums.
    pub(crate) fn log_quiet(self) -> f64 {
        self.log_tolerance - QUIETER
    }

    /// The same on a line of very many points, where sums node by node take too long for however many uses.
    pub(crate) fn without_decay(needed: f64) -> Self {
        Self { most_direct: needed * TUNING.direct_uses_for_digits, ..Self::of(needed) }
    }
}
