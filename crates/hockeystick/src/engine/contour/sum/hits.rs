//! Outcomes that hold at least one loss above a cut: `F = Π (Bᵢ + Hᵢ)^{kᵢ} − Π Bᵢ^{kᵢ}`, where `Hᵢ` is what is above it and `Bᵢ` what is below.
//!
//! Where a few rare losses decide, `|M|` does not decay on the line until the many tiny losses are resolved, which would take
//! millions of points. `F` decays as soon as the large losses are.

use super::{
    joined::{Joined, Known, Logarithm, joined},
    large_losses::LargeLosses,
    log_moments::LogMoments,
    sorted_nodes::most_of,
};
use crate::engine::contour::law::{LossRule, RuleSpec};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, expm1, ln, ln_1p, modulus},
};
use num_complex::Complex;

/// `H` of one pair, tilted.
#[derive(Clone, Debug)]
pub(crate) struct Hits {
    tilt: f64,
    log_scale: f64,
    losses: LargeLosses,
    log_rule_error: f64,
    /// An upper bound of `log H(λ)`.
    pub(crate) log_beyond: f64,
    /// An upper bound of `H(0)`.
    pub(crate) mass: f64,
}

impl Hits {
    /// From the rule of what is above a cut.
    pub(crate) fn new(line: RuleSpec, rule: &LossRule) -> Self {
        let highest = |z: f64| {
            rule.nodes.iter().map(|node| node.log_p + z * node.loss).fold(f64::NEG_INFINITY, f64::max)
        };
        let (log_scale, highest_beyond) = (highest(line.tilt), highest(line.beyond));
        let mut losses = LargeLosses::default();
        let (mut beyond, mut mass) = (0.0, 0.0);
        for node in &rule.nodes {
            let exponent = line.tilt * node.loss;
            let sizes = 3.0 * exponent.abs() + 2.0 * node.log_p.abs() + log_scale.abs() + 4.0;
            let relative = node.relative_error + UNIT_ROUNDOFF * sizes;
            losses.push(exp(node.log_p + exponent - log_scale), node.loss, relative, node.loss_error);
            beyond += most_of(node, line.beyond, line.beyond * node.loss - highest_beyond);
            mass += most_of(node, 0.0, 0.0);
        }
        let log_rest = rule.log_error_beyond - highest_beyond;
        Self {
            tilt: line.tilt,
            log_scale,
            losses,
            log_rule_error: rule.log_error - log_scale,
            log_beyond: highest_beyond + ln(beyond * (1.0 + 1e-9) + exp(log_rest)) + 1e-9,
            mass: mass * (1.0 + 1e-9) + rule.p_error,
        }
    }

    /// Its sums at `z = c + i n step`.
    pub(crate) fn along(&self, step: f64, points: usize) -> Along {
        let (sums, errors) = self.losses.sums(self.tilt, step, points);
        Along { sums, errors }
    }

    /// Replaces `log B` by `log M`, `M = B + H`, at `z = c + i n step`. Returns `k log(B/M)` with its errors, and upper bounds of
    /// `log(k|H|/C)`. C, the ceiling of `|M|`, is an upper bound of `|B| + |H|`.
    pub(crate) fn join(&self, count: f64, moments: &mut LogMoments, along: &Along) -> Avoided {
        let Along { sums, errors } = along;
        let rule_error = exp(self.log_rule_error);
        let mut avoided = Avoided::default();
        for n in 0..moments.values.len() {
            let error = errors[n] + rule_error;
            let size = modulus(sums[n]);
            let log = ln(size);
            let value = Complex::new(log + self.log_scale, sums[n].im.atan2(sums[n].re));
            // The scale may cancel the logarithm, but not its round-off.
            let rounding = UNIT_ROUNDOFF * (8.0 + 2.0 * log.abs() + 4.0 * value.l1_norm());
            let log_most = ln(size + error);
            let log_size = log_most + self.log_scale + 2.0 * UNIT_ROUNDOFF * log_most.abs();
            let above = Known { value, relative_error: error / size + rounding };
            let below = Logarithm { value: moments.values[n], error: moments.errors[n] };
            let joined = joined(below, above, moments.ceilings[n]);
            let ceiling = log_sum(moments.ceilings[n], log_size);
            avoided.push(count, &joined);
            let share = log_size - ceiling + ln(count);
            let rounding = 1e-9 + 1e-15 * (log_size.abs() + ceiling.abs());
            avoided.ceilings.push(share + rounding);
            let whole = joined.whole;
            (moments.values[n], moments.errors[n], moments.ceilings[n]) = (whole.value, whole.error, ceiling);
        }
        avoided
    }
}

/// `H` along a line, in units of its scale, and what it may be off but for its rule.
pub(crate) struct Along {
    sums: Vec<Complex<f64>>,
    errors: Vec<f64>,
}

