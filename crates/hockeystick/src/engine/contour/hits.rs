//! Outcomes that hold at least one loss above a cut: `F = Π Mᵢ^{kᵢ} − Π (Mᵢ − Hᵢ)^{kᵢ}`, where `Hᵢ` is what of `Mᵢ` is above it.
//!
//! Where a few rare losses decide, `|M|` does not decay on the line until the many tiny losses are resolved, which would take
//! millions of points. `F` decays as soon as the large losses are.

use super::{large_losses::LargeLosses, tilted::LogMoments};
use crate::pair::{Line, LossRule};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{cis, complex_log1p, exp, expm1, ln},
};
use num_complex::Complex;

/// `H` of one pair, tilted.
#[derive(Clone, Debug)]
pub(super) struct Hits {
    tilt: f64,
    log_scale: f64,
    losses: LargeLosses,
    log_rule_error: f64,
    /// An upper bound of `log H(λ)`.
    pub(super) log_beyond: f64,
    /// An upper bound of `H(0)`.
    pub(super) mass: f64,
}

impl Hits {
    /// From the rule of what is above a cut.
    pub(super) fn new(line: Line, rule: &LossRule) -> Self {
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
            let slack = (1.0 + 2.0 * node.relative_error) * exp(line.beyond.abs() * node.loss_error);
            beyond += exp(node.log_p + line.beyond * node.loss - highest_beyond) * slack;
            mass += exp(node.log_p) * (1.0 + 2.0 * node.relative_error);
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

    /// `log(1 − H/M)` times the count at `z = c + i n step`, with what it may be off, and bounds of `log k|H|/M(c)`.
    ///
    /// # Guarantee
    /// With relative errors a of H and b of 1/M, that of `h = H/M` is at most `w = a + b + ab`, which moves
    /// `log(1 − h)` by at most `x/(1 − x)`, `x = w|h|/|1 − h|`.
    pub(super) fn avoided(&self, count: f64, moments: &LogMoments, step: f64) -> Avoided {
        let points = moments.values.len();
        let (sums, errors) = self.losses.sums(self.tilt, step, points);
        let rule_error = exp(self.log_rule_error);
        let mut avoided = Avoided::default();
        let log_least = moments.values[0].re - moments.errors[0];
        for n in 0..points {
            let error = errors[n] + rule_error;
            let size = sums[n].norm();
            let whole = moments.values[n];
            let log = self.log_scale - whole.re;
            // Where H is far larger than M, the logarithm is of no use anyway.
            let share = cis(-whole.im) * sums[n] * exp(log.min(300.0));
            let of_sum = error / size;
            let of_whole = 1.1 * moments.errors[n] + UNIT_ROUNDOFF * (8.0 + whole.norm() + log.abs());
            let relative = of_sum + of_whole + of_sum * of_whole;
            let logarithm = complex_log1p(-share);
            let moved = relative * share.norm() / (1.0 - share).norm();
            let certain = moments.errors[n] < 0.1 && moved < 0.5 && log < 300.0;
            avoided.values.push(logarithm * count);
            avoided.errors.push(if certain {
                count * (moved / (1.0 - moved) + 8.0 * UNIT_ROUNDOFF * logarithm.norm()) * (1.0 + 1e-9)
            } else {
                f64::INFINITY
            });
            let ceiling = ln(size + error) + self.log_scale - log_least + ln(count);
            avoided.ceilings.push(ceiling + 1e-9 + 1e-15 * (ceiling.abs() + log_least.abs()));
        }
        avoided
    }
}

/// `Σ k log(1 − H/M)` at the points of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Avoided {
    values: Vec<Complex<f64>>,
    errors: Vec<f64>,
    ceilings: Vec<f64>,
}

impl Avoided {
    /// Adds those of another pair.
    pub(super) fn and(mut self, other: Self) -> Self {
        if self.values.is_empty() {
            return other;
        }
        for n in 0..self.values.len() {
            self.values[n] += other.values[n];
            self.errors[n] += other.errors[n] + 2.0 * UNIT_ROUNDOFF * self.values[n].norm();
            let highest = self.ceilings[n].max(other.ceilings[n]);
            let sum = exp(self.ceilings[n] - highest) + exp(other.ceilings[n] - highest);
            self.ceilings[n] = highest + ln(sum) + 1e-9 + 1e-15 * highest.abs();
        }
        self
    }

    /// `log(1 − e^A)` at the point n, and what it may be off.
    pub(super) fn log_hit(&self, n: usize) -> (Complex<f64>, f64) {
        let (avoided, error) = (self.values[n], self.errors[n]);
        let grown = complex_expm1(avoided);
        let size = grown.norm();
        let most = exp(avoided.re.max(0.0));
        let moved = exp(avoided.re) * error * (1.0 + error) + 8.0 * UNIT_ROUNDOFF * avoided.norm() * most;
        let relative = moved / size;
        let log = Complex::new(ln(size), (-grown.im).atan2(-grown.re));
        let certain = error < 0.5 && relative < 0.5;
        (
            log,
            if certain {
                relative / (1.0 - relative) + 8.0 * UNIT_ROUNDOFF * (1.0 + log.norm())
            } else {
                f64::INFINITY
            },
        )
    }

    /// An upper bound of `log |F|/M(c)^k`.
    pub(super) fn ceiling(&self, n: usize) -> f64 {
        self.ceilings[n]
    }
}

/// `e^z − 1`, off by no more than a few u times `|z| e^{Re z}` or `|z|`.
fn complex_expm1(z: Complex<f64>) -> Complex<f64> {
    let half = cis(0.5 * z.im).im;
    let turn = cis(z.im);
    Complex::new(expm1(z.re) * turn.re - 2.0 * half * half, exp(z.re) * turn.im)
}
