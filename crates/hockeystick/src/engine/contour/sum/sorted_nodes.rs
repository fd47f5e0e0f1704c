//! Nodes of a rule, sorted by how they are summed along a line.

use super::{large_losses::LargeLosses, small_losses::SmallLosses};
use crate::engine::contour::law::{LossNode, RuleSpec};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, quick},
    summation::CompensatedSum,
};

/// Losses of at least this size are summed directly, unless the line is near 0: see `TiltedLaw::new`.
pub(crate) const LARGE: f64 = 1.0;
/// So are losses with `|cL|` of at least this: nothing cancels, and `p` may be too small, `e^{cL}` too large for a double.
const LARGE_EXPONENT: f64 = 30.0;
/// Nodes smaller than `e^{−80}` times the largest are not summed.
const LOG_NEGLIGIBLE: f64 = 80.0;

/// By what nodes are sorted.
#[derive(Clone, Copy)]
pub(crate) struct Sorting {
    pub(crate) line: RuleSpec,
    /// The logarithm by which weights are scaled.
    pub(crate) log_scale: f64,
    /// Losses of at least this size are large.
    pub(crate) smallest: f64,
}

/// Small and large losses, and what is summed over nodes at other points.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    pub(crate) small: SmallLosses,
    pub(crate) large: LargeLosses,
    /// `Σ p` and `Σ (p − q)` over the large losses.
    pub(crate) constants: [CompensatedSum; 2],
    /// What they may be off, but for the roundings of sums.
    pub(crate) constant_error: [f64; 2],
    /// The logarithm of the largest `p e^{λL}`, and an upper bound of `Σ p e^{λL}` in units of it.
    pub(crate) log_highest_beyond: f64,
    pub(crate) beyond: f64,
}

impl Sorting {
    /// All nodes.
    pub(crate) fn sorted(self, nodes: &[LossNode]) -> Sorted {
        let largest =
            |log: &dyn Fn(&LossNode) -> f64| nodes.iter().map(log).fold(f64::NEG_INFINITY, f64::max);
        let log_highest_beyond = largest(&|node| node.log_p + self.line.beyond * node.loss);
        let least = largest(&|node| self.log_size(node)) - LOG_NEGLIGIBLE;
        let Self { line, log_scale, smallest } = self;
        let mut sorted = Sorted {
            small: SmallLosses::new(line.tilt),
            large: LargeLosses::default(),
            constants: [CompensatedSum::new(); 2],
            constant_error: [0.0; 2],
            log_highest_beyond,
            beyond: 0.0,
        };
        let scale = exp(-log_scale);
        for node in nodes {
            let exponent = line.tilt * node.loss;
            let moved = line.beyond * node.loss;
            sorted.beyond += most_of(node, line.beyond, moved - log_highest_beyond);
            if !line.direct && node.loss.abs() < smallest && exponent.abs() < LARGE_EXPONENT {
                if self.log_size(node) < least {
                    sorted.small.ignore(exp(least - log_scale), node.loss, node.loss_error);
                    continue;
                }
                let p = exp(node.log_p);
                sorted.small.push(p * scale, node.loss, node.relative_error, node.loss_error);
            } else {
                let log = node.log_p + exponent - log_scale;
                let sizes = 3.0 * exponent.abs() + 2.0 * node.log_p.abs() + log_scale.abs() + 4.0;
                let rounding = UNIT_ROUNDOFF * sizes;
                sorted.large.push(exp(log), node.loss, node.relative_error + rounding, node.loss_error);
                if !line.direct {
                    sorted.add_constants(node);
                }
            }
        }
        sorted
    }

    /// `log` of what a node contributes at most at z, 0 and −1. Some nodes are there only for λ.
    fn log_size(self, node: &LossNode) -> f64 {
        node.log_p + (self.line.tilt * node.loss).max(-node.loss).max(0.0)
    }
}

/// An upper bound of `p e^{x}`, where x is `λL`, off by as much as L is, and something else.
///
/// # Guarantee
/// The quick exponential is off by less than 10⁻¹⁴ of itself, and 0 only below 10⁻³⁰⁰; `e^y ≤ 1/(1 − y)` for y < 1.
#[inline]
pub(crate) fn most_of(node: &LossNode, lambda: f64, exponent: f64) -> f64 {
    let moved = lambda.abs() * node.loss_error;
    let slack = if moved < 0.1 { 1.0 / (1.0 - moved) } else { exp(moved) };
    (quick::exp(node.log_p + exponent) * (1.0 + 1e-12) + 1e-300) * (1.0 + 2.0 * node.relative_error) * slack
}

impl Sorted {
    fn add_constants(&mut self, node: &LossNode) {
        let (p, q) = (exp(node.log_p), exp(node.log_p - node.loss));
        let relative = node.relative_error + UNIT_ROUNDOFF * (node.log_p.abs() + node.loss.abs() + 4.0);
        self.constants[0].add(p);
        self.constant_error[0] += p * relative;
        if node.loss.abs() < LARGE {
            // p and q are off in the same proportion but for what the loss is off.
            let drop = -expm1(-node.loss);
            self.constants[1].add(p * drop);
            self.constant_error[1] +=
                p * drop.abs() * (relative + 4.0 * UNIT_ROUNDOFF) + 1.1 * q * node.loss_error;
        } else {
            self.constants[1].add(p - q);
            self.constant_error[1] += (p + q) * relative;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        /// Also where the exponential underflows or overflows, and where the loss is hardly known.
        #[test]
        fn no_node_has_more_than_most_of_it(
            (log_p, exponent) in (-800f64..5.0, prop_oneof![-800f64..800.0, Just(0.0)]),
            (lambda, log_error) in (prop_oneof![-1f64..0.0, 0f64..1e4], -20f64..-1.0),
            relative_error in prop_oneof![Just(0.0), Just(2.0), 0f64..1e-3],
        ) {
            let node = LossNode { loss: 1.0, loss_error: 10f64.powf(log_error), log_p, relative_error };
            let most = most_of(&node, lambda, exponent);
            let moved = Ball::from(lambda.abs()) * Ball::from(node.loss_error);
            let all = (Ball::from(log_p) + Ball::from(exponent) + moved).exp_enclosure()
                * (Enclosure::ONE + relative_error);
            prop_assert!(most >= all.lower(), "{most:e} < {:e}", all.lower());
            // Not so much as to say nothing.
            if moved.approximate() < 0.1 && log_p + exponent < 700.0 {
                prop_assert!(most <= 2.1 * all.upper() + 1e-298, "{most:e} > {:e}", all.upper());
            }
        }
    }
}