/// `log(e^a + e^b)`, or a little more.
pub(crate) fn log_sum(a: f64, b: f64) -> f64 {
    // `max` and `min` would leave out what is not a number.
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    let sum = high + ln_1p(exp(low - high));
    sum + 8.0 * UNIT_ROUNDOFF * (1.0 + high.abs())
}

/// `Σ k log B/M` at the points of a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Avoided {
    values: Vec<Complex<f64>>,
    errors: Vec<f64>,
    ceilings: Vec<f64>,
    /// What `Σ k log M` may be off.
    of_whole: Vec<f64>,
}

impl Avoided {
    /// The next point.
    fn push(&mut self, count: f64, joined: &Joined) {
        let Joined { whole, avoided, unknown } = joined;
        self.values.push(avoided.value * count);
        self.errors.push(count * avoided.error * (1.0 + 1e-9) + unknown);
        self.of_whole.push(count * whole.error * (1.0 + 1e-9));
    }

    /// `log F − Σ k log M` at all points, with errors that include those of `Σ k log M`.
    pub(crate) fn log_hits(&self) -> Vec<(Complex<f64>, f64)> {
        (0..self.values.len())
            .map(|n| {
                let (log, error) = self.log_of_hit(n);
                (log, error + self.of_whole[n])
            })
            .collect()
    }

    /// Adds those of another pair.
    pub(crate) fn and(mut self, other: Self) -> Self {
        if self.values.is_empty() {
            return other;
        }
        if other.values.is_empty() {
            return self;
        }
        for n in 0..self.values.len() {
            self.values[n] += other.values[n];
            self.errors[n] += other.errors[n] + 2.0 * UNIT_ROUNDOFF * self.values[n].l1_norm();
            self.of_whole[n] += other.of_whole[n];
            let highest = self.ceilings[n].max(other.ceilings[n]);
            let sum = exp(self.ceilings[n] - highest) + exp(other.ceilings[n] - highest);
            self.ceilings[n] = highest + ln(sum) + 1e-9 + 1e-15 * highest.abs();
        }
        self
    }

    /// `log(1 − e^A)` at the point n, and what it may be off.
    fn log_of_hit(&self, n: usize) -> (Complex<f64>, f64) {
        let (avoided, error) = (self.values[n], self.errors[n]);
        let grown = complex_expm1(avoided);
        let size = modulus(grown);
        let most = exp(avoided.re.max(0.0));
        let moved =
            exp(avoided.re) * expm1(error) * (1.0 + 1e-9) + 8.0 * UNIT_ROUNDOFF * avoided.l1_norm() * most;
        let relative = moved / size;
        let log = Complex::new(ln(size), (-grown.im).atan2(-grown.re));
        let certain = relative < 0.5;
        (
            log,
            if certain {
                relative / (1.0 - relative) + 8.0 * UNIT_ROUNDOFF * (1.0 + log.l1_norm())
            } else {
                f64::INFINITY
            },
        )
    }

    /// An upper bound of `log |F|/Π C^k`, where C is the ceiling of `|M|`.
    ///
    /// # Guarantee
    /// `Π Mᵢ^{kᵢ} − Π Bᵢ^{kᵢ}` is a sum of `Σ kᵢ` products, each with one `Hᵢ` and all other factors M or B, of which none exceeds C.
    pub(crate) fn ceiling(&self, n: usize) -> f64 {
        self.ceilings[n]
    }
}

/// `e^z − 1`, off by no more than a few u times `|z| e^{Re z}` or `|z|`.
fn complex_expm1(z: Complex<f64>) -> Complex<f64> {
    let half = cis(0.5 * z.im).im;
    let turn = cis(z.im);
    Complex::new(expm1(z.re) * turn.re - 2.0 * half * half, exp(z.re) * turn.im)
}

