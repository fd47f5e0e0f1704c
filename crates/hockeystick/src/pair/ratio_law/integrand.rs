//! The integrand `e^{log_q(x)} r(x)^w` of a panel.

use super::{Panel, Quadratic, log_ratio::LogRatio, term::NODE_ERROR};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::exp};
use num_complex::Complex;

/// `e^{log_q} r^w` on one panel; its modulus on the real line is `g = e^{log_q} r^{Re w}`.
#[derive(Clone, Debug)]
pub(crate) struct Integrand {
    pub(crate) log_q: Quadratic,
    pub(crate) ratio: LogRatio,
    pub(crate) power: Complex<f64>,
    /// The smallest and the largest `square` among the terms of the ratio.
    pub(crate) squares: [f64; 2],
}

/// Logarithms of bounds are computed in plain floats and raised by this times the size of their terms (and by as much
/// itself). They take some ten operations on quantities of at most four times that size, and the coefficients are off by
/// 4 u: fewer than 100 u together, a tenth of this.
pub(super) const SLACK: f64 = 1e-13;

impl Integrand {
    /// Of a panel, for the power `w`.
    pub(crate) fn new(panel: &Panel, power: Complex<f64>) -> Self {
        let squares = panel.ratio.iter().map(|(_, exponent)| exponent.square);
        let squares =
            [squares.clone().fold(f64::INFINITY, f64::min), squares.fold(f64::NEG_INFINITY, f64::max)];
        Self { log_q: panel.log_q, ratio: LogRatio::new(panel), power, squares }
    }

    /// The same integrand with another power.
    pub(crate) fn with_power(&self, power: f64) -> Self {
        Self { power: Complex::new(power, 0.0), ..self.clone() }
    }

    /// `log g(x)` in plain floats, with its first and second derivative.
    pub(crate) fn log_modulus(&self, x: f64) -> [f64; 3] {
        let [log, slope, bend] = self.ratio.derivatives(x);
        let theta = self.power.re;
        [
            theta * log + self.log_q.at(x),
            theta * slope + self.log_q.slope(x),
            theta * bend + 2.0 * self.log_q.square,
        ]
    }

    /// `log g(x)` and its slope, for a search.
    pub(crate) fn plain_slope(&self, x: f64) -> [f64; 2] {
        let [log, slope] = self.ratio.plain_slope(x);
        let theta = self.power.re;
        [theta * log + self.log_q.at(x), theta * slope + self.log_q.slope(x)]
    }

    /// The error of `log_q(x)` as computed, in units of u, at a node with |x| ≤ radius: coefficients are within 4 u, the
    /// constant within 8 u or 8 u of 1, up to four operations are rounded (one of them for the constant), and the node is off.
    pub(crate) fn density_error(&self, radius: f64) -> f64 {
        8.0 + 10.1 * self.log_q.magnitude(radius) + NODE_ERROR * radius * self.log_q.steepness(radius)
    }

    /// How much mass of `g` a finite end of the panel may misplace, being off by 4 u times itself: `(end, mass)`.
    ///
    /// Twice the mass at the end as computed, for g is not constant over the last digit.
    pub(crate) fn misplaced(&self, panel: &Panel) -> impl Iterator<Item = (f64, f64)> {
        let ends = [panel.from, panel.to].into_iter().filter(|end| end.is_finite() && *end != 0.0);
        ends.map(|end| (end, 8.0 * UNIT_ROUNDOFF * end.abs() * exp(self.log_modulus(end)[0])))
    }

    /// The same by logarithms of the mass.
    pub(crate) fn misplaced_by_logarithm(&self, panel: &Panel) -> impl Iterator<Item = f64> {
        let ends = [panel.from, panel.to].into_iter().filter(|end| end.is_finite() && *end != 0.0);
        ends.map(|end| (8.0 * UNIT_ROUNDOFF * end.abs()).ln() + self.log_modulus(end)[0])
    }

    /// What must be added to the logarithm of a bound on `|x| ≤ radius` to make up for rounding.
    pub(crate) fn slack(&self, radius: f64) -> f64 {
        let (constant, of_share) = self.slacks(radius);
        constant + of_share
    }

    /// An upper bound of the share of the term that moves, left of `x`; 1 unless it grows and there is but another that does not move.
    pub(crate) fn moving_share(&self, x: f64) -> f64 {
        let [first, second] = self.ratio.terms.as_slice() else { return 1.0 };
        let (still, moving) = if first.exponent.linear == 0.0 { (first, second) } else { (second, first) };
        let is_of_the_kind =
            still.exponent.linear == 0.0 && moving.exponent.linear > 0.0 && self.squares == [0.0, 0.0];
        let log = moving.log_weight + moving.exponent.at(x) - still.log_weight - still.exponent.constant;
        if is_of_the_kind { (exp(log) * (1.0 + 1e-9)).min(1.0) } else { 1.0 }
    }

    /// The same as [`slack`](Self::slack) in two parts, of which the second is multiplied by an upper bound of the moving term's share.
    pub(crate) fn slacks(&self, radius: f64) -> (f64, f64) {
        let (constant, of_share) = self.ratio.rounding(radius);
        let unit = SLACK * self.power.norm();
        (SLACK * (2.0 + self.log_q.magnitude(radius)) + unit * constant, unit * of_share)
    }
}
