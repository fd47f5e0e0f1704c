//! One of the four laws of a composition: its characteristic function on equidistant frequencies, and its far tails.

use super::{
    cells::Part,
    law::{Law, angle},
    transform::Transforms,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    half_circle::{Coefficient, HalfCircle},
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, ln},
};
use num_complex::Complex;
use std::f64::consts::PI;

/// A sum of independent cell losses, and of a normal one.
#[derive(Clone, Debug)]
pub(super) struct ComposedLaw {
    law: Law,
    /// The angle of a loss of 1.
    spacing: f64,
    mass: Coefficient,
    /// `φ(nh)`, n = 1, 2, …
    values: Vec<Coefficient>,
    tails: FarTails,
    /// A bound on the distance of its tails from those of the exact law, and the truncated mass.
    distance: f64,
}

/// What normal losses add up to: `N(±μ²/2, μ²)` under `P` and `Q`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normal {
    pub(super) variance: f64,
    /// Its relative error.
    pub(super) error: f64,
}

impl Normal {
    fn mean(self, law: Law) -> f64 {
        if law.is_p() { 0.5 * self.variance } else { -0.5 * self.variance }
    }
}

/// Beyond this many turns a starting angle has no accuracy left.
const FAR: f64 = 1e6;
/// A margin on the exponent of a bound, for the rounding of its argument.
const SLACK: f64 = 1e-10;

/// Chernoff bounds: `log E[e^{λΣ}]`, rounded up, at several λ.
#[derive(Clone, Debug)]
pub(super) struct FarTails {
    points: Vec<(f64, f64)>,
}

impl FarTails {
    pub(super) fn new(parts: &[Part], normal: Normal, law: Law, deviation: f64) -> Self {
        let orders = (-4..=16).map(|i| 2f64.powf(0.5 * f64::from(i)) / deviation);
        let orders = orders.flat_map(|order| [order, -order]);
        let point = |order: f64| {
            let mut sum = order * normal.mean(law) + 0.5 * order * order * normal.variance;
            let mut error = (8.0 * UNIT_ROUNDOFF + 2.0 * normal.error)
                * (order.abs() * normal.mean(law).abs() + order * order * normal.variance);
            for part in parts {
                let (losses, masses) = law.of(&part.cells);
                let largest = losses.iter().map(|loss| order * loss).fold(f64::NEG_INFINITY, f64::max);
                let moment: f64 =
                    losses.iter().zip(masses).map(|(loss, mass)| mass * exp(order * loss - largest)).sum();
                let size = losses.iter().fold(0.0f64, |size, loss| size.max((order * loss).abs()));
                // Positive terms: one rounding for each, and those of their exponents.
                let roundings = UNIT_ROUNDOFF * (losses.len() as f64 + 4.0 * size + 16.0);
                sum += part.count * (largest + ln(moment));
                error += part.count * (roundings + 2.0 * UNIT_ROUNDOFF * (largest.abs() + 50.0));
            }
            (order, sum + error + 4.0 * UNIT_ROUNDOFF * sum.abs())
        };
        Self { points: orders.map(point).filter(|(_, log)| log.is_finite()).collect() }
    }

    /// A bound of `P(Σ ≥ x)`, or of `P(Σ ≤ x)`, for every x within a few units of roundoff.
    fn beyond(&self, x: f64, is_above: bool) -> f64 {
        let sided = self.points.iter().filter(|(order, _)| (*order > 0.0) == is_above);
        let log = sided.map(|(order, log)| log - order * x + SLACK * (1.0 + (order * x).abs()));
        exp(log.fold(0.0, f64::min)).min(1.0) * (1.0 + 1e-9)
    }

    /// Where the bound falls to e to the power of `log_small`.
    pub(super) fn end(&self, is_above: bool, log_small: f64) -> f64 {
        let sided = self.points.iter().filter(|(order, _)| (*order > 0.0) == is_above);
        let ends = sided.map(|(order, log)| (log - log_small) / order);
        if is_above { ends.fold(f64::INFINITY, f64::min) } else { ends.fold(f64::NEG_INFINITY, f64::max) }
    }
}

