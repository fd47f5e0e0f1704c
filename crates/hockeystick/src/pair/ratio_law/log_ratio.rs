//! `log r(x) = log Σ wⱼ e^{lⱼ(x)}` on the real line, and what of it rounding can change.

use super::{Panel, Quadratic};
use hockeystick_numerics::special::{exp, ln, ln_1p};

/// A term `w e^{l}` of the ratio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// `log w`.
    pub(super) log_weight: f64,
    /// `l`.
    pub(super) exponent: Quadratic,
    /// The error of the weight itself in units of u.
    weight_error: f64,
}

impl Term {
    /// A bound of `|log w + l(x)|` for |x| ≤ radius, x real or complex.
    #[inline]
    pub(super) fn magnitude(&self, radius: f64) -> f64 {
        self.log_weight.abs() + self.exponent.magnitude(radius)
    }

    /// The error of `log w + l(x)` as computed, in units of u, for |x| ≤ radius: coefficients are within 4 u, x itself
    /// within [`NODE_ERROR`]·u·radius, `l` is rounded twice, `log w` once and their sum once.
    #[inline]
    fn error(&self, radius: f64) -> f64 {
        self.weight_error
            + 3.0 * self.log_weight.abs()
            + 7.1 * self.exponent.magnitude(radius)
            + NODE_ERROR * radius * self.exponent.steepness(radius)
    }
}

/// The error of a node in units of u times the largest |x| of its interval: the middle, the half-width, the rule's node
/// (1.05 u) and the fused sum are rounded.
pub(super) const NODE_ERROR: f64 = 4.1;

/// The logarithm of the ratio of one panel.
#[derive(Clone, Debug)]
pub(super) struct LogRatio {
    /// The terms; at least one.
    pub(super) terms: Vec<Term>,
}

/// `log r` at a real point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// The value as computed.
    pub(super) log: f64,
    /// Its error in units of u, that of the law's coefficients and of the node included.
    pub(super) error: f64,
}

impl LogRatio {
    /// Of a panel.
    pub(super) fn new(panel: &Panel) -> Self {
        let lone = panel.ratio.len() == 1;
        let term = |&(weight, exponent): &(f64, Quadratic)| Term {
            log_weight: if weight == 1.0 { 0.0 } else { ln(weight) },
            exponent,
            weight_error: if lone && weight == 1.0 { 0.0 } else { 4.0 },
        };
        Self { terms: panel.ratio.iter().map(term).collect() }
    }

    /// The largest term at `x`: its index and logarithm.
    #[inline]
    fn largest(&self, x: f64) -> (usize, f64) {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, term) in self.terms.iter().enumerate() {
            let value = term.log_weight + term.exponent.at(x);
            if value > best.1 {
                best = (index, value);
            }
        }
        best
    }

    /// The value at `x`, |x| ≤ radius.
    ///
    /// # Guarantee
    /// `|log − truth| ≤ u · error` for every law whose coefficients are within 4 u of these, and every point within
    /// `NODE_ERROR · u · radius` of `x`.
    ///
    /// Proof: with m the largest of the `vⱼ = log wⱼ + lⱼ(x)`, `log r = m + log1p(T)`, `T = Σ' e^{vⱼ−m}`. The derivative by
    /// vⱼ is the share `e^{vⱼ}/r`, so errors of the terms enter in proportion to their shares; so do the roundings of
    /// `vⱼ − m`, of exp (1.05 u), of the sum (fewer than n u) and of log1p (1.05 u · log1p(T) ≤ 1.05 u n · T/(1+T)). The
    /// last sum is rounded once. The factor at the end covers products of errors.
    pub(super) fn at(&self, x: f64, radius: f64) -> Value {
        let (largest, log_largest) = self.largest(x);
        let (mut others, mut error) = (0.0, self.terms[largest].error(radius));
        let roundings = 2.2 * self.terms.len() as f64 + 2.0;
        for (index, term) in self.terms.iter().enumerate() {
            if index != largest {
                let below = term.log_weight + term.exponent.at(x) - log_largest;
                let share = exp(below);
                others += share;
                error += share * (term.error(radius) + roundings - below);
            }
        }
        let log = if others == 0.0 { log_largest } else { log_largest + ln_1p(others) };
        Value { log, error: (error / (1.0 + others) + log.abs()) * (1.0 + 1e-6) }
    }

    /// The value at `x` in plain floats, with its first and second derivative.
    pub(super) fn derivatives(&self, x: f64) -> [f64; 3] {
        let (_, log_largest) = self.largest(x);
        let [mut sum, mut first, mut second] = [0.0; 3];
        for term in &self.terms {
            let share = exp(term.log_weight + term.exponent.at(x) - log_largest);
            let slope = term.exponent.slope(x);
            sum += share;
            first += share * slope;
            second += share * (2.0 * term.exponent.square + slope * slope);
        }
        let slope = first / sum;
        [log_largest + ln(sum), slope, second / sum - slope * slope]
    }

    /// The value at `x` in plain floats.
    pub(super) fn plain(&self, x: f64) -> f64 {
        let (largest, log_largest) = self.largest(x);
        let rest = self.terms.iter().enumerate().filter(|&(index, _)| index != largest);
        let others: f64 =
            rest.map(|(_, term)| exp(term.log_weight + term.exponent.at(x) - log_largest)).sum();
        if others == 0.0 { log_largest } else { log_largest + ln_1p(others) }
    }
}
