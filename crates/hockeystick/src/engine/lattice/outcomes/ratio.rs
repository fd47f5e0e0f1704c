//! The likelihood ratio `r(x) = Σ wⱼ e^{lⱼ(x)}` of a stretch of outcomes: its logarithm at a point, and its mean over an interval.

use super::exponent::{size, slope, value};
use crate::pair::Quadratic;
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, ln_1p},
};

/// Below this the sum `1 + excess` is used.
const LARGEST_EXCESS: f64 = 0.5;

/// A term `w e^{l}`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) weight: f64,
    pub(crate) log_weight: f64,
    pub(crate) exponent: Quadratic,
}

/// `Σ wⱼ e^{lⱼ(x)}`, in one of two forms.
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    /// The terms, without the one in `log_constant`.
    pub(crate) terms: Vec<Term>,
    /// The log weight of a constant term, if weights add up to 1. Then `r = 1 + Σ wⱼ(e^{lⱼ} − 1)`, which is accurate near 1 whatever the error of the
    /// constant weight.
    pub(crate) log_constant: Option<f64>,
}

/// A logarithm of the ratio with its error bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogRatio {
    pub(crate) log: f64,
    /// `|log − truth|` is at most this, for every law whose coefficients and weights are within 4 units of roundoff.
    pub(crate) error: f64,
}

impl Ratio {
    pub(crate) fn new(terms: &[(f64, Quadratic)]) -> Option<Self> {
        let mut distinct: Vec<(f64, Quadratic)> = Vec::new();
        for &(weight, exponent) in terms {
            match distinct.iter_mut().find(|(_, known)| *known == exponent) {
                Some((sum, _)) => *sum += weight,
                None => distinct.push((weight, exponent)),
            }
        }
        if distinct.is_empty() || !distinct.iter().all(|(w, _)| *w > 0.0 && w.is_finite()) {
            return None;
        }
        let sum: f64 = distinct.iter().map(|(weight, _)| weight).sum();
        let adds_up = (sum - 1.0).abs() <= (6.0 + terms.len() as f64) * UNIT_ROUNDOFF;
        let constant = distinct.iter().position(|(_, exponent)| *exponent == Quadratic::default());
        let constant = constant.filter(|_| adds_up && distinct.len() > 1);
        let log_constant = constant.map(|index| ln(distinct.remove(index).0));
        let terms = (distinct.iter())
            .map(|&(weight, exponent)| Term { weight, log_weight: ln(weight), exponent })
            .collect();
        Some(Self { terms, log_constant })
    }

    /// `log r` at `x`, and its derivative in plain floats.
    pub(crate) fn at(&self, x: f64) -> (LogRatio, f64) {
        let rise = self.terms.iter().map(|term| {
            let l = value(term.exponent, x);
            (term, l, slope(term.exponent, x), size(term.exponent, x))
        });
        if self.log_constant.is_some() {
            let (mut excess, mut steep, mut error) = (0.0, 0.0, 0.0);
            for (term, l, slope, size) in rise.clone() {
                let growth = expm1(l);
                excess += term.weight * growth;
                steep += term.weight * (1.0 + growth) * slope;
                error += term.weight * point_error(growth, size);
            }
            if excess.abs() <= LARGEST_EXCESS {
                return (mixed(excess, error, self.terms.len()), steep / (1.0 + excess));
            }
        }
        let constant = self.log_constant.unwrap_or(f64::NEG_INFINITY);
        let largest = (rise.clone()).map(|(term, l, ..)| term.log_weight + l).fold(constant, f64::max);
        let (mut sum, mut steep, mut error) = (exp(constant - largest), 0.0, 0.0);
        for (term, l, slope, size) in rise {
            let share = exp(term.log_weight + l - largest);
            sum += share;
            steep += share * slope;
            error += share * term_error(term, size, largest);
        }
        (summed(largest, sum, error, self.terms.len()), steep / sum)
    }

    /// A bound on the distance of `log r` from its tangent at `x`, at a distance `step`: from its second derivative, and from the error of the
    /// derivative as [`at`](Self::at) computes it.
    ///
    /// With the terms as weights of a distribution, `(log r)″` is the mean of `l″` plus the variance of `l′`, which is at most a quarter
    /// of its squared range. The derivative is a mean of `l′`, rounded, with weights that have a relative error of `9.2u` times the exponents' sizes.
    pub(crate) fn off_tangent(&self, x: f64, step: f64) -> f64 {
        let constant = if self.log_constant.is_some() { 0.0 } else { f64::NAN };
        let (mut low, mut high, mut bend) = (constant, constant, 0.0f64);
        // The scales of round-off, and of the errors of coefficients.
        let (mut steepest, mut largest) = (0.0f64, 0.0f64);
        for Term { log_weight, exponent, .. } in &self.terms {
            let slope = slope(*exponent, x);
            // (NaN is ignored here.)
            (low, high) = (slope.min(low), slope.max(high));
            bend = bend.max(2.0 * exponent.square.abs());
            steepest = steepest.max(exponent.linear.abs() + 2.0 * (x * exponent.square).abs());
            largest = largest.max(size(*exponent, x) + log_weight.abs());
        }
        let range = high - low + 2.0 * bend * step.abs() + 16.0 * UNIT_ROUNDOFF * steepest;
        let second = 0.5 * (bend + 0.25 * range * range) * step * step;
        let rounding = steepest * (64.0 + 32.0 * largest) * UNIT_ROUNDOFF * step.abs();
        (second + rounding) * (1.0 + 1e-9)
    }

