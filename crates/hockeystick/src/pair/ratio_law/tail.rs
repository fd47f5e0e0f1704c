//! The integral of the modulus beyond a point, and where to cut an infinite panel.

use super::{Quadratic, integrand::Integrand, peak::Peak, portion::Portion, side::Side};
use hockeystick_numerics::special::{exp, ln, ln_1p};

/// Coefficients that cancel to less than this part of themselves have an unknown sign.
const CANCELLED: f64 = 1e-12;

/// A cut is sought in so many steps: sixty powers of ten.
const MOST_STEPS: usize = 1000;

/// How much worse than a coefficient a share may be known: its logarithm is rounded, and some hundreds at most.
const STEEPER: f64 = 100.0;

/// The logarithm of a bound of `∫ g` from `x` to the end of the line; infinite if there is no proof that it converges.
///
/// # Guarantee
/// For θ < 0 and linear exponents, `log_q + θ log r` is concave as a whole, for `log r` is convex. For θ = Re w ≥ 0, `(Σ aⱼ)^θ ≤ n^{(θ−1)₊} Σ aⱼ^θ`; for θ < 0, `(Σ aⱼ)^θ ≤ aⱼ^θ` for each j. That leaves exponentials of
/// quadratics F. If all exponents are linear, the term that grows fastest towards the end, or falls slowest, is in proportion to
/// the others at least what it is at `x`: `r^θ ≤ aⱼ^θ (r/aⱼ)^θ` with the second factor taken at `x`. Where F is concave and falls towards the end, it stays below its tangent: `∫ e^F ≤ e^{F(x)}/|F'(x)|`.
pub(crate) fn log_bound(integrand: &Integrand, portion: Portion, x: f64, side: Side) -> f64 {
    bound(integrand, portion, x, side, true)
}

/// The same from single terms: where it is small, so is the integrand off the line.
pub(crate) fn log_bound_of_terms(integrand: &Integrand, portion: Portion, x: f64, side: Side) -> f64 {
    bound(integrand, portion, x, side, false)
}

fn bound(integrand: &Integrand, portion: Portion, x: f64, side: Side, tangent: bool) -> f64 {
    if side == Side::Right && x >= portion.end() {
        return f64::NEG_INFINITY;
    }
    let Some(log_q) = portion.beyond(integrand.log_q, x, side) else { return f64::INFINITY };
    let theta = integrand.power.re;
    let count = integrand.ratio.terms.len() as f64;
    let terms = integrand.ratio.terms.iter().map(|term| {
        let exponent = Quadratic { constant: term.exponent.constant + term.log_weight, ..term.exponent };
        one_term(log_q, theta, exponent, x, side)
    });
    let log = if theta >= 0.0 {
        let all = terms.fold(f64::NEG_INFINITY, f64::max) + ln(count) * (1.0 + (theta - 1.0).max(0.0));
        all.min(by_outermost(integrand, log_q, x, side))
    } else {
        let one = terms.fold(f64::INFINITY, f64::min);
        if tangent { one.min(by_tangent(integrand, log_q, x, side)) } else { one }
    };
    let (constant, of_share) = integrand.slacks(x.abs());
    // On the left the share of a term that grows falls.
    let share = if side == Side::Left && of_share > 0.0 { integrand.moving_share(x) } else { 1.0 };
    let log = log + constant + share * of_share + 1e-13 * log_q.magnitude(x.abs());
    if log.is_nan() { f64::INFINITY } else { log }
}

/// The bound by the term that matters most towards the end; infinite if exponents are not linear.
fn by_outermost(integrand: &Integrand, log_q: Quadratic, x: f64, side: Side) -> f64 {
    let terms = &integrand.ratio.terms;
    let slope = |index: usize| side.sign() * terms[index].exponent.linear;
    let outermost = (0..terms.len()).max_by(|&a, &b| slope(a).total_cmp(&slope(b)));
    let Some(index) = outermost.filter(|_| integrand.squares == [0.0, 0.0]) else { return f64::INFINITY };
    let theta = integrand.power.re;
    let own = terms[index];
    let exponent = Quadratic { constant: own.exponent.constant + own.log_weight, ..own.exponent };
    let others: f64 = terms
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index)
        .map(|(_, term)| exp(term.log_weight - own.log_weight + term.exponent.at(x) - own.exponent.at(x)))
        .sum();
    one_term(log_q, theta, exponent, x, side) + theta * ln_1p(others * (1.0 + 1e-9)) + 1e-12 * theta
}

/// The bound by the tangent of the logarithm of all, for θ < 0; infinite if exponents are not linear.
fn by_tangent(integrand: &Integrand, log_q: Quadratic, x: f64, side: Side) -> f64 {
    if integrand.squares != [0.0, 0.0] || log_q.square > 0.0 {
        return f64::INFINITY;
    }
    let theta = integrand.power.re;
    let [log_ratio, slope, _] = integrand.ratio.derivatives(x);
    let steepest = integrand.ratio.terms.iter().map(|term| term.exponent.linear.abs()).fold(0.0, f64::max);
    let fall = -side.sign() * (theta * slope + log_q.slope(x));
    // A share is off by no more than its logarithm.
    let steepness = log_q.steepness(x.abs()) + theta.abs() * slope.abs().min(steepest) * STEEPER;
    if fall <= CANCELLED * steepness {
        return f64::INFINITY;
    }
    theta * log_ratio + log_q.at(x) - ln(fall - 0.5 * CANCELLED * steepness)
}

