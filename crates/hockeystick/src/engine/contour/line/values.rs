//! `K = Σ k log M` of a composition at the points of a vertical line.

use super::terms::{Ratio, Terms};
use crate::engine::contour::{factors::Factors, line_plan::LinePlan};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::modulus};
use num_complex::Complex;
use std::ops::Range;

/// `K = Σ k log M` at the points of a line.
#[derive(Clone, Debug)]
pub(crate) struct ComposedLine {
    pub(crate) plan: LinePlan,
    /// `K(z_n)`.
    pub(super) values: Vec<Complex<f64>>,
    /// What each may be off.
    pub(super) errors: Vec<f64>,
    /// Upper bounds of `Re K(z_n)`.
    pub(super) ceilings: Vec<f64>,
    /// What does not depend on ε, once all factors are added.
    pub(super) terms: Terms,
    /// An upper bound of `K(λ)`.
    pub(crate) log_beyond: f64,
    /// `log` of a bound of `(1/π) ∫ |M(c + it)| dt/t²` from the last point on.
    pub(super) log_tail: f64,
    /// `log` of a bound of `g` everywhere.
    pub(super) log_most: f64,
}

impl ComposedLine {
    /// With what is beyond the last point bounded by `e^{log_tail}`.
    pub(crate) fn ended(mut self, log_tail: f64) -> Self {
        self.terms = Terms::of(self.plan, &self.values, &self.errors, &self.ceilings);
        self.log_tail = log_tail;
        self
    }

    /// `M(z_n)/M(c)`.
    pub(super) fn ratio(&self, n: usize) -> Ratio {
        Ratio::of(self.values[n], self.errors[n], self.ceilings[n], self.values[0].re)
    }

    /// The same without its values but for the first, once all terms are made.
    pub(super) fn without_values(mut self) -> Self {
        self.values = vec![self.values[0]];
        (self.errors, self.ceilings) = (Vec::new(), Vec::new());
        self
    }

    /// Of points at which nothing is known but how large `M` is at most: so much more, as a logarithm, than was added so far.
    pub(super) fn only_bounded(&mut self, points: Range<usize>, log_more: f64) {
        for n in points {
            (self.values[n], self.errors[n]) = (Complex::new(0.0, 0.0), f64::INFINITY);
            self.ceilings[n] += log_more + 1e-15 * (self.ceilings[n].abs() + log_more.abs());
        }
    }

    /// Multiplies by another law on the same line, or on its first points. Call [`ended`](Self::ended) again afterwards.
    pub(crate) fn absorb(&mut self, other: &Self) {
        for n in 0..other.plan.points {
            self.add(n, other.values[n], other.errors[n], other.ceilings[n]);
        }
        self.add_beyond(other.log_beyond);
    }

    /// Adds to `K(z_n)`; the sum is rounded, and so was the product with a count.
    pub(super) fn add(&mut self, n: usize, value: Complex<f64>, error: f64, ceiling: f64) {
        self.values[n] += value;
        let rounding = 2.0 * UNIT_ROUNDOFF * (modulus(value) + modulus(self.values[n]));
        self.errors[n] += error * (1.0 + 1e-9) + rounding;
        self.ceilings[n] += ceiling;
        self.ceilings[n] += 4.0 * UNIT_ROUNDOFF * (self.ceilings[n].abs() + ceiling.abs());
    }

    pub(super) fn add_beyond(&mut self, log: f64) {
        self.log_beyond += log;
        self.log_beyond += 4.0 * UNIT_ROUNDOFF * (self.log_beyond.abs() + log.abs());
    }
}

/// Converts a bound relative to a unit, `Σ k log M(c)`, and the normal law's `M(c)` to an absolute one.
pub(crate) fn log_at_height(factors: &Factors, unit: f64, tilt: f64, log: f64) -> f64 {
    let normal = 0.5 * factors.normal * tilt * (tilt + 1.0);
    let rounding =
        (1e-14 + factors.normal_error) * normal.abs() + 1e-15 * (unit.abs() + normal.abs() + log.abs());
    unit + normal + log + rounding + factors.combs.log_error
}
