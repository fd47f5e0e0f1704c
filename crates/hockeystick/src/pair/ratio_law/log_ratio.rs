//! `log r(x) = log Σ wⱼ e^{lⱼ(x)}` on the real line, and what of it rounding can change.

#[cfg(doc)]
use super::term::NODE_ERROR;
use super::{Panel, Quadratic, term::Term};
use hockeystick_numerics::{
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, ln_1p, quick},
    vectorised::vectorised,
};

/// Beyond this `1 + v` may cancel, and the other formula is as good.
const LARGEST_EXCESS: f64 = 0.5;

/// The error of a weight of the law in units of u.
const WEIGHT_ERROR: f64 = 4.0;

/// The logarithm of the ratio of one panel.
#[derive(Clone, Debug)]
pub(crate) struct LogRatio {
    /// The terms; at least one.
    pub(crate) terms: Vec<Term>,
    /// The term with the largest weight, if the weights add up to 1.
    heaviest: Option<usize>,
    /// The error of a weight in units of u.
    weight_error: f64,
}

/// `log r` at a real point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    /// The value as computed.
    pub(crate) log: f64,
    /// Its error in units of u, that of the law's coefficients and of the node included.
    pub(crate) error: f64,
}

/// Points, `log r` at each, and the errors of that in units of u.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub(crate) places: Vec<f64>,
    pub(crate) logs: Vec<f64>,
    pub(crate) errors: Vec<f64>,
}

/// `log r` at `x`, and its error in units of u, as [`LogRatio::along`] says.
#[inline(always)]
fn of_two_terms(x: f64, heavy: Term, light: Term, weight_error: f64) -> (f64, f64) {
    let radius = x.abs();
    let (l, m) = (heavy.exponent.at(x), light.exponent.at(x));
    let (l_error, m_error) = (heavy.exponent_error(radius), light.exponent_error(radius));
    // Where the ratio is near the exponential of its heaviest term.
    let difference = m - l;
    let growth = quick::expm1(difference);
    let excess = light.weight * growth;
    let moved = (1.0 + growth) * (l_error + m_error + difference.abs() + 9.0);
    let of_growth = (weight_error + 3.1 + quick::EXPM1_ERROR_UNITS) * growth.abs();
    let of_excess = light.weight * (of_growth + moved);
    let near = excess > -0.29 && excess < 0.41;
    // Elsewhere the smaller one of both is a part of the larger one.
    let (v, w) = (heavy.log_weight + l, light.log_weight + m);
    let term_error = |term: Term, error: f64| {
        weight_error + 2.1 * term.log_weight.abs() + term.exponent.magnitude(radius) + error
    };
    let (v_error, w_error) = (term_error(heavy, l_error), term_error(light, m_error));
    let is_heavy_larger = v >= w;
    let large = if is_heavy_larger { v } else { w };
    let below = if is_heavy_larger { w - v } else { v - w };
    let large_error = if is_heavy_larger { v_error } else { w_error };
    let small_error = if is_heavy_larger { w_error } else { v_error };
    let share = quick::exp(below);
    let of_share = share * (small_error + FAST_UNITS - below);
    let more = quick::ln_1p_up_to_one(if near { excess } else { share });
    let log = if near { l } else { large } + more;
    let of_near = l_error + of_excess / (1.0 + excess) + quick::LN_1P_ERROR_UNITS * more.abs();
    let of_far = (large_error + of_share) / (1.0 + share);
    let error = if near { of_near } else { of_far };
    (log, (error + log.abs()) * (1.0 + 1e-6))
}

/// Errors of a share in units of itself: 8 u of the exponential, and with `log(1 + s) ≤ s` 10 u of that and 1 u of the sum, which is
/// divided by `1 + s ≤ 2`.
const FAST_UNITS: f64 = 30.0;

