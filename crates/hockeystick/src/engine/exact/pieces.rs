//! Smooth densities between knots, each known at the same points, and their integrals.

use hockeystick_numerics::{
    enclosure::Enclosure,
    limits::check,
    quadrature::gauss_legendre::GaussLegendre,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1},
};
use std::{
    f64::consts::PI,
    sync::{Arc, LazyLock},
};

/// The points of the rules for small and for large steps.
static SHORT: LazyLock<Option<GaussLegendre>> = LazyLock::new(|| GaussLegendre::new(24).ok());
static LONG: LazyLock<Option<GaussLegendre>> = LazyLock::new(|| GaussLegendre::new(44).ok());
/// The most points of a piece.
pub(super) const MOST_POINTS: usize = 40;
/// Points are multiples of 2⁻⁴⁰, so that sums with small integers are exact.
const GRID: f64 = (1u64 << 40) as f64;
/// Lebesgue's constant of up to 40 Chebyshev points is below this.
const LEBESGUE: f64 = 3.5;

/// The integrals over a whole piece, relative to its lower knot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Whole {
    /// `∫ p`.
    pub(super) mass: f64,
    /// `∫ p(1 − e^{−x})`, with `x` the loss above the knot.
    pub(super) excess: f64,
    /// `∫ p·e^{−x}`.
    pub(super) shrunk: f64,
    /// What each of these may be off.
    pub(super) mass_doubt: f64,
    pub(super) excess_doubt: f64,
    pub(super) shrunk_doubt: f64,
}

/// The integrals over a piece that is cut at ε, relative to its upper knot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// `∫ p(1 − e^{ε−L})` above ε.
    pub(super) excess: Enclosure,
    /// `∫ p·min(1, e^{ε−L})` on both sides; without a tilt.
    pub(super) rest: Enclosure,
}

impl Default for Part {
    fn default() -> Self {
        Self { excess: Enclosure::ZERO, rest: Enclosure::ZERO }
    }
}

/// The points `τ` in `(0, 1)` at which pieces are known, Chebyshev's, and the weights of the polynomial through them.
#[derive(Clone, Debug)]
pub(super) struct Points {
    pub(super) nodes: Vec<f64>,
    weights: Vec<f64>,
}

impl Points {
    pub(super) fn new(count: usize) -> Self {
        let node = |g: usize| 0.5 + 0.5 * (PI * (g as f64 + 0.5) / count as f64).cos();
        let nodes: Vec<f64> = (0..count).map(|g| (node(g) * GRID).round() / GRID).collect();
        // Of the nodes as they are rounded. Four times each difference, so that no product underflows.
        let weight = |at: usize| {
            let others = nodes.iter().enumerate().filter(|(g, _)| *g != at);
            1.0 / others.map(|(_, node)| 4.0 * (nodes[at] - node)).product::<f64>()
        };
        let weights = (0..count).map(weight).collect();
        Self { nodes, weights }
    }

    /// The polynomial through the values, at `τ`: the barycentric formula, whose error is at most `(6n + 6)u` times Lebesgue's
    /// constant times the largest value (Higham 2004, Thm 4.2), and `2n` roundings of each weight.
    fn interpolated(&self, values: &[f64], tau: f64) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for ((node, weight), value) in self.nodes.iter().zip(&self.weights).zip(values) {
            let distance = tau - node;
            if distance == 0.0 {
                return *value;
            }
            let share = weight / distance;
            sum += share * value;
            total += share;
        }
        sum / total
    }
}

/// Densities `p(τ) = e^{cτ}f(τ)` of the position `τ` between each two neighbouring knots, where the loss is `2cτ` above the lower.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    points: Arc<Points>,
    half_step: f64,
    /// `f` at the points, piece by piece.
    values: Vec<f64>,
    /// The largest `f` of each piece, or more.
    largest: Vec<f64>,
    /// How far each polynomial may be from its `f`, round-off of the values included.
    doubts: Vec<f64>,
    wholes: Vec<Whole>,
}

impl Pieces {
    /// From the values at the points, bounds on them and on what the polynomials through them are off.
    pub(super) fn new(
        points: Arc<Points>,
        half_step: f64,
        values: Vec<f64>,
        largest: Vec<f64>,
        doubts: Vec<f64>,
    ) -> Option<Self> {
        let mut pieces = Self { points, half_step, values, largest, doubts, wholes: Vec::new() };
        pieces.wholes = (0..pieces.largest.len()).map(|at| pieces.integrated(at)).collect::<Option<_>>()?;
        Some(pieces)
    }

