//! `K(c)` at one real point: what Chernoff's bound takes.

use super::exactness::LOG_TOLERANCE_BEYOND;
use crate::{
    engine::contour::{
        factors::{Factor, Factors},
        law,
        sum::TiltedLaw,
        tuning::TUNING,
    },
    two_threads::mapped,
};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::ln};

/// From so many pairs on two threads share them.
const MANY: usize = 256;

/// An upper bound of `K(c)`.
pub(crate) fn log_moment(factors: &Factors, tilt: f64) -> Option<f64> {
    let normal =
        0.5 * factors.normal * tilt * (tilt + 1.0) * (1.0 + factors.normal_error + 8.0 * UNIT_ROUNDOFF);
    let mut sum = normal + factors.combs.log_error;
    let term = |factor: &Factor| {
        let wanted = law::RuleSpec {
            tilt,
            height: 0.0,
            beyond: tilt,
            log_tolerance: LOG_TOLERANCE_OF_BOUND - ln(factor.count),
            log_tolerance_beyond: LOG_TOLERANCE_BEYOND,
            direct: factor.count <= TUNING.direct_uses_below_cuts,
        };
        let law = TiltedLaw::new(factor, wanted, &factor.rule(wanted)?);
        Some(factor.count * law.along(1.0, 1).ceilings[0])
    };
    for term in mapped(&factors.others, MANY, term) {
        let term = term?;
        sum += term;
        sum += 4.0 * UNIT_ROUNDOFF * (term.abs() + sum.abs());
    }
    Some(sum)
}

/// In a bound by one moment, `M(c)^k` is the bound itself: rules are as exact as doubles.
const LOG_TOLERANCE_OF_BOUND: f64 = -34.0;
