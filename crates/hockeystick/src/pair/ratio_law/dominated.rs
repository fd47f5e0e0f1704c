//! Bounds of the integrand on a rectangle when one term of the ratio outweighs the others.

use super::{Quadratic, integrand::Integrand, rectangle::Rectangle, term::Term};
use hockeystick_numerics::special::{exp, ln_1p};
use std::f64::consts::FRAC_PI_2;

/// The ratio as `r = t (1 + v)` on a rectangle, t its largest term in the middle, `|v| ≤ rest < 1`.
///
/// This sees what a rare sample does to the ratio: with `r = 1 − γ + γe^l`, |Im log r| is of the order of γ, whereas the
/// arguments of the terms are not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dominated {
    log_weight: f64,
    exponent: Quadratic,
    /// A bound of |v|.
    rest: f64,
    /// A bound of `|arg(1 + v)|`.
    argument: f64,
}

/// Larger remainders are left to the other bound.
const LARGEST_REST: f64 = 0.9;

impl Dominated {
    /// If a term dominates. The logarithms of its remainders are raised by `slack`.
    ///
    /// # Guarantee
    /// `|v| ≤ Σ' wⱼ/w · sup |e^{lⱼ − l}|`, `|Im v| ≤ |v| φ` with φ the largest argument of an `e^{lⱼ − l}`, and
    /// `|arg(1 + v)|` is at most both `asin |v| ≤ π|v|/2` and `|Im v|/(1 − |v|)`.
    pub(crate) fn new(integrand: &Integrand, rectangle: Rectangle, slack: f64) -> Option<Self> {
        let (index, _) = integrand.ratio.largest(rectangle.middle);
        let largest = integrand.ratio.terms[index];
        let (mut rest, mut angle) = (0.0, 0.0f64);
        for (other, term) in integrand.ratio.terms.iter().enumerate() {
            if other != index {
                let difference = term.exponent.plus(-1.0, largest.exponent);
                let log_weight = term.log_weight - largest.log_weight;
                rest += exp(difference.real_supremum(rectangle) + log_weight + slack);
                angle = angle.max(difference.steepest(rectangle) * rectangle.height);
            }
        }
        let argument = (FRAC_PI_2 * rest).min(rest * angle / (1.0 - rest));
        let Term { log_weight, exponent, .. } = largest;
        (rest < LARGEST_REST).then_some(Self { log_weight, exponent, rest, argument })
    }

    /// The logarithm of a bound of `|e^{log_q} r^w| = e^{Re log_q} |t|^θ |1 + v|^θ e^{−Im w · Im log r}`.
    pub(crate) fn log_bound(self, integrand: &Integrand, rectangle: Rectangle) -> f64 {
        let theta = integrand.power.re;
        let argument = self.exponent.steepest(rectangle) * rectangle.height + self.argument;
        integrand.log_q.plus(theta, self.exponent).real_supremum(rectangle)
            + theta * (self.log_weight + ln_1p(if theta >= 0.0 { self.rest } else { -self.rest }))
            + integrand.power.im.abs() * argument
    }

    /// A bound of `|log r − center|`: the distance of `log t`, plus `|log(1 + v)| ≤ −log(1 − |v|)`.
    pub(crate) fn distance(self, center: f64, rectangle: Rectangle) -> f64 {
        let slope = self.exponent.steepest(rectangle) + 2.0 * self.exponent.square.abs() * rectangle.height;
        let middle = (self.log_weight + self.exponent.at(rectangle.middle) - center).abs();
        middle + slope * rectangle.extent() - ln_1p(-self.rest)
    }
}
