//! `M(z)` of one pair along a vertical line, relative to a scale.

use super::{
    large_losses::LargeLosses,
    small_losses::SmallLosses,
    sorted_nodes::{LARGE, Sorted, Sorting},
};
use crate::engine::contour::{
    factors::Factor,
    law::{LossRule, RuleSpec},
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    exponential_sums,
    limits::check,
    rounding::UNIT_ROUNDOFF,
    special::{complex_log1p, exp, ln, modulus},
};
use num_complex::Complex;

/// Losses are small up to [`LARGE`], or farther if `|z|(|z| + 1)L²` stays below this along the whole line. There `e^{zL} − 1 − z(1 − e^{−L})` is
/// tiny. Subtracted from direct sums, it would be lost by cancellation, which shows with millions of uses.
const SMALL_SQUARE: f64 = 0.1;
/// No loss above this is small.
const LARGEST_SMALL: f64 = 30.0;

/// `log M` at the points of a line.
#[derive(Clone, Debug)]
pub(crate) struct LogMoments {
    /// `K(z_n)`, on some branch.
    pub(crate) values: Vec<Complex<f64>>,
    /// What each may be off; infinite where `M(z_n)` cannot be told from 0.
    pub(crate) errors: Vec<f64>,
    /// Upper bounds of `Re K(z_n)`.
    pub(crate) ceilings: Vec<f64>,
}

/// One pair, tilted: its loss has the weights `p e^{cL − s}`.
#[derive(Clone, Debug)]
pub(crate) struct TiltedLaw {
    tilt: f64,
    /// s: the logarithm by which `M(z)` is scaled, 0 unless `M(c)` is large.
    pub(crate) log_scale: f64,
    small: SmallLosses,
    large: LargeLosses,
    /// `Σ p` and `Σ (p − q)` over the large losses.
    constant: [f64; 2],
    /// What they may be off.
    constant_error: [f64; 2],
    /// `P(L = ∞)`, and how much more `Q(L = −∞)` is.
    infinite: Enclosure,
    drift: Enclosure,
    log_rule_error: f64,
    rule_errors: [f64; 2],
    /// Is `M` summed as it is?
    direct: bool,
    /// An upper bound of `log M(λ)`.
    pub(crate) log_beyond: f64,
}

impl TiltedLaw {
    /// Of a factor, with its rule for a line.
    pub(crate) fn new(factor: &Factor, line: RuleSpec, rule: &LossRule) -> Self {
        let c = line.tilt;
        let exponents = rule.nodes.iter().map(|node| node.log_p + c * node.loss);
        let highest = exponents.fold(f64::NEG_INFINITY, f64::max);
        // Up to here neither sums nor their products with |z| overflow.
        let log_scale = if highest > 100.0 || line.direct { highest } else { 0.0 };
        let size = line.tilt.hypot(line.height);
        let large = (SMALL_SQUARE / (size * (size + 1.0))).sqrt().clamp(LARGE, LARGEST_SMALL);
        let sorted = Sorting { line, log_scale, smallest: large }.sorted(&rule.nodes);
        let Sorted { small, large, constants, constant_error, log_highest_beyond, beyond } = sorted;
        let constant_errors =
            std::array::from_fn(|i| constant_error[i] * (1.0 + 1e-9) + constants[i].error_bound() + 1e-300);
        let log_rest = rule.log_error_beyond - log_highest_beyond;
        Self {
            tilt: c,
            log_scale,
            small,
            large,
            constant: constants.map(|sum| sum.value()),
            constant_error: if line.direct { [0.0; 2] } else { constant_errors },
            infinite: factor.infinite + rule.outside.p,
            drift: factor.vanishing - factor.infinite + rule.outside.surplus,
            log_rule_error: rule.log_error - log_scale,
            rule_errors: if line.direct { [0.0; 2] } else { [rule.p_error, rule.q_error] },
            direct: line.direct,
            log_beyond: log_highest_beyond + ln(beyond * (1.0 + 1e-9) + exp(log_rest)) + 1e-9,
        }
    }

    /// `K(c + i n step)` for n = 0 … count − 1.
    ///
    /// # Guarantee
    /// With `m₀ = M(0) = 1 − P(L = ∞)` and `m₁ = M(−1) = 1 − Q(L = −∞)` exactly,
    /// `M(z) = m₀ + z(m₀ − m₁) + E[e^{zL} − 1 − z(1 − e^{−L})]`; the expectation is taken by the rule, whose errors at z, 0 and −1
    /// are added. Then `log` is off by `w/(1 − w)` for a relative error w.
    pub(crate) fn along(&self, step: f64, count: usize) -> LogMoments {
        check();
        let (large, large_errors) = self.large.sums(self.tilt, step, count);
        if self.direct {
            return self.directly(&large, &large_errors);
        }
        let (small, small_errors) = self.small.sums(step, count);
        let scale = exp(-self.log_scale);
        let rule_error = exp(self.log_rule_error);
        let missing = self.infinite.midpoint();
        let drift = self.drift.midpoint();
        let unknown = [0.5 * self.infinite.width(), 0.5 * self.drift.width()];
        let mut moments = LogMoments {
            values: Vec::with_capacity(count),
            errors: Vec::with_capacity(count),
            ceilings: Vec::with_capacity(count),
        };
        for n in 0..count {
            let z = Complex::new(self.tilt, step * n as f64);
            let size = modulus(z);
            // M(z) − 1 if the scale is 1, else M(z)/e^s − e^{−s}.
            let known = z * (drift - self.constant[1]) - (missing + self.constant[0]);
            let excess = small[n] + large[n] + known * scale;
            let magnitude = small[n].l1_norm()
                + large[n].l1_norm()
                + scale * (size * (drift.abs() + self.constant[1].abs()) + missing)
                + scale * self.constant[0];
            let error = small_errors[n]
                + large_errors[n]
                + rule_error
                + scale * (self.rule_errors[0] * (1.0 + size) + self.rule_errors[1] * size)
                + scale * (self.constant_error[0] + size * self.constant_error[1])
                + scale * (unknown[0] + size * unknown[1])
                + 6.0 * UNIT_ROUNDOFF * magnitude;
            moments.push(excess, error * (1.0 + 1e-6), self.log_scale, scale);
        }
        moments
    }
}