#[cfg(test)]
mod tests {
    use super::super::joined::{complex_exp, tests::distance};
    use super::*;
    use crate::engine::contour::law::{LossNode, Outside};
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// A bound that is not a number bounds nothing, and neither does its sum with another: only the other was added, to itself.
    #[test]
    fn what_is_not_a_number_is_not_left_out_of_sums() {
        assert!(log_sum(f64::NAN, 1.0).is_nan() && log_sum(1.0, f64::NAN).is_nan());
        assert_eq!(log_sum(f64::NEG_INFINITY, 0.0), log_sum(0.0, f64::NEG_INFINITY));
        assert!(log_sum(0.0, f64::NEG_INFINITY) >= 0.0);
        assert_eq!(log_sum(f64::INFINITY, 0.0), f64::INFINITY);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        /// `Π M^k − Π B^k`, also where B and H cancel to any number of digits.
        #[test]
        fn hits_hold_all_that_they_may_be(
            (log_below, turn_below) in (-5f64..5.0, -PI..PI),
            (log_more, turn_more) in prop_oneof![
                (-25f64..25.0, -PI..PI),
                (-34f64..-1.0).prop_flat_map(|log| (-exp(log)..exp(log), PI - exp(log)..PI)),
            ],
            (error_below, error_above) in (-13f64..-3.0, -13f64..-3.0),
            (way_below, way_above) in (-PI..PI, -PI..PI),
            count in 1i32..5,
        ) {
            let (error_below, error_above) = (10f64.powf(error_below), 10f64.powf(error_above));
            let below = Logarithm { value: Complex::new(log_below, turn_below), error: error_below };
            let above_value = below.value + Complex::new(log_more, turn_more);
            let above = Known { value: above_value, relative_error: error_above };
            let true_below = complex_exp(below.value + cis(way_below) * error_below);
            let true_above = complex_exp(above.value) * (1.0 + cis(way_above) * error_above);
            let found = joined(below, above, log_below + error_below);
            let mut avoided = Avoided::default();
            avoided.push(f64::from(count), &found);
            let (log, error) = avoided.log_hits()[0];
            // M^k − B^k = H (M^{k−1} + … + B^{k−1}).
            let whole = true_below + true_above;
            let powers = (0..count).map(|i| whole.powi(i) * true_below.powi(count - 1 - i));
            let (sum, size) = powers.fold((Complex::new(0.0, 0.0), 0.0), |(sum, size), power| {
                (sum + power, size + power.norm())
            });
            let hit = true_above * sum;
            // The reference is rounded itself, M above all.
            let parts = (true_below.norm() + true_above.norm()) / whole.norm().max(true_below.norm());
            let rounding = 1e-13 * (1.0 + parts * size / sum.norm());
            let value = found.whole.value * f64::from(count) + log;
            prop_assert!(
                distance(value, hit.ln()) <= error + rounding,
                "{value} against {}: {error:e}", hit.ln()
            );
        }
    }

    fn rule_of(nodes: &[(f64, f64)]) -> LossRule {
        let node =
            |&(log_p, loss): &(f64, f64)| LossNode { loss, loss_error: 0.0, log_p, relative_error: 0.0 };
        LossRule {
            nodes: nodes.iter().map(node).collect(),
            log_error: f64::NEG_INFINITY,
            p_error: 0.0,
            q_error: 0.0,
            log_error_beyond: f64::NEG_INFINITY,
            outside: Outside::NOTHING,
        }
    }

    proptest! {
        /// Up the line B is smaller than at its foot, and so is what `Σ k |H|` is multiplied by. Nothing else need be known of B.
        #[test]
        fn ceilings_fall_with_what_is_below(
            below in prop::collection::vec((-8f64..0.0, -1f64..1.0), 1..6),
            above in prop::collection::vec((-30f64..-8.0, 1f64..3.0), 1..4),
            (tilt, step) in (0.1f64..8.0, 0.01f64..2.0),
            count in 1i32..6,
        ) {
            let line = RuleSpec {
                tilt,
                height: 7.0 * step,
                beyond: tilt + 1.0,
                log_tolerance: -34.0,
                log_tolerance_beyond: -5.0,
                direct: true,
            };
            let sum = |nodes: &[(f64, f64)], z: Complex<f64>| -> Complex<f64> {
                nodes.iter().map(|(log_p, loss)| (z * loss + log_p).exp()).sum()
            };
            let at = |n: usize| Complex::new(tilt, step * n as f64);
            let values: Vec<Complex<f64>> = (0..8).map(|n| sum(&below, at(n)).ln()).collect();
            let mut moments = LogMoments {
                ceilings: values.iter().map(|value| value.re + 1e-12).collect(),
                errors: vec![f64::INFINITY; 8],
                values,
            };
            let hits = Hits::new(line, &rule_of(&above));
            let along = hits.along(step, moments.values.len());
            let avoided = hits.join(f64::from(count), &mut moments, &along);
            for n in 0..8 {
                let (b, h) = (sum(&below, at(n)), sum(&above, at(n)));
                let powers = (0..count).map(|i| (b + h).powi(i) * b.powi(count - 1 - i));
                let hit = (h * powers.sum::<Complex<f64>>()).norm();
                let ceiling = f64::from(count) * moments.ceilings[n] + avoided.ceiling(n);
                prop_assert!(ln(hit) <= ceiling, "{n}: {} above {ceiling}", ln(hit));
                let most = f64::from(count) * h.norm() * (b.norm() + h.norm()).powi(count - 1);
                prop_assert!(ceiling <= ln(most + 1e-12 * exp(moments.ceilings[0])) + 1e-6);
            }
        }
    }
}
