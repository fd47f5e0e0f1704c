//! `M(z) = E_Q[r^{1+z}]`: atoms one by one, panels by certified quadrature.

use super::{
    Atom, Listing, Panel, RatioLaw,
    cover::{Bounded, Trimmed},
    integrand::Integrand,
    partition::Partition,
    peak,
    portion::Portion,
};
use hockeystick_numerics::{
    ball::Ball,
    disc::Disc,
    enclosure::Enclosure,
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, ln},
    summation::CompensatedSum,
};
use num_complex::Complex;

/// Errors of the rule on a piece, and of a tail, are kept below this part of the integral of the modulus: less than one
/// rounding.
pub(crate) const LOG_TOLERANCE: f64 = -40.0;

/// The logarithm of the largest double, rounded up: higher integrands are not integrated.
const LARGEST_LOGARITHM: f64 = 709.79;

/// What outcomes that are not listed add at most, see [`Listing`]: a part of M, which is at least 1 where
/// P and Q have the same outcomes.
pub(crate) const LEFT_OUT: f64 = 1e-18;
/// The same for powers between 0 and 1: no more than the larger of both laws' masses, by Hölder's inequality.
pub(crate) const LEFT_OUT_BETWEEN: f64 = 1e-315;

/// Nothing is known.
const UNKNOWN: f64 = f64::INFINITY;

impl RatioLaw {
    /// `M(z) = E_P[e^{zL}; |L| < ∞]`, or `None` outside the strip.
    ///
    /// # Guarantee
    /// The disc contains M of every law whose coefficients are within the stated 4 u of these. It is as narrow as double
    /// precision permits relative to `M(Re z)`, the integral of the modulus; where `M(z)` overflows its radius is infinite.
    ///
    /// # Implementation
    /// `M(z) = E_Q[r^w]` with `w = 1 + z`, or `w = −z` for the swapped law. On each panel: tails by log-concave majorants,
    /// the rest by Gauss–Legendre rules with errors from bounds on Bernstein ellipses.
    pub fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        check();
        let power = if self.swapped { -z } else { 1.0 + z };
        let (low, high) = self.powers();
        let exists = low < power.re && power.re < high || (0.0..=1.0).contains(&power.re);
        if !(exists && z.re.is_finite() && z.im.is_finite()) {
            return None;
        }
        let is_between = (0.0..=1.0).contains(&power.re);
        let left_out = match self.listing {
            Listing::Everything => 0.0,
            Listing::UpToPower(_) if is_between => LEFT_OUT_BETWEEN,
            Listing::UpToPower(largest) if power.re.abs().max((1.0 - power.re).abs()) <= largest => LEFT_OUT,
            // Nothing is known of what a law leaves out.
            Listing::UpToPower(_) | Listing::Nothing => UNKNOWN,
        };
        let (mut real, mut imaginary, mut radius) = (CompensatedSum::new(), CompensatedSum::new(), left_out);
        let atoms = self.atoms.iter().map(|atom| of_atom(atom, z, self.swapped));
        let panels = self.wide_panels().map(|panel| of_panel(panel, power));
        for part in atoms.chain(panels) {
            real.add(part.center().re);
            imaginary.add(part.center().im);
            radius += part.radius();
        }
        // As many roundings as there are parts, at most a few thousand times a million.
        radius = (radius + real.error_bound() + imaginary.error_bound()) * (1.0 + 1e-6);
        let center = Complex::new(real.value(), imaginary.value());
        // E_Q[r^θ] ≤ P^θ Q^{1−θ} ≤ 1 for 0 ≤ θ ≤ 1 (Hölder).
        Some(if !(radius < UNKNOWN && center.is_finite()) {
            Disc::new(Complex::ZERO, if is_between { 1.0 } else { UNKNOWN })
        } else {
            Disc::new(center, radius)
        })
    }
}

/// `p e^{zL} = q e^{(1+z)L}` for the loss L of the law's own direction, from whichever has the smaller exponent.
fn of_atom(atom: &Atom, z: Complex<f64>, swapped: bool) -> Disc {
    let (p, q, loss) = if swapped { (atom.q, atom.p, -atom.loss) } else { (atom.p, atom.q, atom.loss) };
    let (mass, re) =
        if z.re >= -0.5 { (p, Ball::from(z.re)) } else { (q, Ball::from(1.0) + Ball::from(z.re)) };
    let modulus = mass * (re * loss).exp_enclosure();
    if !modulus.upper().is_finite() {
        return Disc::new(Complex::ZERO, UNKNOWN);
    }
    Disc::polar(modulus, Ball::from(z.im) * loss)
}

