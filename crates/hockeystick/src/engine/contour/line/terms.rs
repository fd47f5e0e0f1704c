//! The summands of the trapezoidal rule, of which only a phase and a factor depend on ε.

use crate::engine::contour::line_plan::LinePlan;
use hockeystick_numerics::{
    band_limited::Approximate,
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, modulus},
    trigonometric_sum::TrigonometricSum,
};
use num_complex::Complex;

/// The summands at ε = 0, relative to `M(c)`.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// `M(z)/(M(c) z(z + 1))`, half of it for the first; or with another kernel in place of `1/(z(z + 1))`.
    pub(super) values: TrigonometricSum,
    /// The sum of their moduli.
    pub(super) mass: f64,
    /// The sum of their moduli times `|z|`.
    pub(super) spread: f64,
    /// What they may be off together.
    pub(super) error: f64,
}

/// `M(z)/M(c)` at a point of a line, and what it may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    value: Complex<f64>,
    weight: f64,
    error: f64,
}

impl Ratio {
    /// Of `K(z)` with its error, an upper bound of its real part, and the computed `K(c)`.
    pub(super) fn of(exponent: Complex<f64>, error: f64, ceiling: f64, highest: f64) -> Self {
        let error = error + 2.0 * UNIT_ROUNDOFF * (modulus(exponent) + highest.abs());
        if error < 0.5 {
            let weight = exp(exponent.re - highest);
            // e^x − 1 ≤ x + x² for x ≤ 1, and a dozen roundings.
            let error = weight * (error + error * error + 16.0 * UNIT_ROUNDOFF);
            Self { value: cis(exponent.im) * weight, weight, error }
        } else {
            let slack = 1e-15 * (ceiling.abs() + highest.abs()) + 1e-9;
            Self { value: Complex::new(0.0, 0.0), weight: 0.0, error: exp(ceiling - highest + slack) }
        }
    }
}

impl Terms {
    /// Of `K(z_n)`, what each value may be off, and upper bounds of its real part.
    pub(super) fn of(plan: LinePlan, values: &[Complex<f64>], errors: &[f64], ceilings: &[f64]) -> Self {
        let LinePlan { tilt, step, points, .. } = plan;
        let mut terms = Self::default();
        for n in 0..points {
            let z = Complex::new(tilt, step * n as f64);
            let share = if n == 0 { 0.5 } else { 1.0 };
            let kernel = Complex::new(share, 0.0) / (z * (z + 1.0));
            let ratio = Ratio::of(values[n], errors[n], ceilings[n], values[0].re);
            terms.push(ratio, Approximate { value: kernel, error: 0.0 }, modulus(z));
        }
        terms.ended()
    }

    /// Adds the next term, the product of a ratio and a kernel at a z of this modulus.
    #[inline]
    pub(super) fn push(&mut self, ratio: Ratio, kernel: Approximate, size_of_z: f64) {
        let Ratio { value, weight, error } = ratio;
        let size = modulus(kernel.value) * (1.0 + 1e-14) + kernel.error;
        self.values.push(value * kernel.value);
        self.mass += weight * size;
        self.spread += weight * size * size_of_z;
        self.error += error * size + weight * kernel.error;
    }

    /// With products of errors, and the roundings of these sums.
    pub(super) fn ended(mut self) -> Self {
        self.error *= 1.0 + 1e-6;
        self
    }
}
