//! The normal losses of a composition on a line: `K(z) = μ² z(z + 1)/2`, and those on equally spaced values.

use super::{ComposedLine, terms::Terms};
use crate::engine::contour::{
    factors::{Factors, FartherUp},
    line_plan::LinePlan,
};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::modulus};
use num_complex::Complex;

impl ComposedLine {
    /// Of the normal losses alone.
    pub(super) fn of_normal(factors: &Factors, plan: LinePlan) -> Self {
        let variance = factors.normal;
        let relative = factors.normal_error + 8.0 * UNIT_ROUNDOFF;
        let on_combs = factors.combs.log_error;
        let values: Vec<Complex<f64>> = (0..plan.points)
            .map(|n| {
                let z = Complex::new(plan.tilt, plan.step * n as f64);
                z * (z + 1.0) * (0.5 * variance)
            })
            .collect();
        let size = |n: usize| {
            let z = Complex::new(plan.tilt, plan.step * n as f64);
            0.5 * variance * modulus(z) * modulus(z + 1.0) * relative + on_combs
        };
        let errors: Vec<f64> = (0..plan.points).map(size).collect();
        let ceilings = values.iter().zip(&errors).map(|(value, error)| value.re + error).collect();
        let at_beyond = 0.5 * variance * plan.beyond * (plan.beyond + 1.0);
        let log_beyond = at_beyond + relative * at_beyond.abs() + on_combs;
        let mut line = Self {
            plan,
            values,
            errors,
            ceilings,
            terms: Terms::default(),
            log_beyond,
            log_tail: 0.0,
            log_most: 0.0,
        };
        line.go_farther_up(factors);
        line
    }

    /// Where losses on equally spaced values are not normal any more.
    fn go_farther_up(&mut self, factors: &Factors) {
        let LinePlan { tilt, step, points, .. } = self.plan;
        let (steady, most) = (factors.steady, self.ceilings[0]);
        let relative = factors.normal_error + 8.0 * UNIT_ROUNDOFF;
        for n in 0..points {
            let t = step * n as f64;
            if t <= factors.combs.height {
                continue;
            }
            let least = -0.5 * steady * t * t * (1.0 - 2.0 * relative);
            let FartherUp { value, error, fallen } = factors.combs.farther_up(tilt, t, least);
            let z = Complex::new(tilt, t);
            let normal = z * (z + 1.0) * (0.5 * steady);
            self.values[n] = normal + value;
            let size = 0.5 * steady * modulus(z) * modulus(z + 1.0) * relative;
            self.errors[n] = error + size + 4.0 * UNIT_ROUNDOFF * (normal.l1_norm() + value.l1_norm());
            let ceiling = most + least + fallen;
            self.ceilings[n] = ceiling + 8.0 * UNIT_ROUNDOFF * (most.abs() + least.abs() + fallen.abs());
        }
    }
}