impl LogRatio {
    /// Of a panel. Terms with the same exponent become one: none of them could outweigh the other.
    pub(crate) fn new(panel: &Panel) -> Self {
        let mut terms: Vec<Term> = Vec::with_capacity(panel.ratio.len());
        for &(weight, exponent) in &panel.ratio {
            match terms.iter_mut().find(|term| term.exponent == exponent) {
                Some(term) => term.weight += weight,
                None => terms.push(Term { weight, log_weight: 0.0, exponent }),
            }
        }
        for term in &mut terms {
            term.log_weight = if term.weight == 1.0 { 0.0 } else { ln(term.weight) };
        }
        let sum: f64 = terms.iter().map(|term| term.weight).sum();
        // Each weight is within 4 u, and each partial sum is rounded.
        let weight_error = WEIGHT_ERROR + (panel.ratio.len() - terms.len()) as f64;
        let adds_up = (sum - 1.0).abs() <= (WEIGHT_ERROR + panel.ratio.len() as f64) * UNIT_ROUNDOFF;
        let heaviest = (0..terms.len()).max_by(|&i, &j| terms[i].weight.total_cmp(&terms[j].weight));
        let heaviest = heaviest.filter(|_| adds_up && terms.len() > 1);
        if let Some(index) = heaviest {
            let others: f64 =
                terms.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, term)| term.weight).sum();
            // Where all digits of a weight are nines, it is the others that tell how far it is from 1.
            terms[index].log_weight = ln_1p(-others);
        }
        Self { terms, heaviest, weight_error }
    }

    /// What the rounding of coefficients, weights and of [`derivatives`](Self::derivatives) does to `log r` on `|x| ≤ radius` at most, in
    /// units of a part of itself: a constant, and what is to be multiplied by an upper bound of the moving term's share.
    ///
    /// # Guarantee
    /// With `r = w₀ + w₁e^{l}` and `w₀ + w₁ = 1` in truth, `d log r = −(s₀/w₀) dw₁ + s₁ (dw₁/w₁ + dl)`, and `s₀/w₀ = 1/r ≤ 1/w₀`. Otherwise
    /// no more than the largest error of a term.
    pub(crate) fn rounding(&self, radius: f64) -> (f64, f64) {
        let largest = self.terms.iter().map(|term| term.magnitude(radius)).fold(0.0, f64::max);
        match (self.terms.as_slice(), self.heaviest) {
            ([first, second], Some(_)) => {
                let is_still = |term: &Term| term.exponent == Quadratic::default();
                let (still, moving) = if is_still(first) { (first, second) } else { (second, first) };
                if is_still(still) {
                    return (2.0 * (moving.weight / still.weight).min(1.0), 2.0 + largest);
                }
                (2.0 + largest, 0.0)
            }
            _ => (2.0 + largest, 0.0),
        }
    }

    /// The largest term at `x`: its index and logarithm.
    #[inline]
    pub(crate) fn largest(&self, x: f64) -> (usize, f64) {
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
    pub(crate) fn at(&self, x: f64, radius: f64) -> Value {
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
        let roundings = self.weight_error + 2.1 + self.terms.len() as f64;
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
            let weight = if term.weight == 1.0 && count == 1.0 { 0.0 } else { self.weight_error };
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

    /// [`at`](Self::at) at the points `from + j·step`, each off by no more than [`NODE_ERROR`] says and with its own size for a radius;
    /// `None` unless there are two terms, with linear exponents and weights that add up to 1.
    ///
    /// # Guarantee
    /// The same as of [`at`](Self::at), of functions with larger errors: 12 u of `e^d − 1` and 9 u of `e^d` besides, 8 u of `e^d`, 10 u of
    /// `log(1 + v)`.
    pub(crate) fn along(&self, from: f64, step: f64, count: usize) -> Option<Values> {
        let ([first, second], Some(heaviest)) = (self.terms.as_slice(), self.heaviest) else { return None };
        if first.exponent.square != 0.0 || second.exponent.square != 0.0 {
            return None;
        }
        // Copied: of references it would not be known that nothing else is written there.
        let (heavy, light) = if heaviest == 0 { (*first, *second) } else { (*second, *first) };
        let weight_error = self.weight_error;
        let mut values =
            Values { places: vec![0.0; count], logs: vec![0.0; count], errors: vec![0.0; count] };
        let Values { places, logs, errors } = &mut values;
        vectorised(
            #[inline(always)]
            || {
                places.iter_mut().enumerate().for_each(|(j, x)| *x = step.mul_add(j as f64, from));
                for ((x, log), error) in places.iter().zip(logs.iter_mut()).zip(errors.iter_mut()) {
                    (*log, *error) = of_two_terms(*x, heavy, light, weight_error);
                }
            },
        );
        Some(values)
    }

    /// The value at `x` in plain floats, with its first and second derivative.
    pub(crate) fn derivatives(&self, x: f64) -> [f64; 3] {
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
        let value = self.plain_near_one(x).unwrap_or_else(|| log_largest + ln(sum));
        [value, slope, second / sum - slope * slope]
    }

    /// The value at `x` in plain floats where the ratio is near the exponential of its heaviest term: to all digits of what it differs by.
    fn plain_near_one(&self, x: f64) -> Option<f64> {
        let heaviest = self.heaviest?;
        let log_heaviest = self.terms[heaviest].exponent.at(x);
        let others = self.terms.iter().enumerate().filter(|(index, _)| *index != heaviest);
        let excess: f64 =
            others.map(|(_, term)| term.weight * quick::expm1(term.exponent.at(x) - log_heaviest)).sum();
        (excess.abs() <= LARGEST_EXCESS).then(|| log_heaviest + quick::ln_1p(excess))
    }

    /// The value at `x` in plain floats, for searches and bounds with room to spare: off by some u more than [`at`](Self::at) says.
    pub(crate) fn plain(&self, x: f64) -> f64 {
        self.plain_near_one(x).unwrap_or_else(|| {
            let (_, log_largest) = self.largest(x);
            let terms = self.terms.iter().map(|term| term.log_weight + term.exponent.at(x));
            log_largest + quick::ln(terms.map(|log| quick::exp(log - log_largest)).sum())
        })
    }

    /// [`plain`](Self::plain), and its slope.
    pub(crate) fn plain_slope(&self, x: f64) -> [f64; 2] {
        let (_, log_largest) = self.largest(x);
        let [mut sum, mut first] = [0.0; 2];
        for term in &self.terms {
            let share = quick::exp(term.log_weight + term.exponent.at(x) - log_largest);
            sum += share;
            first += share * term.exponent.slope(x);
        }
        [log_largest + quick::ln(sum), first / sum]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::ball::Ball;
    use proptest::prelude::*;

    fn exact(l: Quadratic, x: f64) -> Ball {
        (Ball::from(l.square) * Ball::from(x) + Ball::from(l.linear)) * Ball::from(x) + Ball::from(l.constant)
    }

    proptest! {
        /// Against 106 bits; the coefficients as rounded are among those the error allows for.
        #[test]
        fn errors_are_bounded(
            log_rate in -14f64..-1e-3,
            linear in 1e-9f64..30.0,
            square in prop_oneof![Just(0.0), -0.5f64..0.5],
            x in -6f64..6.0,
            adds_up: bool,
        ) {
            let rate = exp(log_rate);
            let loss = Quadratic { constant: -0.5 * linear, linear, square };
            let rest = if adds_up { 1.0 - rate } else { 0.7 };
            let panel = Panel {
                from: -6.0,
                to: 6.0,
                log_q: Quadratic::default(),
                ratio: vec![(rest, Quadratic::default()), (rate, loss)],
            };
            let ratio = LogRatio::new(&panel);
            prop_assert_eq!(ratio.heaviest.is_some(), adds_up);
            let value = ratio.at(x, x.abs());
            let truth = if adds_up {
                (Ball::from(rate) * exact(loss, x).exp_m1()).ln_1p()
            } else {
                (Ball::from(rest) + Ball::from(rate) * exact(loss, x).exp()).ln()
            };
            let off = (Ball::from(value.log) - truth).enclosure();
            let allowed = UNIT_ROUNDOFF * value.error;
            prop_assert!(-allowed <= off.lower() && off.upper() <= allowed, "{off:?} within {allowed:e}");
            // A rare sample does not hide behind the digits of 1 − γ.
            if adds_up && loss.at(x) < 1.0 {
                let size = rate * (1.0 + loss.at(x).abs());
                prop_assert!(value.error <= 1e3 * size * (1.0 + linear * x.abs()));
            }
            if adds_up && square == 0.0 {
                let values = ratio.along(x, 1.0, 1).unwrap();
                let off = (Ball::from(values.logs[0]) - truth).enclosure();
                let allowed = UNIT_ROUNDOFF * values.errors[0];
                prop_assert!(-allowed <= off.lower() && off.upper() <= allowed, "{off:?} within {allowed:e}");
                // 9 u of e^d, however small d is, and as much of its roundings, times the lighter weight.
                let besides = 20.0 * rate.min(rest) * exp(loss.at(x));
                prop_assert!(values.errors[0] <= 4.0 * value.error + 60.0 * value.log.abs() + besides);
            }
            // In plain floats and with coefficients that are rounded it is off by less than a hundredth of what bounds are raised by.
            if adds_up && square == 0.0 {
                let (constant, of_share) = ratio.rounding(x.abs());
                let [plain, slope, _] = ratio.derivatives(x);
                let off = (Ball::from(plain) - truth).enclosure();
                let allowed = 1e-14 * (constant + of_share * (slope / linear));
                prop_assert!(-allowed <= off.lower() && off.upper() <= allowed, "{off:?} within {allowed:e}");
            }
            let [plain, ..] = ratio.derivatives(x);
            prop_assert!((plain - value.log).abs() <= 1e-12 * (1.0 + plain.abs()));
        }
    }
}