    /// The integrals above a knot; 0 above the last.
    pub(super) fn whole(&self, at: usize) -> Whole {
        self.wholes.get(at).copied().unwrap_or_default()
    }

    fn values(&self, at: usize) -> &[f64] {
        let n = self.points.nodes.len();
        &self.values[at * n..(at + 1) * n]
    }

    /// The rule for polynomials times exponentials `e^{±cτ}`.
    fn rule(&self) -> Option<&'static GaussLegendre> {
        let is_short = self.half_step <= 4.0 && self.points.nodes.len() <= 24;
        if is_short { SHORT.as_ref() } else { LONG.as_ref() }
    }

    /// What an integral over the whole piece of one of our kernels may be off, in units of the largest value of the kernel.
    ///
    /// A rule of `N` points is exact up to degree `2N − 1`. With `d = 2N − n` left for the kernel, `e^{±cτ}` is within
    /// `2(c/4)^{d+1}/(d+1)!` times its largest value of a polynomial of degree `d`; kernels consist of two of them at most, and
    /// the rule adds the integral of the same error. A node that is off by `u` moves a polynomial of degree below `n` by at most
    /// `n/√(τ(1 − τ))` times its size (Bernstein). The rule's sum over that is at most its integral `πn`: about ½ all its Taylor
    /// coefficients are positive, and Gauss's rule is never above the integral of an even power.
    fn doubt(&self, at: usize, rule: &GaussLegendre) -> f64 {
        let (n, c) = (self.points.nodes.len() as f64, self.half_step);
        let degree = 2 * rule.nodes().len() - self.points.nodes.len();
        let kernel = (1..=degree + 1).fold(8.0, |product, i| product * c / 4.0 / i as f64);
        let roundings =
            (LEBESGUE * (16.0 * n + 6.0) + rule.nodes().len() as f64 + 8.0 * c + 20.0) * UNIT_ROUNDOFF;
        let relative = LEBESGUE * kernel + roundings;
        1.01 * (self.doubts[at] + relative * self.largest[at])
    }

    fn integrated(&self, at: usize) -> Option<Whole> {
        check();
        let rule = self.rule()?;
        let doubt = self.doubt(at, rule);
        // The largest values of the kernels.
        let (up, lost) = (exp(self.half_step), -expm1(-2.0 * self.half_step));
        let mut whole = Whole {
            mass_doubt: doubt * up,
            excess_doubt: doubt * up * lost,
            shrunk_doubt: doubt,
            ..Whole::default()
        };
        for (x, weight) in rule.nodes().iter().zip(rule.weights()) {
            let tau = 0.5 + 0.5 * x;
            let value = 0.5 * weight * self.points.interpolated(self.values(at), tau);
            let (up, down) = (exp(self.half_step * tau), exp(-self.half_step * tau));
            whole.mass += value * up;
            whole.excess += value * up * -expm1(-2.0 * self.half_step * tau);
            whole.shrunk += value * down;
        }
        Some(whole)
    }

    /// The piece above a knot, cut at `tau`; in units of the knot above it, which is `e^φ` times that of the knot.
    ///
    /// # Guarantee
    /// Encloses the truth for all cuts in `tau`, as far as they are in the piece: the integrals change by at most `2c` times the
    /// largest values of kernel and `f` times what the cut does.
    pub(super) fn part(&self, at: usize, tau: Enclosure, phi: f64) -> Part {
        let (Some(rule), true) = (self.rule(), at < self.wholes.len()) else { return Part::default() };
        let c = self.half_step;
        let cut = tau.midpoint().clamp(0.0, 1.0);
        let uncertain = tau.width() + 2.0 * UNIT_ROUNDOFF;
        let unit = Enclosure::point(phi).exp();
        let [excess, shrunk] = self.above(at, cut, rule);
        let moved = 4.0 * c * uncertain * self.largest[at];
        let length = (1.0 - cut + uncertain).min(1.0);
        let doubt = Enclosure::new(-1.0, 1.0) * (1.01 * (self.doubt(at, rule) + moved));
        let rest = if phi == 0.0 {
            let half = 0.5 * cut;
            let mut below = 0.0;
            for (x, weight) in rule.nodes().iter().zip(rule.weights()) {
                let tau = half * (1.0 + x);
                below += half * weight * self.points.interpolated(self.values(at), tau) * exp(c * tau);
            }
            // No kernel is larger than at the cut.
            Enclosure::point(shrunk + below) + doubt * (1.01 * exp(c * (cut + uncertain)))
        } else {
            Enclosure::UNIT_INTERVAL
        };
        let kernel = 1.01 * exp(c) * -expm1(-2.0 * c * length);
        Part { excess: (Enclosure::point(excess) + doubt * (kernel * length)) * unit, rest }
    }

    /// About `∫ p(1 − e^{ε−L})` and `∫ p·e^{ε−L}` above the cut, in units of the upper knot.
    pub(super) fn rough_part(&self, at: usize, cut: f64, phi: f64) -> [f64; 2] {
        let Some(rule) = self.rule().filter(|_| at < self.wholes.len()) else { return [0.0; 2] };
        self.above(at, cut, rule).map(|integral| integral * exp(phi))
    }

    /// The integrals of `p(1 − e^{ε−L})` and `p·e^{ε−L}` above the cut by the rule.
    fn above(&self, at: usize, cut: f64, rule: &GaussLegendre) -> [f64; 2] {
        let c = self.half_step;
        let half = 0.5 * (1.0 - cut);
        let (mut excess, mut shrunk) = (0.0, 0.0);
        for (x, weight) in rule.nodes().iter().zip(rule.weights()) {
            let above = half * (1.0 + x);
            let tau = cut + above;
            let value = half * weight * self.points.interpolated(self.values(at), tau) * exp(c * tau);
            let lost = -expm1(-2.0 * c * above);
            excess += value * lost;
            shrunk += value * (1.0 - lost);
        }
        [excess, shrunk]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_interpolated() {
        for count in [1, 2, 7, 16, 40] {
            let points = Points::new(count);
            let f = |x: f64| (0..count).fold(0.0, |sum, i| sum * x + 1.0 / (i as f64 + 1.0));
            let values: Vec<f64> = points.nodes.iter().map(|&node| f(node)).collect();
            for i in 0..=50 {
                let tau = f64::from(i) / 50.0;
                let error = points.interpolated(&values, tau) - f(tau);
                assert!(
                    error.abs() <= 300.0 * count as f64 * UNIT_ROUNDOFF * f(1.0),
                    "{count} at {tau}: {error:e}"
                );
            }
        }
    }

    #[test]
    fn exponentials_are_integrated() {
        // f = e^{−τ}, with p = e^{(c−1)τ}.
        for (count, c) in [(16, 0.25), (16, 1.5), (20, 4.0), (32, 12.0)] {
            let points = Arc::new(Points::new(count));
            let values: Vec<f64> = points.nodes.iter().map(|&tau| exp(-tau)).collect();
            let off = 2.0 * (1..=count).fold(1.0, |product, i| product / 4.0 / i as f64);
            let pieces = Pieces::new(points, c, values, vec![1.0], vec![off + 1e-15]).unwrap();
            let primitive = |rate: f64, from: f64| (exp(rate) - exp(rate * from)) / rate;
            let whole = pieces.whole(0);
            let mass = primitive(c - 1.0, 0.0);
            let shrunk = primitive(-c - 1.0, 0.0);
            assert!(
                (whole.mass - mass).abs() <= whole.mass_doubt && whole.mass_doubt < 1e-10 * exp(c),
                "{whole:?}"
            );
            assert!((whole.shrunk - shrunk).abs() <= whole.shrunk_doubt + 1e-16);
            assert!((whole.excess - (mass - shrunk)).abs() <= whole.excess_doubt + 1e-16 * mass);
            for cut in [0.0, 0.3, 0.99] {
                let part = pieces.part(0, Enclosure::point(cut), 0.0);
                let above = primitive(-c - 1.0, cut) * exp(2.0 * c * cut);
                let excess = primitive(c - 1.0, cut) - above;
                let slack = Enclosure::new(-1e-15, 1e-15) * exp(c);
                assert!((part.excess + slack).contains(excess), "{count} {c} {cut}: {part:?} {excess}");
                assert!((part.rest + slack).contains(mass - primitive(c - 1.0, cut) + above));
            }
        }
    }
}
