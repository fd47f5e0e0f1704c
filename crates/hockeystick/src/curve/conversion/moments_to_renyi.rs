//! Moments → Rényi divergence.

use crate::curve::MomentFunction;
use hockeystick_numerics::{disc::Disc, enclosure::Enclosure};
use num_complex::Complex;

/// `D_α(P‖Q) = log M(α − 1)/(α − 1)`, for `α > 1`: the characteristic function at an imaginary argument
/// ([Zhu22, Table 4], [Sommer19, Lemma 8]).
///
/// # Guarantee
/// Encloses the truth; infinite if `P(L = ∞) > 0`, with an infinite upper end if that cannot be excluded.
pub fn moments_to_renyi(moments: &(impl MomentFunction + ?Sized), alpha: f64) -> Enclosure {
    // Exact for 1 < α ≤ 2⁵³.
    let lambda = alpha - 1.0;
    let moment: Disc = moments.moment(Complex::new(lambda, 0.0));
    let divergence = if moment.radius().is_finite() {
        moment.real().clamp(0.0, f64::INFINITY).ln() / lambda
    } else {
        Enclosure::ENTIRE
    };
    at_infinity(divergence.clamp(0.0, f64::INFINITY), moments.support().infinite_mass.value())
}

/// The divergence of the whole pair from that of its finite losses.
pub(super) fn at_infinity(divergence: Enclosure, infinite_mass: Enclosure) -> Enclosure {
    if infinite_mass.lower() > 0.0 {
        Enclosure::point(f64::INFINITY)
    } else if infinite_mass.upper() > 0.0 {
        Enclosure::new(divergence.lower(), f64::INFINITY)
    } else {
        divergence
    }
}
