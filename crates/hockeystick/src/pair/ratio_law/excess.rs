//! `E_P[h(L)]` with `h(y) = e^{−y} − 1 + y ≥ 0`: what of the mean of the loss does not cancel.
//!
//! `E_P[e^{−L}; |L| < ∞] = Q(|L| < ∞)`, so `E_P[L; |L| < ∞] = E_P[h(L); |L| < ∞] + Q(L = −∞) − P(L = ∞)`. Where losses are small
//! and of both signs, their mean is of the order of their variance: `h(y) ≈ y²/2` has its digits, and the mean of `L` itself
//! has lost them.

use super::{
    Panel, RatioLaw,
    center::Center,
    cover::{Bounds, Trimmed},
    integrand::Integrand,
    loss_excess::{H_ERROR, h, of_atom},
    mgf::{LOG_TOLERANCE, relative_error},
    partition::Partition,
    peak,
    powers::Powers,
    rectangle::Rectangle,
    side::Side,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln},
    summation::CompensatedSum,
};
use num_complex::Complex;

impl RatioLaw {
    /// `E_P[h(L); |L| < ∞]`, integrated to a tolerance that suits the rough value in `center`.
    pub(crate) fn excess(&self, center: &Center) -> Enclosure {
        let atoms = self.atoms.iter().map(|atom| of_atom(atom, self.swapped));
        let panels = self.wide_panels().map(|panel| of_panel(panel, self, center));
        atoms.chain(panels).fold(Enclosure::ZERO, |sum, part| sum + part)
    }
}

/// `|h(Y)| ≤ ½|Y|²·max(1, e^{−Re Y})`, as `h(Y) = Y²∫₀¹(1 − t)e^{−tY}dt`: the bounds of `½ log² r` times the densities of P and
/// of Q together.
struct Both<'a>([Powers<'a>; 2]);

impl Bounds for Both<'_> {
    fn inside(&self, rectangle: Rectangle) -> f64 {
        self.0[0].inside(rectangle).max(self.0[1].inside(rectangle))
    }

    fn beyond(&self, x: f64, side: Side) -> f64 {
        self.0[0].beyond(x, side).max(self.0[1].beyond(x, side))
    }
}

fn of_panel(panel: &Panel, law: &RatioLaw, center: &Center) -> Enclosure {
    // The densities of Q and of P in the order of the law.
    let integrands = [0.0, 1.0].map(|power| Integrand::new(panel, Complex::new(power, 0.0)));
    let (low, high) = law.powers();
    let about_zero = Center { at: 0.0, ..*center };
    let only_squares = [f64::INFINITY, f64::INFINITY, center.excess, f64::INFINITY];
    let peaks = integrands.each_ref().map(|integrand| peak::find(integrand, panel.from, panel.to));
    let bounds = |index: usize, margin: f64| {
        Powers::new(&integrands[index], &about_zero, peaks[index], margin).with_sizes(only_squares)
    };
    let both = Both([bounds(0, (-low).min(high)), bounds(1, (1.0 - low).min(high - 1.0))]);
    let partition = Trimmed::new(panel, peaks[0], &both).partition(&[], &both);
    let mut sum = quadrature(&integrands, law.swapped, &partition, center);
    for integrand in &integrands {
        for (end, mass) in integrand.misplaced(panel) {
            let around = Rectangle { middle: end, reach: end.abs() * 1e-15, height: 0.0 };
            let misplaced = mass * integrand.distance(0.0, around).powi(2);
            sum = sum + Enclosure::new(-misplaced, misplaced);
        }
    }
    sum.clamp(0.0, f64::INFINITY)
}

/// The sum of the rules on the pieces.
///
/// # Guarantee
/// At a node the loss `y` is off by `o = u · error` and the densities by [`relative_error`] of their units, counted as for the
/// moment generating function. For y ≥ −1, h is off by at most `o(|y| + o)` times the largest `e^{−y}` near, and by
/// [`H_ERROR`]; below, `q + p(y − 1)` is off by what both densities and y are.
fn quadrature(
    integrands: &[Integrand; 2],
    swapped: bool,
    partition: &Partition,
    center: &Center,
) -> Enclosure {
    let [integrand, _] = integrands;
    let (sign, [theta_p, theta_q]) = if swapped { (-1.0, [0.0, 1.0]) } else { (1.0, [1.0, 0.0]) };
    let (mut sum, mut error, mut length, mut largest) = (CompensatedSum::new(), 0.0, 0.0, 0.0f64);
    partition.nodes(|x, weight, radius| {
        let log_q = integrand.log_q.at(x);
        let ratio = integrand.ratio.at(x, radius);
        let (y, off) = (sign * ratio.log, UNIT_ROUNDOFF * ratio.error);
        let mass = |theta: f64| weight * exp(theta.mul_add(ratio.log, log_q));
        let off_by = |theta: f64| {
            let roundings = log_q.abs() + theta * ratio.log.abs();
            integrand.density_error(radius) + theta * ratio.error + roundings + 10.0
        };
        let p = mass(theta_p);
        (length, largest) = (length + weight, largest.max(y.abs()));
        if off > 0.1 {
            error = f64::INFINITY;
        } else if y >= -1.0 {
            let value = p * h(y);
            let steepest = if y < 0.0 { 3.1 * (y.abs() + off) } else { (1.2 * (y + off)).min(1.0) };
            sum.add(value);
            error += p * off * steepest * (1.0 + 1e-6) + value * relative_error(off_by(theta_p) + H_ERROR);
        } else {
            let q = mass(theta_q);
            let loss = p * (1.0 - y);
            sum.add(q);
            sum.add(-loss);
            error += q * relative_error(off_by(theta_q) + 4.0);
            error += loss * relative_error(off_by(theta_p) + 4.0) + p * off;
        }
    });
    let rules = partition.error * exp(ln(center.excess) + LOG_TOLERANCE);
    // What is lost below the normal range is less than 2^-1074 for each unit of weight.
    let underflow = 1e-300 * length * (1.0 + largest).powi(2);
    let radius = (error + sum.error_bound() + rules + underflow) * (1.0 + 1e-6);
    Enclosure::point(sum.value()) + Enclosure::new(-radius, radius)
}