impl ComposedLaw {
    /// # Guarantee
    /// Every coefficient is within its error of the characteristic function of a law with losses on the safe side.
    pub(super) fn new(
        parts: &[Part],
        transforms: &[Transforms],
        normal: Normal,
        law: Law,
        (spacing, frequencies): (f64, usize),
        tails: FarTails,
    ) -> Self {
        let index = Law::ALL.iter().position(|known| *known == law).unwrap_or(0);
        let mass_of = |part: &Part| law.of(&part.cells).1.iter().sum::<f64>();
        let masses: Vec<f64> = parts.iter().map(mass_of).collect();
        let product = |value: &dyn Fn(usize) -> Complex<f64>, error: &dyn Fn(usize) -> f64| {
            product(parts.iter().enumerate().map(|(i, part)| (value(i), error(i), part.count)))
        };
        // A plain sum of n positive numbers has at most n roundings.
        let mass = product(&|i| Complex::new(masses[i], 0.0), &|i| {
            UNIT_ROUNDOFF * masses[i] * (parts[i].cells.len() as f64 + 1.0)
        });
        let values = (1..=frequencies)
            .map(|n| {
                let cells = product(&|i| transforms[i].values[index][n - 1], &|i| {
                    transforms[i].relative_error * masses[i] * (1.0 + 1e-9)
                });
                with_normal(cells, normal, law, spacing * n as f64)
            })
            .collect();
        let side = usize::from(!law.is_p());
        let distance: f64 = parts
            .iter()
            .map(|part| part.count * (part.cells.distance[side] + part.cells.left_out[side]))
            .sum();
        Self { law, spacing, mass, values, tails, distance: distance * (1.0 + 1e-9) }
    }

    /// `P(L > ε, L < ∞)` or `Q(L > ε)` of the pair: from `L⁺` only its upper end is meant, from `L⁻` its lower.
    ///
    /// # Guarantee
    /// For `L⁺` the upper end is an upper bound, for `L⁻` the lower end a lower bound.
    pub(super) fn above(&self, half: &HalfCircle, epsilon: f64) -> Enclosure {
        // The start of the half circle is rounded to the other side than losses.
        let start = angle(self.spacing, epsilon, !self.law.is_high());
        let is_near = start.abs() < FAR;
        if !is_near {
            let upper = (self.tails.beyond(epsilon, true) + self.distance).next_up().min(1.0);
            return Enclosure::new(0.0, upper);
        }
        let measured = half.measure(self.mass, |n| {
            let Coefficient { value, error } = self.values[n - 1];
            let hi = n as f64 * start;
            let lo = (n as f64).mul_add(start, -hi);
            let turn = cis(-hi);
            let turn = turn - Complex::new(-turn.im, turn.re) * lo;
            Coefficient { value: value * turn, error: error + 8.0 * UNIT_ROUNDOFF * value.norm() }
        });
        // What lies beyond half a turn is on the wrong side of the circle.
        let half_turn = PI / self.spacing;
        let beyond = self.tails.beyond(epsilon + half_turn, true);
        let before = self.tails.beyond(epsilon - half_turn, false);
        let upper = (measured.upper() + beyond).min(self.tails.beyond(epsilon, true)) + self.distance;
        let lower = measured.lower() - before - self.distance;
        let upper = upper.next_up().clamp(0.0, 1.0);
        Enclosure::new(lower.next_down().clamp(0.0, upper), upper)
    }
}

/// `Π φᵢ^{kᵢ}`.
///
/// # Guarantee
/// Errors ηᵢ of the factors change the product by at most `Σ kᵢηᵢ/(|φᵢ| + ηᵢ)` of `Π (|φᵢ| + ηᵢ)^{kᵢ}`.
fn product(factors: impl Iterator<Item = (Complex<f64>, f64, f64)>) -> Coefficient {
    let (mut log, mut angle, mut log_most, mut moved, mut turned) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (value, error, count) in factors {
        let (size, phase) = value.to_polar();
        let most = size + error;
        log += count * ln(size);
        log_most += count * ln(most);
        moved += if error > 0.0 { count * (error / most) } else { 0.0 };
        angle += count * phase;
        // Logarithm, phase and their multiples are rounded.
        turned += count * (phase.abs() + ln(most).abs() + 1.0);
    }
    if log_most == f64::NEG_INFINITY {
        return Coefficient { value: Complex::ZERO, error: 0.0 };
    }
    let rounding = UNIT_ROUNDOFF * (8.0 * turned + 16.0);
    let most = exp(log_most + rounding) * (1.0 + 1e-9);
    let size = exp(log);
    let error = most * (moved * (1.0 + 1e-9) + rounding);
    let value = if size > 0.0 { cis(angle) * size } else { Complex::ZERO };
    Coefficient { value, error: error.min(value.norm() + most) }
}

/// Times `e^{it·mean − μ²t²/2}`.
fn with_normal(cells: Coefficient, normal: Normal, law: Law, t: f64) -> Coefficient {
    if normal.variance == 0.0 {
        return cells;
    }
    let exponent = Complex::new(-0.5 * normal.variance * t * t, normal.mean(law) * t);
    let relative = exponent.norm() * (16.0 * UNIT_ROUNDOFF + 2.0 * normal.error) + 4.0 * UNIT_ROUNDOFF;
    let size = exp(exponent.re * (1.0 - 2.0 * normal.error - 16.0 * UNIT_ROUNDOFF));
    let value = cells.value * cis(exponent.im) * exp(exponent.re);
    Coefficient {
        value,
        error: size * (cells.error + (cells.value.norm() + cells.error) * relative.min(2.0)),
    }
}
