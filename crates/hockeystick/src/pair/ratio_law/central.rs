//! Certified `E(log r − c)^k`, k = 0, 1, 2, and `E|log r − c|³`, over atoms and panels.

use super::{
    Atom, Panel, RatioLaw,
    center::Center,
    cover::Trimmed,
    integrand::Integrand,
    mgf::{LOG_TOLERANCE, relative_error},
    partition::Partition,
    peak,
    powers::Powers,
    rectangle::Rectangle,
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln},
    summation::CompensatedSum,
};
use num_complex::Complex;

/// The four sums.
type Sums = [Enclosure; 4];

/// What each atom and each panel of a law adds to `E_P(L − c)^k` and `E_P|L − c|³`.
pub(crate) fn of_law<'a>(law: &'a RatioLaw, center: &Center) -> impl Iterator<Item = Sums> + 'a {
    let (theta, sign) = law.weights();
    let (low, high) = law.powers();
    let margin = (theta - low).min(high - theta);
    let center = center.of_log_ratio(law);
    let atoms = law.atoms.iter().map(move |atom| of_atom(atom, theta, center.at));
    let panels = law.wide_panels().map(move |panel| of_panel(panel, theta, &center, margin));
    atoms.chain(panels).map(move |[mass, first, second, third]| [mass, first * sign, second, third])
}

/// What an atom adds under the weights `E_Q[r^θ ·]`, θ = 0 or 1.
fn of_atom(atom: &Atom, theta: f64, center: f64) -> Sums {
    let mass = if theta == 0.0 { atom.q } else { atom.p };
    let y = (atom.loss - Ball::from(center)).enclosure();
    let size = y.max(-y).clamp(0.0, f64::INFINITY);
    [mass, mass * y, mass * size * size, mass * size * size * size]
}

/// What a panel adds under the weights `E_Q[r^θ ·]`, θ = 0 or 1, whose power may be moved by `margin` either way.
fn of_panel(panel: &Panel, theta: f64, center: &Center, margin: f64) -> Sums {
    let integrand = Integrand::new(panel, Complex::new(theta, 0.0));
    let peak = peak::find(&integrand, panel.from, panel.to);
    let bounds = Powers::new(&integrand, center, peak, margin);
    let trimmed = Trimmed::new(panel, peak, &bounds);
    let (split, misjudged) = crossing(&integrand, trimmed, center.at);
    let partition = trimmed.partition(&[split], &bounds);
    let mut sums = quadrature(&integrand, &partition, center);
    // Where L − c has the other sign than its piece: |L − c| ≤ misjudged there, in the integral and in the rule.
    let wrong = 4.0 * misjudged.powi(3) * sums[0].upper().max(0.0) * (1.0 + 1e-6);
    sums[3] = sums[3] + Enclosure::new(-wrong, wrong);
    for (end, mass) in integrand.misplaced(panel) {
        let distance =
            integrand.distance(center.at, Rectangle { middle: end, reach: end.abs() * 1e-15, height: 0.0 });
        for (sum, power) in sums.iter_mut().zip(0..) {
            let misplaced = mass * distance.powi(power);
            *sum = *sum + Enclosure::new(-misplaced, misplaced);
        }
    }
    sums
}

/// A point near that where the monotone `log r` crosses c, and a bound of `|log r − c|` where it lies on the other side of c
/// than at the ends of its piece.
fn crossing(integrand: &Integrand, trimmed: Trimmed, center: f64) -> (f64, f64) {
    let radius = trimmed.from.abs().max(trimmed.to.abs());
    let uncertain = |x: f64| integrand.ratio.at(x, radius).error * UNIT_ROUNDOFF * (1.0 + 1e-6);
    // As exact as the uncertainty says: a logarithm for searches is not.
    let height = |x: f64| integrand.ratio.at(x, radius).log - center;
    let (mut left, mut right) = (trimmed.from, trimmed.to);
    let rising = height(left) < 0.0;
    if rising == (height(right) < 0.0) {
        // No crossing is seen; there may be one within the uncertainty at an end.
        return (right, uncertain(left).max(uncertain(right)));
    }
    loop {
        let middle = 0.5 * left + 0.5 * right;
        if !(left < middle && middle < right) {
            break;
        }
        if (height(middle) < 0.0) == rising { left = middle } else { right = middle }
    }
    (right, height(right).abs() + uncertain(right))
}

/// The sums of the rules on the pieces.
///
/// # Guarantee
/// Per node, `y = log r − c` is off by at most `ε = u (error + |y|)` and the weight `g` by [`relative_error`] of its units,
/// counted as for the moment generating function. So `|y|^k g` is off by at most
/// `((|y| + ε)^k − |y|^k) g + (|y| + ε)^k g (relative error + (k + 1) u)`.
fn quadrature(integrand: &Integrand, partition: &Partition, center: &Center) -> Sums {
    let theta = integrand.power.re;
    let (mut sums, mut errors) = ([CompensatedSum::new(); 4], [0.0; 4]);
    let (mut length, mut largest) = (0.0, 0.0f64);
    partition.nodes(|x, weight, radius| {
        let log_q = integrand.log_q.at(x);
        let ratio = integrand.ratio.at(x, radius);
        let mass = weight * exp(theta.mul_add(ratio.log, log_q));
        let roundings = log_q.abs() + theta * ratio.log.abs();
        let units = integrand.density_error(radius) + theta * ratio.error + roundings + 10.0;
        let y = ratio.log - center.at;
        let off = UNIT_ROUNDOFF * (ratio.error + y.abs());
        let (a, b) = (y.abs(), y.abs() + off);
        let (terms, outer) = ([1.0, y, a * a, a * a * a], [1.0, b, b * b, b * b * b]);
        let moved = [0.0, off, off * (a + b), off * (a * a + a * b + b * b)];
        let relative = relative_error(units + 4.0);
        for k in 0..4 {
            sums[k].add(mass * terms[k]);
            errors[k] += mass * (moved[k] + outer[k] * relative);
        }
        (length, largest) = (length + weight, largest.max(b));
    });
    std::array::from_fn(|k| {
        let rules = partition.error * exp(ln(center.sizes[k]) + LOG_TOLERANCE);
        // What is lost below the normal range is less than 2^-1074 for each unit of weight.
        let underflow = 1e-300 * length * (1.0 + largest).powi(3);
        let radius = (errors[k] + sums[k].error_bound() + rules + underflow) * (1.0 + 1e-6);
        Enclosure::point(sums[k].value()) + Enclosure::new(-radius, radius)
    })
}