/// `log ∫ e^{log_q + θl}` from `x` outwards, bounded by the tangent in `x`.
fn one_term(log_q: Quadratic, theta: f64, exponent: Quadratic, x: f64, side: Side) -> f64 {
    let sum = log_q.plus(theta, exponent);
    let size = |a: f64, b: f64| CANCELLED * (a.abs() + (theta * b).abs());
    let bends_up =
        size(log_q.square, exponent.square) > -sum.square && (log_q.square, exponent.square) != (0.0, 0.0);
    let fall = -side.sign() * sum.slope(x);
    let steepness = log_q.steepness(x.abs()) + theta.abs() * exponent.steepness(x.abs());
    if bends_up || fall <= CANCELLED * steepness {
        return f64::INFINITY;
    }
    // The slope may be off by as much as it must exceed to have a sign.
    sum.at(x) - ln(fall - 0.5 * CANCELLED * steepness)
}

/// A point beyond which the integral is within the tolerance, and the logarithm of its bound there in units of the
/// tolerance; or the last point tried.
pub(crate) fn cut(peak: Peak, side: Side, log_bound: impl Fn(f64) -> f64) -> (f64, f64) {
    let mut distance = 4.0 * peak.width;
    let mut last = (peak.at, f64::INFINITY);
    // Next to the largest doubles there is no such distance, and a loop that waits for one has no end.
    for _ in 0..MOST_STEPS {
        let x = side.sign().mul_add(distance, peak.at);
        let log = log_bound(x);
        // What is not a number bounds nothing.
        last = (x, if log.is_nan() { f64::INFINITY } else { log });
        if log <= 0.0 || distance > 1e9 * (peak.width + peak.at.abs()) {
            break;
        }
        distance *= 1.15;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Panel;
    use num_complex::Complex;

    /// `N(0, 1)` and the ratio `0.9 + 0.1 e^{x − 1/2}`.
    fn sampled(power: f64) -> Integrand {
        let log_q = Quadratic { constant: -0.918_938_533_204_672_7, linear: 0.0, square: -0.5 };
        let loss = Quadratic { constant: -0.5, linear: 1.0, square: 0.0 };
        let panel = Panel {
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            log_q,
            ratio: vec![(0.9, Quadratic::default()), (0.1, loss)],
        };
        Integrand::new(&panel, Complex::new(power, 0.0))
    }

    #[test]
    fn bounds_the_tail() {
        for power in [-3.0, 0.0, 0.5, 1.0, 4.0] {
            let integrand = sampled(power);
            for (x, side) in [(8.0, Side::Right), (-8.0, Side::Left)] {
                let step = side.sign() / 64.0;
                // The midpoint rule over the first 8: the rest is below 1e-40 of it.
                let sum: f64 =
                    (0..512).map(|i| exp(integrand.log_modulus(x + (f64::from(i) + 0.5) * step)[0])).sum();
                let (tail, bound) = (sum / 64.0, exp(log_bound(&integrand, Portion::Whole, x, side)));
                assert!(tail <= bound * 1.001 && bound < 200.0 * tail, "{power}: {tail:e} against {bound:e}");
            }
        }
    }

    /// Cut where the tilted law ends, not where the density alone does: with a large negative power that is far from each other.
    #[test]
    fn tangents_bound_the_tails_of_large_negative_powers() {
        for power in [-1e3, -1e6, -1e9] {
            let integrand = sampled(power);
            let peak = super::super::peak::find(&integrand, f64::NEG_INFINITY, f64::INFINITY);
            let [_, slope, _] = integrand.log_modulus(peak.at);
            assert!(slope.abs() * peak.width < 0.2, "{power}: {slope} at {peak:?}");
            for (side, sign) in [(Side::Right, 1.0), (Side::Left, -1.0)] {
                for deviations in [1f64, 4.0, 8.0] {
                    let x = (sign * deviations).mul_add(peak.width, peak.at);
                    let step = sign * peak.width / 512.0;
                    let terms = (0..40_000).map(|i| {
                        exp(integrand.log_modulus(x + (f64::from(i) + 0.5) * step)[0] - peak.log_height)
                    });
                    let tail = ln(terms.sum::<f64>() * step.abs()) + peak.log_height;
                    let bound = log_bound(&integrand, Portion::Whole, x, side);
                    assert!(tail <= bound + 1e-3 && bound < tail + 1.0, "{power} {x}: {tail} {bound}");
                }
            }
        }
    }

    #[test]
    fn knows_nothing_before_the_peak() {
        assert_eq!(log_bound(&sampled(4.0), Portion::Whole, 3.0, Side::Right), f64::INFINITY);
        assert_eq!(log_bound(&sampled(0.0), Portion::Whole, -1.0, Side::Right), f64::INFINITY);
    }
}
