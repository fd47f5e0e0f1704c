//! The numbers of a question, and the ranges that they are held to.

use crate::error::Error;

/// The relative width that numerical methods aim at when nothing is asked for.
pub(super) const DEFAULT_TOLERANCE: f64 = 1e-4;

/// Refuses an argument of a question unless it is in range.
pub(super) fn check(
    in_range: bool,
    argument: &'static str,
    value: f64,
    allowed: &'static str,
    cure: &'static str,
) -> Result<(), Error> {
    if in_range { Ok(()) } else { Err(Error::Argument { argument, value, allowed, cure }) }
}

pub(super) fn check_epsilon(epsilon: f64) -> Result<(), Error> {
    check(
        epsilon >= 0.0 && epsilon.is_finite(),
        "epsilon",
        epsilon,
        "a finite number, 0 or above",
        "ask for ε = 0 to get the total variation distance",
    )
}

pub(super) fn check_delta(delta: f64) -> Result<(), Error> {
    check(
        (0.0..1.0).contains(&delta),
        "delta",
        delta,
        "0 or above and below 1",
        "use a δ well below 1/n for n people, say 1e-6; 0 asks for pure differential privacy",
    )
}
