//! `log r(x) = log Σ wⱼ e^{lⱼ(x)}` on the real line, and what of it rounding can change.

use super::{Panel, Quadratic};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, ln_1p},
};

/// A term `w e^{l}` of the ratio.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// `w`.
    weight: f64,
    /// `log w`.
    pub(super) log_weight: f64,
    /// `l`.
    pub(super) exponent: Quadratic,
}

impl Term {
    /// A bound of `|log w + l(x)|` for |x| ≤ radius, x real or complex.
    #[inline]
    pub(super) fn magnitude(&self, radius: f64) -> f64 {
        self.log_weight.abs() + self.exponent.magnitude(radius)
    }

    /// The error of `l(x)` as computed, in units of u, for |x| ≤ radius: coefficients are within 4 u, x itself within
    /// [`NODE_ERROR`]·u·radius, and `l` is rounded twice.
    #[inline]
    fn exponent_error(&self, radius: f64) -> f64 {
        6.1 * self.exponent.magnitude(radius) + NODE_ERROR * radius * self.exponent.steepness(radius)
    }
}

/// The error of a node in units of u times the largest |x| of its interval: the middle, the half-width, the rule's node
/// (1.05 u) and the fused sum are rounded.
pub(super) const NODE_ERROR: f64 = 4.1;

/// Beyond this `1 + v` may cancel, and the other formula is as good.
const LARGEST_EXCESS: f64 = 0.5;

/// The error of a weight in units of u.
const WEIGHT_ERROR: f64 = 4.0;

/// The logarithm of the ratio of one panel.
#[derive(Clone, Debug)]
pub(super) struct LogRatio {
    /// The terms; at least one.
    pub(super) terms: Vec<Term>,
    /// The term with the largest weight, if the weights add up to 1.
    heaviest: Option<usize>,
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
        let term = |&(weight, exponent): &(f64, Quadratic)| {
            let log_weight = if weight == 1.0 { 0.0 } else { ln(weight) };
            Term { weight, log_weight, exponent }
        };
        let terms: Vec<Term> = panel.ratio.iter().map(term).collect();
        let sum: f64 = terms.iter().map(|term| term.weight).sum();
        // Each weight is within 4 u, and each partial sum is rounded.
        let adds_up = (sum - 1.0).abs() <= (WEIGHT_ERROR + terms.len() as f64) * UNIT_ROUNDOFF;
        let heaviest = (0..terms.len()).max_by(|&i, &j| terms[i].weight.total_cmp(&terms[j].weight));
        Self { terms, heaviest: heaviest.filter(|_| adds_up) }
    }

    /// The largest term at `x`: its index and logarithm.
    #[inline]
    pub(super) fn largest(&self, x: f64) -> (usize, f64) {
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
    /// `|log − truth| ≤ u · error` for every law whose coefficients and weights are within 4 u of these, and every point
    /// within `NODE_ERROR · u · radius` of `x`.
    pub(super) fn at(&self, x: f64, radius: f64) -> Value {
        self.near_one(x, radius).unwrap_or_else(|| self.by_largest(x, radius))
    }

    /// Where the ratio is near the exponential of its heaviest term, with weights that add up to 1:
    /// `log r = l + log1p(v)`, `v = Σ' wⱼ (e^{lⱼ−l} − 1)`. The heaviest weight, of which all digits may be nines, is not
    /// used at all.
    ///
    /// Errors: of each summand 4 u from its weight, 1.05 u from expm1, 1 u from the product and fewer than n u from the sum,
    /// and `wⱼ e^{lⱼ−l}` times that of the difference; divided by 1 + v. Then log1p and the last sum are rounded.
    fn near_one(&self, x: f64, radius: f64) -> Option<Value> {
        let heaviest = self.heaviest?;
        let (log_heaviest, own_error) =
            (self.terms[heaviest].exponent.at(x), self.terms[heaviest].exponent_error(radius));
        let roundings = WEIGHT_ERROR + 2.1 + self.terms.len() as f64;
        let (mut excess, mut error) = (0.0, 0.0);
        for (index, term) in self.terms.iter().enumerate() {
            if index != heaviest {
                let difference = term.exponent.at(x) - log_heaviest;
                let growth = expm1(difference);
                let moved = (1.0 + growth) * (term.exponent_error(radius) + own_error + difference.abs());
                excess += term.weight * growth;
                error += term.weight * (roundings * growth.abs() + moved);
            }
        }
        if excess.is_nan() || excess.abs() > LARGEST_EXCESS {
            return None;
        }
        let more = if excess == 0.0 { 0.0 } else { ln_1p(excess) };
        let log = log_heaviest + more;
        let error = own_error + error / (1.0 + excess) + 1.1 * more.abs() + log.abs();
        Some(Value { log, error: error * (1.0 + 1e-6) })
    }

    /// With m the largest of the `vⱼ = log wⱼ + lⱼ(x)`, `log r = m + log1p(T)`, `T = Σ' e^{vⱼ−m}`.
    ///
    /// Errors: the derivative by vⱼ is the share `e^{vⱼ}/r`, so those of the terms enter in proportion to their shares. So do
    /// the roundings of `vⱼ − m`, of exp (1.05 u), of the sum (fewer than n u) and of log1p (1.05 u · log1p(T) ≤
    /// 1.05 u n · T/(1+T)). The last sum is rounded once. The factor at the end covers products of errors.
    fn by_largest(&self, x: f64, radius: f64) -> Value {
        let count = self.terms.len() as f64;
        // A lone weight of 1 is exact; other weights are off, their logarithm is rounded and so is the sum.
        let term_error = |term: &Term| {
            let weight = if term.weight == 1.0 && count == 1.0 { 0.0 } else { WEIGHT_ERROR };
            weight
                + 2.1 * term.log_weight.abs()
                + term.exponent.magnitude(radius)
                + term.exponent_error(radius)
        };
        let (largest, log_largest) = self.largest(x);
        let (mut others, mut error) = (0.0, term_error(&self.terms[largest]));
        for (index, term) in self.terms.iter().enumerate() {
            if index != largest {
                let below = term.log_weight + term.exponent.at(x) - log_largest;
                let share = exp(below);
                others += share;
                error += share * (term_error(term) + 2.2 * count + 2.0 - below);
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
        self.at(x, x.abs()).log
    }
}
