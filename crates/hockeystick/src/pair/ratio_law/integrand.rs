//! The integrand `e^{log_q(x)} r(x)^w` of a panel.

use super::{
    Panel, Quadratic, cone,
    dominated::Dominated,
    log_ratio::{LogRatio, NODE_ERROR},
    rectangle::Rectangle,
};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::exp};
use num_complex::Complex;
use std::f64::consts::LN_2;

/// `e^{log_q} r^w` on one panel; its modulus on the real line is `g = e^{log_q} r^{Re w}`.
#[derive(Clone, Debug)]
pub(super) struct Integrand {
    pub(super) log_q: Quadratic,
    pub(super) ratio: LogRatio,
    pub(super) power: Complex<f64>,
    /// The smallest and the largest `square` among the terms of the ratio.
    pub(super) squares: [f64; 2],
}

/// Logarithms of bounds are computed in plain floats and raised by this times the size of their terms (and by as much
/// itself): four orders of magnitude more than rounding and the 4 u of the coefficients can make up.
const SLACK: f64 = 1e-11;

impl Integrand {
    /// Of a panel, for the power `w`.
    pub(super) fn new(panel: &Panel, power: Complex<f64>) -> Self {
        let squares = panel.ratio.iter().map(|(_, exponent)| exponent.square);
        let squares =
            [squares.clone().fold(f64::INFINITY, f64::min), squares.fold(f64::NEG_INFINITY, f64::max)];
        Self { log_q: panel.log_q, ratio: LogRatio::new(panel), power, squares }
    }

    /// The same integrand with another power.
    pub(super) fn with_power(&self, power: f64) -> Self {
        Self { power: Complex::new(power, 0.0), ..self.clone() }
    }

    /// `log g(x)` in plain floats, with its first and second derivative.
    pub(super) fn log_modulus(&self, x: f64) -> [f64; 3] {
        let [log, slope, bend] = self.ratio.derivatives(x);
        let theta = self.power.re;
        [
            theta.mul_add(log, self.log_q.at(x)),
            theta.mul_add(slope, self.log_q.slope(x)),
            theta.mul_add(bend, 2.0 * self.log_q.square),
        ]
    }

    /// The error of `log_q(x)` as computed, in units of u, at a node with |x| ≤ radius: coefficients are within 4 u, two
    /// operations are rounded, and the node is off.
    pub(super) fn density_error(&self, radius: f64) -> f64 {
        6.1 * self.log_q.magnitude(radius) + NODE_ERROR * radius * self.log_q.steepness(radius)
    }

    /// How much mass of `g` a finite end of the panel may misplace, being off by u times itself: `(end, mass)`.
    ///
    /// Twice the mass at the end as computed, for g is not constant over the last digit.
    pub(super) fn misplaced(&self, panel: &Panel) -> impl Iterator<Item = (f64, f64)> {
        let ends = [panel.from, panel.to].into_iter().filter(|end| end.is_finite() && *end != 0.0);
        ends.map(|end| (end, 2.0 * UNIT_ROUNDOFF * end.abs() * exp(self.log_modulus(end)[0])))
    }

    /// What must be added to the logarithm of a bound on `|x| ≤ radius` to make up for rounding.
    pub(super) fn slack(&self, radius: f64) -> f64 {
        let ratio = self.ratio.terms.iter().map(|term| term.magnitude(radius)).fold(0.0, f64::max);
        SLACK * (2.0 + self.log_q.magnitude(radius) + self.power.norm() * (ratio + LN_2))
    }

    /// The logarithm of a bound of `|e^{log_q} r^w|` on a rectangle; infinite where r is not known to have no zero in it.
    pub(super) fn log_bound(&self, rectangle: Rectangle) -> f64 {
        let slack = self.slack(rectangle.radius());
        let dominated = Dominated::new(self, rectangle, slack);
        let one = dominated.map_or(f64::INFINITY, |largest| largest.log_bound(self, rectangle));
        let all = if self.ratio.terms.len() > 1 { cone::log_bound(self, rectangle) } else { f64::INFINITY };
        let log = one.min(all) + slack;
        if log.is_nan() { f64::INFINITY } else { log }
    }

    /// A bound of `|log r(x) − center|` on a rectangle where [`log_bound`](Self::log_bound) is finite.
    pub(super) fn distance(&self, center: f64, rectangle: Rectangle) -> f64 {
        let slack = self.slack(rectangle.radius());
        let dominated = Dominated::new(self, rectangle, slack);
        let one = dominated.map_or(f64::INFINITY, |largest| largest.distance(center, rectangle));
        let bound = one.min(cone::distance(self, center, rectangle));
        let size = self.ratio.terms.iter().map(|term| term.magnitude(rectangle.radius())).fold(0.0, f64::max);
        // The weights of several terms are rounded, whatever their logarithms.
        let size = if self.ratio.terms.len() > 1 { size + 1.0 } else { size };
        bound * (1.0 + SLACK) + 1e-13 * (size + center.abs()) + f64::MIN_POSITIVE
    }
}
