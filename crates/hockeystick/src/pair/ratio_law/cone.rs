//! Bounds of the integrand on a rectangle when the arguments of the ratio's terms lie in a cone.

use super::{Quadratic, integrand::Integrand, rectangle::Rectangle};
use hockeystick_numerics::special::{cis, ln};

/// Two arguments must differ by less than this, a little less than π.
const WIDEST_CONE: f64 = 3.1;

/// The arguments of the terms of the ratio on a rectangle.
#[derive(Clone, Copy, Debug)]
struct Arguments {
    /// The largest.
    largest: f64,
    /// The largest difference of two at one point.
    cone: f64,
}

impl Arguments {
    fn new(integrand: &Integrand, Rectangle { middle, reach, height }: Rectangle) -> Self {
        let (mut steepest, mut difference) = (0.0f64, 0.0f64);
        // Slopes and their differences are affine in x: extreme at the ends.
        for x in [middle - reach, middle + reach] {
            let slopes = integrand.ratio.terms.iter().map(|term| term.exponent.slope(x));
            let (low, high) =
                slopes.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
            steepest = steepest.max(low.abs()).max(high.abs());
            difference = difference.max(high - low);
        }
        Self { largest: steepest * height, cone: difference * height }
    }

    /// `log cos(cone/2)`.
    fn log_cosine(self) -> f64 {
        ln(cis(0.5 * self.cone).re)
    }
}

/// The logarithm of a bound of `|e^{log_q} r^w|` on a rectangle; infinite where r might vanish in it.
///
/// # Guarantee
/// At `x + iy`, the term of slope `l'(x)` has the argument `y l'(x)` and its modulus is that at x times `e^{−s y²}`. If at
/// any x the arguments differ by at most `φ < π`, then r ≠ 0, `Im log r` lies among them, and
///
/// ```text
/// cos(φ/2) Σ |terms| ≤ |r(x + iy)| ≤ Σ |terms|
/// ```
///
/// So `|r^w| = |r|^{Re w} e^{−Im w · Im log r}` is at most the modulus at x times the factors added here. Rounding is for the
/// caller to make up.
pub(crate) fn log_bound(integrand: &Integrand, rectangle: Rectangle) -> f64 {
    let Rectangle { middle, reach, height } = rectangle;
    let theta = integrand.power.re;
    let mut log = log_supremum(integrand, middle, reach);
    if height > 0.0 {
        let arguments = Arguments::new(integrand, rectangle);
        if arguments.cone >= WIDEST_CONE {
            return f64::INFINITY;
        }
        let square = if theta >= 0.0 { integrand.squares[0] } else { integrand.squares[1] };
        log += (-theta.mul_add(square, integrand.log_q.square)).max(0.0) * height * height;
        log += integrand.power.im.abs() * arguments.largest;
        log += theta.min(0.0) * arguments.log_cosine();
    }
    log
}

/// The logarithm of a bound of the modulus `g = e^{log_q} r^θ` on the real line, `|x − middle| ≤ reach`.
///
/// # Guarantee
/// With `s` the smallest square among the terms, `log r − s x²` is convex: it is the logarithm of a sum of exponentials of
/// convex functions. So for θ ≥ 0, `log r` lies below its chord plus `s (y² − reach²)`, `y = x − middle`, and for θ < 0 above
/// its tangent plus `s y²`; either leaves a quadratic, whose largest value is known.
fn log_supremum(integrand: &Integrand, middle: f64, reach: f64) -> f64 {
    let (theta, least, ratio) = (integrand.power.re, integrand.squares[0], &integrand.ratio);
    let line = if theta == 0.0 {
        [0.0, 0.0]
    } else if theta > 0.0 {
        let (left, right) = (ratio.plain(middle - reach), ratio.plain(middle + reach));
        [0.5 * (left + right) - least * reach * reach, 0.5 * (right - left) / reach]
    } else {
        let [log, slope, _] = ratio.derivatives(middle);
        [log, slope]
    };
    let line = Quadratic { constant: line[0], linear: line[1], square: least };
    let convex = integrand.log_q.around(middle).plus(theta, line).supremum(reach);
    if least >= 0.0 { convex } else { convex.min(term_by_term(integrand, middle, reach)) }
}

/// The same from `max |terms| ≤ r ≤ n · max |terms|`, for terms that fall off like Gaussians.
fn term_by_term(integrand: &Integrand, middle: f64, reach: f64) -> f64 {
    let theta = integrand.power.re;
    let terms = integrand.ratio.terms.iter().map(|term| {
        let sum = integrand.log_q.plus(theta, term.exponent);
        sum.around(middle).supremum(reach) + theta * term.log_weight
    });
    if theta >= 0.0 {
        terms.fold(f64::NEG_INFINITY, f64::max) + theta * ln(integrand.ratio.terms.len() as f64)
    } else {
        terms.fold(f64::INFINITY, f64::min)
    }
}

/// A bound of `|log r(x) − center|` on a rectangle where [`log_bound`] is finite.
///
/// # Guarantee
/// The real part is that on the line, at most the steepest slope times `reach` from its value in the middle, plus what the
/// squares and the cosine change; the imaginary part is one of the arguments.
pub(crate) fn distance(integrand: &Integrand, center: f64, rectangle: Rectangle) -> f64 {
    let Rectangle { middle, reach, height } = rectangle;
    let arguments = Arguments::new(integrand, rectangle);
    if arguments.cone >= WIDEST_CONE {
        return f64::INFINITY;
    }
    let steepest = Arguments::new(integrand, Rectangle { height: 1.0, ..rectangle }).largest;
    let bend = integrand.squares[0].abs().max(integrand.squares[1].abs()) * height * height;
    let real =
        (integrand.ratio.plain(middle) - center).abs() + steepest * reach + bend - arguments.log_cosine();
    real + arguments.largest
}
