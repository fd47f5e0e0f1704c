//! The privacy loss of one Laplace mechanism.

use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `δ(ε)` for two Laplace laws `d` scales apart: `1 − e^{(ε−d)/2}` for `|ε| ≤ d`, 0 above, `1 − e^ε` below
/// ([Sommer19, App. A.3], prefactor corrected).
///
/// In one formula, `1 − δ(ε) = exp(min(ε, (ε − d)/2, 0))`.
///
/// # Guarantee
/// Encloses the truth for all real numbers in `distance ≥ 0` and `epsilon`.
pub(crate) fn delta(distance: Ball, epsilon: Ball) -> Probability {
    let half_gap = (epsilon - distance) * Ball::from(0.5);
    if half_gap.enclosure().lower() >= 0.0 {
        return Probability::ZERO;
    }
    let exponent = if (half_gap - epsilon).approximate() <= 0.0 { half_gap } else { epsilon };
    let complement = exponent.exp_enclosure();
    let value = -exponent.enclosure().exp_m1();
    // Where the branches meet the wrong one may have been taken: there both exponents are within their radius of each
    // other or of 0, and the true one is the smaller.
    let other = if exponent == half_gap { epsilon } else { half_gap };
    let straddles = (half_gap - epsilon).enclosure().contains(0.0);
    let (complement, value) = if straddles {
        (complement.hull(other.exp_enclosure()), value.hull(-other.enclosure().exp_m1()))
    } else {
        (complement, value)
    };
    let at_most = |e: Enclosure| e.clamp(0.0, 1.0);
    Probability::from_both(at_most(value), at_most(complement))
}