impl TiltedLaw {
    /// How many turns of nodes so many points take.
    pub(crate) fn work(&self, points: usize) -> usize {
        let small = self.small.losses.len();
        let large = self.large.len();
        points * if exponential_sums::is_worth_it(large, points) { small } else { small + large }
    }

    /// `log Σ p e^{zL}`: with few uses nothing is lost by not removing the leading digits.
    fn directly(&self, sums: &[Complex<f64>], errors: &[f64]) -> LogMoments {
        let rule_error = exp(self.log_rule_error);
        let mut moments = LogMoments {
            values: Vec::with_capacity(sums.len()),
            errors: Vec::with_capacity(sums.len()),
            ceilings: Vec::with_capacity(sums.len()),
        };
        for (sum, error) in sums.iter().zip(errors) {
            moments.push(*sum, (error + rule_error) * (1.0 + 1e-6), self.log_scale, 0.0);
        }
        moments
    }
}

impl LogMoments {
    /// Adds the point where `M = e^s (excess + scale)`, `scale = e^{−s}`, and excess is off by `error`.
    fn push(&mut self, excess: Complex<f64>, error: f64, log_scale: f64, scale: f64) {
        let (moment, value, relative) = if log_scale == 0.0 && scale > 0.0 {
            let shifted = excess + 1.0;
            (modulus(shifted), complex_log1p(excess), 0.0)
        } else {
            let sum = excess + scale;
            let size = modulus(sum);
            let log = ln(size);
            // The scale may cancel the logarithm, but not its round-off.
            let relative = UNIT_ROUNDOFF * (4.0 + 2.0 * log.abs());
            (size, Complex::new(log + log_scale, sum.arg()), relative)
        };
        let relative = error / moment + relative;
        let rounding = 8.0 * UNIT_ROUNDOFF * modulus(value);
        self.values.push(value);
        self.errors.push(if relative < 0.9 { relative / (1.0 - relative) + rounding } else { f64::INFINITY });
        let log_most = ln(moment + error);
        let rounding = UNIT_ROUNDOFF * (8.0 * (1.0 + value.l1_norm()) + 2.0 * log_most.abs());
        self.ceilings.push(log_scale + log_most + rounding);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::contour::factors::Factors,
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };

    /// The tilted loss is near 0.2, where `p` is below 10⁻¹⁴⁰ and `e^{cL}` above 10³⁰⁰.
    #[test]
    fn small_losses_may_be_rarer_than_doubles_are_small() {
        let mechanism: Mechanism = "poisson(gaussian(sigma=60), rate=0.5)".parse().unwrap();
        for direction in [Direction::Remove, Direction::Add] {
            let pair = dominating_pair(&mechanism, direction).unwrap();
            let factors = Factors::new(&[(pair.clone(), 1)]);
            for tilt in [100.0, 1000.0, 2500.0, 3200.0, 4200.0] {
                let line = RuleSpec {
                    tilt,
                    height: 50.0,
                    beyond: tilt + 100.0,
                    log_tolerance: -34.0,
                    log_tolerance_beyond: -5.0,
                    direct: false,
                };
                let rule = factors.others[0].rule(line).unwrap();
                let moments = TiltedLaw::new(&factors.others[0], line, &rule).along(10.0, 6);
                for n in 0..6 {
                    let z = Complex::new(tilt, 10.0 * n as f64);
                    let truth = pair.mgf(z).unwrap();
                    let (value, error) = (moments.values[n], moments.errors[n]);
                    assert!(error < 1e-8, "{tilt} {n}: {error:e}");
                    if truth.radius().is_finite() {
                        let log = truth.center().ln();
                        let angle = (value.im - log.im).rem_euclid(std::f64::consts::TAU);
                        let turn = angle.min(std::f64::consts::TAU - angle);
                        let allowed = error + truth.radius() / truth.center().norm() * 1.01 + 1e-12;
                        assert!((value.re - log.re).hypot(turn) <= allowed, "{tilt} {n}: {value} {log}");
                        assert!(log.re <= moments.ceilings[n] + 1e-12);
                    }
                }
            }
        }
    }
}
