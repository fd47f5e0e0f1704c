//! The integrand `e^{log_q(x)} r(x)^w` of a panel, and bounds of its modulus off the real line.

use super::{
    Panel, Quadratic,
    log_ratio::{LogRatio, NODE_ERROR},
};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, ln},
};
use num_complex::Complex;
use std::f64::consts::LN_2;

/// `e^{log_q} r^w` on one panel; its modulus on the real line is `g = e^{log_q} r^{Re w}`.
#[derive(Clone, Debug)]
pub(super) struct Integrand {
    pub(super) log_q: Quadratic,
    pub(super) ratio: LogRatio,
    pub(super) power: Complex<f64>,
    /// The smallest and the largest `square` among the terms of the ratio.
    squares: [f64; 2],
}

/// A rectangle `|Re x − middle| ≤ reach`, `|Im x| ≤ height`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rectangle {
    pub(super) middle: f64,
    pub(super) reach: f64,
    pub(super) height: f64,
}

impl Rectangle {
    /// The largest |x|.
    pub(super) fn radius(self) -> f64 {
        self.middle.abs() + self.reach + self.height
    }
}

/// Logarithms of bounds are computed in plain floats and raised by this times the size of their terms (and by as much
/// itself): four orders of magnitude more than rounding and the 4 u of the coefficients can make up.
const SLACK: f64 = 1e-11;

