//! The summands of the trapezoidal rule, of which only a phase and a factor depend on ε.

use crate::engine::contour::line_plan::LinePlan;
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, modulus},
    trigonometric_sum::TrigonometricSum,
};
use num_complex::Complex;

/// The summands at ε = 0, relative to `M(c)`.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// `M(z)/(M(c) z(z + 1))`, half of it for the first.
    pub(super) values: TrigonometricSum,
    /// The sum of their moduli.
    pub(super) mass: f64,
    /// The sum of their moduli times `|z|`.
    pub(super) spread: f64,
    /// What they may be off together.
    pub(super) error: f64,
}

impl Terms {
    /// Of `K(z_n)`, what each value may be off, and upper bounds of its real part.
    pub(super) fn of(plan: LinePlan, values: &[Complex<f64>], errors: &[f64], ceilings: &[f64]) -> Self {
        let LinePlan { tilt, step, points, .. } = plan;
        let highest = values[0].re;
        let mut terms = Self::default();
        for n in 0..points {
            let z = Complex::new(tilt, step * n as f64);
            let share = if n == 0 { 0.5 } else { 1.0 };
            let kernel = Complex::new(share, 0.0) / (z * (z + 1.0));
            let (size, exponent) = (modulus(kernel) * (1.0 + 1e-14), values[n]);
            let error = errors[n] + 2.0 * UNIT_ROUNDOFF * (modulus(exponent) + highest.abs());
            if error < 0.5 {
                let weight = exp(exponent.re - highest);
                terms.values.push(cis(exponent.im) * weight * kernel);
                terms.mass += weight * size;
                terms.spread += weight * size * modulus(z);
                // e^x − 1 ≤ x + x² for x ≤ 1, and a dozen roundings.
                terms.error += weight * size * (error + error * error + 16.0 * UNIT_ROUNDOFF);
            } else {
                terms.values.push(Complex::new(0.0, 0.0));
                let ceiling = ceilings[n];
                let slack = 1e-15 * (ceiling.abs() + highest.abs()) + 1e-9;
                terms.error += exp(ceiling - highest + slack) * size;
            }
        }
        terms.error *= 1.0 + 1e-6;
        terms
    }
}
