//! How much of a measure lies on half of the circle, from finitely many of its Fourier coefficients.
//!
//! The sum that a Fourier series gives for an indicator function overshoots, and nothing is known of what was left out. There are
//! trigonometric polynomials that stay above or below it, which are almost as close: then nothing has to be known.

use crate::{enclosure::Enclosure, rounding::UNIT_ROUNDOFF, special::cis, summation::CompensatedSum};
use num_complex::Complex;
use std::f64::consts::{FRAC_2_PI, PI};

/// Vaaler's polynomial of degree K for the sawtooth `s`, and Fejér's kernel `Δ`, with `|V − s| ≤ Δ/(2K + 2)`
/// (Vaaler, *Some extremal functions in Fourier analysis*, 1985, Thm 18).
///
/// Half of the circle has the indicator `½ + s(x − ½) − s(x)`: of its coefficients those of odd order are left, and the kernels at
/// its two ends add up to those of even order.
#[derive(Clone, Debug)]
pub struct HalfCircle {
    /// `Ĵ(n/(K+1))`, n = 1 … K.
    sawtooth: Vec<f64>,
}

/// A Fourier coefficient, and how far it may be off.
#[derive(Clone, Copy, Debug)]
pub struct Coefficient {
    /// The value as computed.
    pub value: Complex<f64>,
    /// A bound of its distance from the truth.
    pub error: f64,
}

/// The error of a weight of the sawtooth, in units of u: that of an argument πt, of its sine and cosine, times what `x cot x` makes
/// of them for x up to π/2, and five roundings of numbers up to 1.
const WEIGHT_ERROR: f64 = 24.0;

impl HalfCircle {
    /// The polynomials of the given degree.
    #[must_use]
    pub fn new(degree: usize) -> Self {
        let weight = |n: usize| sawtooth_weight(n as f64 / (degree + 1) as f64);
        Self { sawtooth: (1..=degree).map(weight).collect() }
    }

    /// The largest order that is used.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.sawtooth.len()
    }

    /// The mass of a positive measure μ on the half circle from angle 0 to π, where `mass` is the whole of μ and
    /// `coefficient(n) = ∫ e^{inθ} dμ(θ)` for n = 1 … K.
    ///
    /// # Guarantee
    /// `lower ≤ μ((0, π))` and `μ([0, π]) ≤ upper`, if `mass` and the coefficients are within their errors of those of μ.
    ///
    /// # Accuracy
    /// The width is about `2/(K+1)` times the density of μ (with respect to θ/2π) at both ends.
    pub fn measure(&self, mass: Coefficient, coefficient: impl Fn(usize) -> Coefficient) -> Enclosure {
        let degree = self.degree();
        let step = 1.0 / (degree + 1) as f64;
        let (mut middle, mut spread) = (CompensatedSum::new(), CompensatedSum::new());
        middle.add(0.5 * mass.value.re);
        spread.add(step * mass.value.re);
        let mut error = (0.5 + step) * mass.error + 2.0 * UNIT_ROUNDOFF * mass.value.norm();
        for (index, weight) in self.sawtooth.iter().enumerate() {
            let n = index + 1;
            let Coefficient { value, error: off } = coefficient(n);
            if n % 2 == 1 {
                let scale = FRAC_2_PI / n as f64;
                middle.add(scale * weight * value.im);
                error += scale * (1.0001 * off + UNIT_ROUNDOFF * (WEIGHT_ERROR + 8.0) * value.norm());
            } else {
                let scale = 2.0 * step * (1.0 - n as f64 * step);
                spread.add(scale * value.re);
                error += 2.0 * step * (off + UNIT_ROUNDOFF * 8.0 * value.norm());
            }
        }
        let reach = spread.value().max(0.0)
            + (error + middle.error_bound() + spread.error_bound()) * (1.0 + 1e-9)
            + f64::MIN_POSITIVE;
        Enclosure::point(middle.value()) + Enclosure::new(-reach, reach)
    }
}

/// `Ĵ(t) = πt(1 − t) cot πt + t` for 0 < t < 1.
fn sawtooth_weight(t: f64) -> f64 {
    let x_cot_x = |x: f64| {
        let turn = cis(x);
        x * turn.re / turn.im
    };
    // From whichever end is nearer: cot π(1 − t) = −cot πt.
    if t <= 0.5 { (1.0 - t) * x_cot_x(PI * t) + t } else { t * (1.0 - x_cot_x(PI * (1.0 - t))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(value: Complex<f64>) -> Coefficient {
        Coefficient { value, error: 4.0 * UNIT_ROUNDOFF }
    }

    /// A point of mass 1 at an angle.
    fn at(half: &HalfCircle, theta: f64) -> Enclosure {
        let error = |n: usize| 4.0 * UNIT_ROUNDOFF * (1.0 + n as f64 * theta.abs());
        let one = Coefficient { value: Complex::new(1.0, 0.0), error: 0.0 };
        half.measure(one, |n| Coefficient { value: cis(n as f64 * theta), error: error(n) })
    }

    proptest! {
        #[test]
        fn a_point_is_inside_or_outside(degree in 1usize..400, theta in -PI..PI) {
            let measured = at(&HalfCircle::new(degree), theta);
            let inside = if theta > 0.0 { 1.0 } else { 0.0 };
            prop_assert!(measured.contains(inside), "{theta}: {measured:?}");
        }

        #[test]
        fn far_from_the_ends_it_is_certain(theta in 0.2..PI - 0.2) {
            let half = HalfCircle::new(2000);
            prop_assert!(at(&half, theta).width() < 1e-4);
            prop_assert!(at(&half, -theta).width() < 1e-4);
        }
    }

    #[test]
    fn ends_count_for_the_upper_end_only() {
        for degree in [1, 2, 7, 64] {
            let half = HalfCircle::new(degree);
            for theta in [0.0, PI] {
                let measured = at(&half, theta);
                assert!(measured.lower() <= 0.0 && measured.upper() >= 1.0, "{theta}: {measured:?}");
            }
        }
    }

    #[test]
    fn a_uniform_law_has_one_half_there() {
        let half = HalfCircle::new(99);
        let measured = half.measure(exact(Complex::new(1.0, 0.0)), |_| exact(Complex::ZERO));
        // The spread is that of the mean of Fejér's kernel at both ends.
        assert!((measured.midpoint() - 0.5).abs() < 1e-14 && (measured.width() - 0.02).abs() < 1e-12);
    }

    #[test]
    fn weights_are_those_of_the_definition() {
        // mpmath 1.4.1, mp.dps = 30: πt(1 − t) cot πt + t.
        for (t, weight) in REFERENCES {
            let found = sawtooth_weight(t);
            assert!((found - weight).abs() <= WEIGHT_ERROR * UNIT_ROUNDOFF, "{t}: {found} against {weight}");
        }
    }

    const REFERENCES: [(f64, f64); 6] = [
        (0.0009765625, 0.99999686559921817709),
        (0.125, 0.95455201784745494372),
        (0.5, 0.5),
        (0.625, 0.32001008955424070112),
        (0.96875, 0.0031143647352731300978),
        (0.9990234375, 3.1344007818229147153e-6),
    ];
}