    /// The logarithm of the mean of r over an interval with the middle `x`, on which the j-th exponential has the mean `e^{lⱼ(x)}·gⱼ`
    /// with a factor `gⱼ` that has an error of at most `factor_error` units.
    pub(crate) fn mean(&self, x: f64, reach: f64, factors: &[f64], factor_error: f64) -> LogRatio {
        self.mean_by(|term| value(term.exponent, x), reach, factors, factor_error)
    }

    /// The same with means `gⱼ` of the whole exponentials.
    pub(crate) fn mean_of(&self, factors: &[f64], factor_error: f64, reach: f64) -> LogRatio {
        self.mean_by(|_| 0.0, reach, factors, factor_error)
    }

    #[inline]
    fn mean_by(&self, at: impl Fn(&Term) -> f64, reach: f64, factors: &[f64], factor_error: f64) -> LogRatio {
        let rise = (self.terms.iter().zip(factors))
            .map(|(term, &factor)| (term, at(term), factor, size(term.exponent, reach)));
        if self.log_constant.is_some() {
            let (mut excess, mut error) = (0.0, 0.0);
            for (term, l, factor, size) in rise.clone() {
                let growth = exp(l) * factor - 1.0;
                excess += term.weight * growth;
                error +=
                    term.weight * (point_error(growth, size) + (1.0 + growth) * (factor_error + 2.0) + 1.0);
            }
            if excess.abs() <= LARGEST_EXCESS {
                return mixed(excess, error, self.terms.len());
            }
        }
        let constant = self.log_constant.unwrap_or(f64::NEG_INFINITY);
        let largest = (rise.clone()).map(|(term, l, ..)| term.log_weight + l).fold(constant, f64::max);
        let (mut sum, mut error) = (exp(constant - largest), 0.0);
        for (term, l, factor, size) in rise {
            let share = exp(term.log_weight + l - largest) * factor;
            sum += share;
            error += share * (term_error(term, size, largest) + factor_error + 2.0);
        }
        summed(largest, sum, error, self.terms.len())
    }
}

/// The error of `e^l − 1` and of its weight, in units: coefficients are within 4, `l` is rounded (3), the argument may be the
/// rounded middle of an interval (twice the size at most), and the weight is within 8, for several may have been added.
#[inline]
fn point_error(growth: f64, size: f64) -> f64 {
    (1.0 + growth) * 9.2 * size + 10.2 * growth.abs()
}

/// The error of `log w + l − largest`, in units, and of its exponential.
#[inline]
fn term_error(term: &Term, size: f64, largest: f64) -> f64 {
    9.2 * size + 10.2 + 3.2 * term.log_weight.abs() + 2.0 * (size + term.log_weight.abs() + largest.abs())
}

/// `log(1 + excess)`: the error of the excess over `1 + excess`, and the roundings of sum and logarithm.
#[inline]
fn mixed(excess: f64, error: f64, terms: usize) -> LogRatio {
    let log = if excess == 0.0 { 0.0 } else { ln_1p(excess) };
    let units = (error + terms as f64 * excess.abs()) / (1.0 + excess) + 1.2 * log.abs();
    LogRatio { log, error: units * UNIT_ROUNDOFF * (1.0 + 1e-6) }
}

/// `largest + log(sum)`. The constant's weight is within 8 units, its logarithm and the difference to the largest are rounded:
/// with a share `s` of the sum that is `s(8 + 2.2|log s| + 2.2|largest|)` at most, which 24 and the next term cover.
#[inline]
fn summed(largest: f64, sum: f64, error: f64, terms: usize) -> LogRatio {
    let log_sum = ln(sum);
    let log = largest + log_sum;
    let units =
        error / sum + 24.0 + 2.0 * terms as f64 + 2.0 * largest.abs() + 1.2 * log_sum.abs() + log.abs();
    LogRatio { log, error: units * UNIT_ROUNDOFF * (1.0 + 1e-6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With and without a constant term, steep and curved: the tangent is as good as it says, and not much better.
    #[test]
    fn tangents_are_as_good_as_they_say() {
        let line = |linear: f64, square: f64| Quadratic { constant: -0.5 * linear, linear, square };
        for terms in [
            vec![(0.99, Quadratic::default()), (0.01, line(1.0, 0.0))],
            vec![(0.3, line(-2.0, 0.0)), (0.7, line(3.0, 0.0))],
            vec![(0.5, Quadratic::default()), (0.25, line(4.0, -0.3)), (0.25, line(-1.0, 0.2))],
        ] {
            let ratio = Ratio::new(&terms).unwrap();
            let mut closest = 0.0f64;
            for i in -60..60 {
                let x = 0.1 * f64::from(i);
                let (here, slope) = ratio.at(x);
                for step in [1e-6, -1e-4, 1e-2, -0.3] {
                    let (there, _) = ratio.at(x + step);
                    let off = (there.log - here.log - slope * step).abs();
                    let bound = ratio.off_tangent(x, step);
                    assert!(off <= bound + here.error + there.error, "{x} {step}: {off} {bound}");
                    closest = closest.max(off / bound);
                }
            }
            assert!(closest > 0.1, "{closest}");
        }
    }
}
