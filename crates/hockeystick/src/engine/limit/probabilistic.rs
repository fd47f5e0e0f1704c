//! Probabilistic differential privacy of a composition: `P(L > ε)`, infinite losses included ([Sommer19, Sec. 4.5]).

use super::{ComposedClass, Distance};
use crate::{engine::moments::RenyiCurve, pair::loss_law::normal};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `P(L > ε)`, enclosed.
pub type Tail = Probability;

/// `P(L > ε)` from the class of a composition and the distance of its law from the normal one.
///
/// # Guarantee
/// Encloses the truth.
pub fn normal_tail(class: &ComposedClass, distance: Distance, epsilon: f64) -> Tail {
    if class.variance.lower() <= 0.0 {
        return Probability::from_value(Enclosure::new(class.infinite_mass.value().lower(), 1.0));
    }
    let z = (Enclosure::point(epsilon) - class.mean) / class.variance.sqrt();
    let limit = normal::upper_tail(Ball::from(z)).value();
    let beta = distance.bound(class, z);
    let finite = (limit + Enclosure::new(-beta, beta)).clamp(0.0, 1.0);
    class.infinite_mass.or(Probability::from_value(finite))
}

/// An upper bound of `P(L > ε)` from moments: `P(L = ∞) + min_λ e^{K(λ)−λε}`, which is what the classic conversion bounds.
///
/// # Guarantee
/// Encloses the truth.
pub fn markov_tail(curve: &RenyiCurve, epsilon: f64) -> Tail {
    use crate::engine::moments::Conversion;
    let upper = curve.delta(Conversion::Classic, epsilon).value;
    let infinite = (-curve.log_finite_mass().exp_m1()).clamp(0.0, 1.0).lower();
    Probability::from_value(Enclosure::new(infinite.min(upper), upper))
}