/// `∫ e^{log_q} r^w` over a panel.
fn of_panel(panel: &Panel, power: Complex<f64>) -> Disc {
    let integrand = Integrand::new(panel, power);
    let peak = peak::find(&integrand, panel.from, panel.to);
    let log_tolerance = peak.log_height + ln(peak.width) + LOG_TOLERANCE;
    if peak.log_height > LARGEST_LOGARITHM {
        return Disc::new(Complex::ZERO, UNKNOWN);
    }
    let bounds = Bounded::new(&integrand, log_tolerance, Portion::Whole);
    let partition = Trimmed::new(panel, peak, &bounds).partition(&[], &bounds);
    if partition.exhausted() && power.im != 0.0 {
        // Too many turns to follow: |M(z)| ≤ M(Re z) is as good.
        let modulus = of_panel(panel, Complex::new(power.re, 0.0));
        return Disc::new(Complex::ZERO, modulus.real().upper());
    }
    let scaled = quadrature(&integrand, &partition, peak.log_height, log_tolerance - peak.log_height);
    let scale = Enclosure::point(peak.log_height).exp();
    let radius = scaled.radius() * scale.upper() + scaled.center().norm() * scale.width();
    let center = scaled.center() * scale.midpoint();
    let misplaced: f64 = integrand.misplaced(panel).map(|(_, mass)| mass).sum();
    // The product is rounded; below the normal range by up to 2^-1074.
    let rounding = 4.0 * UNIT_ROUNDOFF * center.norm() + 1e-322;
    if center.is_finite() {
        Disc::new(center, (radius + misplaced + rounding) * (1.0 + 1e-6))
    } else {
        Disc::new(Complex::ZERO, UNKNOWN)
    }
}

/// The sum of the rules on the pieces, divided by `e^{log_scale}`.
///
/// # Guarantee
/// A node's summand `e^{log_q + θ log r − log_scale} e^{i t log r}`, w = θ + it, is off by at most
/// [`relative_error`]`(units)` times its modulus, where the units count those of [`Integrand::density_error`], the errors of
/// `log r` times |w|, the roundings of θ, of `θ log r + log_q`, of the difference to the scale and of `t log r` times their
/// sizes, and ten more for exp, cis, the weight (1.05 u) and the products.
pub(crate) fn quadrature(
    integrand: &Integrand,
    partition: &Partition,
    log_scale: f64,
    log_tolerance: f64,
) -> Disc {
    let (theta, t) = (integrand.power.re, integrand.power.im);
    let (mut real, mut imaginary) = (CompensatedSum::new(), CompensatedSum::new());
    let (mut error, mut length, size) = (0.0, 0.0, integrand.power.norm());
    partition.nodes(|x, weight, radius| {
        let log_q = integrand.log_q.at(x);
        let ratio = integrand.ratio.at(x, radius);
        let modulus = weight * exp(theta.mul_add(ratio.log, log_q) - log_scale);
        let roundings = 2.0 * log_q.abs() + (3.0 * theta.abs() + t.abs()) * ratio.log.abs() + log_scale.abs();
        let units = integrand.density_error(radius) + size * ratio.error + roundings + 10.0;
        length += weight;
        error += modulus * relative_error(units);
        if t == 0.0 {
            real.add(modulus);
        } else {
            let point = modulus * cis(t * ratio.log);
            real.add(point.re);
            imaginary.add(point.im);
        }
    });
    let center = Complex::new(real.value(), imaginary.value());
    // What exp loses below the normal range is less than 2^-1074 for each unit of weight.
    let radius = error + real.error_bound() + imaginary.error_bound() + 1e-320 * length;
    Disc::new(center, (radius + partition.error * exp(log_tolerance)) * (1.0 + 1e-6))
}

/// `e^{u·units} − 1 ≤ x + x²` for `x = u·units ≤ 1`.
pub(crate) fn relative_error(units: f64) -> f64 {
    let x = UNIT_ROUNDOFF * units;
    if x <= 1.0 { x + x * x } else { UNKNOWN }
}