/// The two arguments that differ most must differ by less than this, a little less than π.
const WIDEST_CONE: f64 = 3.1;

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

    /// The error of `log_q(x)` as computed, in units of u, at a node with |x| ≤ radius: coefficients are within 4 u, the
    /// constant within 8 u or 8 u of 1, two operations are rounded, and the node is off.
    pub(super) fn density_error(&self, radius: f64) -> f64 {
        8.0 + 10.1 * self.log_q.magnitude(radius) + NODE_ERROR * radius * self.log_q.steepness(radius)
    }

    /// A bound of what the rounding of the panel's ends, within 4 u each, changes, divided by `e^{log_scale}`: a sliver of
    /// that width, as high as the integrand is at the end.
    pub(super) fn slivers(&self, from: f64, to: f64, log_scale: f64) -> f64 {
        let sliver = |end: f64| {
            let height = exp(self.log_modulus(end)[0] + self.slack(end.abs()) - log_scale);
            // Twice, for the growth of the integrand over the sliver.
            if end.is_finite() && end != 0.0 { 8.0 * UNIT_ROUNDOFF * end.abs() * height } else { 0.0 }
        };
        sliver(from) + sliver(to)
    }

    /// What must be added to the logarithm of a bound on `|x| ≤ radius` to make up for rounding.
    pub(super) fn slack(&self, radius: f64) -> f64 {
        let ratio = self.ratio.terms.iter().map(|term| term.magnitude(radius)).fold(0.0, f64::max);
        SLACK * (2.0 + self.log_q.magnitude(radius) + self.power.norm() * (ratio + LN_2))
    }

    /// The logarithm of a bound of `g` on the real line, `|x − middle| ≤ reach`.
    ///
    /// # Guarantee
    /// With `s` the smallest square among the terms, `log r − s x²` is convex: it is the logarithm of a sum of exponentials
    /// of convex functions. So for Re w ≥ 0, `log r` lies below its chord plus `s (y² − reach²)`, `y = x − middle`, and for
    /// Re w < 0 above its tangent plus `s y²`; either leaves a quadratic, whose largest value is known.
    fn log_supremum(&self, middle: f64, reach: f64) -> f64 {
        let (theta, least) = (self.power.re, self.squares[0]);
        let line = if theta == 0.0 {
            [0.0, 0.0]
        } else if theta > 0.0 {
            let (left, right) = (self.ratio.plain(middle - reach), self.ratio.plain(middle + reach));
            [0.5 * (left + right) - least * reach * reach, 0.5 * (right - left) / reach]
        } else {
            let [log, slope, _] = self.ratio.derivatives(middle);
            [log, slope]
        };
        Quadratic {
            constant: theta.mul_add(line[0], self.log_q.at(middle)),
            linear: theta.mul_add(line[1], self.log_q.slope(middle)),
            square: theta.mul_add(least, self.log_q.square),
        }
        .supremum(reach)
    }

    /// The logarithm of a bound of `|e^{log_q} r^w|` on a rectangle; infinite where r might vanish in it.
    ///
    /// # Guarantee
    /// At `x + iy`, the term of slope `l'(x)` has the argument `y l'(x)` and its modulus is that at x times `e^{−s y²}`.
    /// If at any x the arguments differ by at most `φ < π`, then r ≠ 0, `Im log r` lies among them, and
    ///
    /// ```text
    /// cos(φ/2) Σ |terms| ≤ |r(x + iy)| ≤ Σ |terms|
    /// ```
    ///
    /// So `|r^w| = |r|^{Re w} e^{−Im w · Im log r}` is at most the modulus at x times the factors added here.
    pub(super) fn log_bound(&self, rectangle: Rectangle) -> f64 {
        let Rectangle { middle, reach, height } = rectangle;
        let theta = self.power.re;
        let mut log = self.log_supremum(middle, reach) + self.slack(rectangle.radius());
        if height > 0.0 {
            let [steepest, cone] = self.arguments(rectangle);
            if cone >= WIDEST_CONE {
                return f64::INFINITY;
            }
            let square = if theta >= 0.0 { self.squares[0] } else { self.squares[1] };
            log += (-theta.mul_add(square, self.log_q.square)).max(0.0) * height * height;
            log += self.power.im.abs() * steepest;
            if theta < 0.0 && cone > 0.0 {
                log += theta * log_cosine(0.5 * cone);
            }
        }
        if log.is_nan() { f64::INFINITY } else { log }
    }

    /// On a rectangle: the largest argument of a term, and the largest difference of two at one point.
    fn arguments(&self, Rectangle { middle, reach, height }: Rectangle) -> [f64; 2] {
        let (mut steepest, mut cone) = (0.0f64, 0.0f64);
        for x in [middle - reach, middle + reach] {
            // Slopes and their differences are affine in x: extreme at the ends.
            let slopes = self.ratio.terms.iter().map(|term| term.exponent.slope(x));
            let (low, high) =
                slopes.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
            steepest = steepest.max(low.abs()).max(high.abs());
            cone = cone.max(high - low);
        }
        [steepest * height * (1.0 + SLACK), cone * height * (1.0 + SLACK)]
    }

    /// A bound of `|log r(x) − center|` on a rectangle where [`log_bound`](Self::log_bound) is finite.
    ///
    /// # Guarantee
    /// The real part is that on the line, at most `steepness · reach` from its value in the middle, plus what the squares and
    /// the cosine change; the imaginary part is one of the arguments.
    pub(super) fn distance(&self, center: f64, rectangle: Rectangle) -> f64 {
        let Rectangle { middle, reach, height } = rectangle;
        let steepness = self.arguments(Rectangle { height: 1.0, ..rectangle })[0];
        let bend = self.squares[0].abs().max(self.squares[1].abs()) * height * height;
        let [_, cone] = self.arguments(rectangle);
        let real =
            (self.ratio.plain(middle) - center).abs() + steepness * reach + bend - log_cosine(0.5 * cone);
        let size = self.ratio.terms.iter().map(|term| term.magnitude(rectangle.radius())).fold(0.0, f64::max);
        // The weights of several terms are rounded, whatever their logarithms.
        let size = if self.ratio.terms.len() > 1 { size + 1.0 } else { size };
        (real + steepness * height) * (1.0 + SLACK) + 1e-13 * size + f64::MIN_POSITIVE
    }
}

/// `log cos t` for 0 ≤ t < π/2, in plain floats.
fn log_cosine(t: f64) -> f64 {
    ln(cis(t).re)
}
