//! Hockey-stick → total variation.

use crate::curve::HockeyStick;
use hockeystick_numerics::{ball::Ball, probability::Probability};

/// `TV(P, Q) = sup_A P(A) − Q(A) = H_1(P‖Q)`: the hockey-stick at `ε = 0`, the same in both directions.
///
/// # Guarantee
/// Encloses the truth.
pub fn hockey_stick_to_total_variation(curve: &(impl HockeyStick + ?Sized)) -> Probability {
    curve.hockey_stick(Ball::ZERO)
}
