//! Hockey-stick → Kullback–Leibler divergence.

use super::{hockey_stick_to_renyi::both_directions, moments_to_renyi::at_infinity};
use crate::curve::HockeyStick;
use hockeystick_numerics::enclosure::Enclosure;

/// `KL(P‖Q) = ∫₀^∞ (H_{e^ε}(P‖Q) + e^{−ε} H_{e^ε}(Q‖P)) dε`: the limit `λ → 0` of [Zhu22, Lemma 24].
///
/// # Guarantee
/// Encloses the truth; the width is of order `cells⁻²`. If the largest loss is not bounded by the support, the upper end is
/// infinite and the lower end a bound, close to the truth.
pub fn hockey_stick_to_kullback_leibler(curve: &(impl HockeyStick + ?Sized), cells: usize) -> Enclosure {
    let found = both_directions(curve, 0.0, cells);
    let upper = if found.is_complete { found.integral.upper() } else { f64::INFINITY };
    at_infinity(Enclosure::new(found.integral.lower(), upper), curve.support().infinite_mass.value())
}
