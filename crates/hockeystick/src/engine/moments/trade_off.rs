//! Privacy regions from Rényi divergences: RDP → f-DP ([Asoodeh21, Sec. V]; [Zhu22, App. F]).

use super::{RenyiCurve, conversion::optimal};
use crate::curve::{LossSupport, TradeOff};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    minimize::minimize,
    probability::Probability,
    roots::{Tolerance, bracketed_root},
    special::{exp, ln, ln_1p},
};

/// What one order says about the power `w = Q(A)` of a test with type I error `x = P(A)`.
///
/// Post-processing turns the pair into `(x, 1 − x)` against `(w, 1 − w)`, whose divergence is not larger. With
/// `B_λ(a, b) = a^{1+λ}b^{−λ} + (1−a)^{1+λ}(1−b)^{−λ}` that is `log B_λ ≤ k` for `λ > 0` and `log B_λ ≥ k` for `−1 < λ < 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Constraint {
    /// `D(P‖Q)`, so `B_λ(x, w)`; otherwise `D(Q‖P)`, so `B_λ(w, x)`.
    is_forward: bool,
    lambda: f64,
    /// A bound of `λ·D_{λ+1}`: from above for `λ ≥ 0`, from below for `λ < 0`. At `λ = 0` a bound of `D_1` itself.
    k: f64,
}

/// A trade-off function `f` such that every pair with the given divergences is `f`-DP: `T[P, Q] ≥ f`.
///
/// # Guarantee
/// [`TradeOff::trade_off`] encloses `f`, which is the largest function that each order by itself implies ([Asoodeh21,
/// Lemma 4, Cor. 1], orders between 0 and 1 as in [Zhu22, App. F]).
#[derive(Clone, Debug, PartialEq)]
pub struct PrivacyRegion {
    constraints: Vec<Constraint>,
}

/// Orders of a curve that a region is built from: this many per factor e.
const PER_FACTOR: f64 = 16.0;
/// The smallest and the largest `λ`, and as many between −1 and 0.
const ORDERS: std::ops::RangeInclusive<i32> = -64..=128;
const BELOW_ZERO: i32 = 32;

impl PrivacyRegion {
    /// From (α, γ)-RDP in both directions, for any `α > 0` ([Asoodeh21, Lemma 4]).
    pub fn of_order(alpha: f64, divergence: f64) -> Self {
        Self::of_orders([(alpha, divergence)])
    }

    /// From several orders, in both directions ([Asoodeh21, Cor. 1]).
    pub fn of_orders(rows: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut constraints = Vec::new();
        for (alpha, divergence) in rows {
            let lambda = alpha - 1.0;
            let k = if lambda == 0.0 {
                Enclosure::point(divergence)
            } else {
                Ball::product_of(lambda, divergence).enclosure()
            };
            let k = if lambda < 0.0 { k.lower() } else { k.upper() };
            constraints.extend([true, false].map(|is_forward| Constraint { is_forward, lambda, k }));
        }
        Self { constraints }
    }

    /// From all orders of a composition, given both directions: `D_α(P‖Q)` and `D_α(Q‖P)`.
    ///
    /// Where losses can be infinite only orders below 1 say something.
    pub fn of_curves(forward: &RenyiCurve, backward: &RenyiCurve) -> Self {
        let mut constraints = Vec::new();
        for (is_forward, curve) in [(true, forward), (false, backward)] {
            let has_moments = curve.log_finite_mass() == Enclosure::ZERO;
            let orders = ORDERS.map(|i| (f64::from(i) / PER_FACTOR).exp()).filter(|_| has_moments);
            let mut add = |lambda: f64, k: f64| {
                if k.is_finite() {
                    constraints.push(Constraint { is_forward, lambda, k });
                }
            };
            for lambda in orders.filter(|&lambda| lambda < curve.largest_order()) {
                add(lambda, curve.log_moment(lambda).upper());
            }
            add(0.0, curve.kullback_leibler().upper());
            // D_λ(Q‖P) below 1 is D_{−1−λ}(P‖Q): one direction has them all.
            for i in (1..BELOW_ZERO).filter(|_| is_forward) {
                let lambda = -f64::from(i) / f64::from(BELOW_ZERO);
                add(lambda, curve.log_moment(lambda).lower());
            }
        }
        Self { constraints }
    }

    /// `f(x)` from the lines `1 − δ − e^ε x` and `e^{−ε}(1 − δ − x)` of every ε, with δ the smallest that (α, γ)-RDP implies
    /// ([Asoodeh21, Lemma 3]).
    ///
    /// # Guarantee
    /// At most the type II error of every test with type I error `x`, for every (α, γ)-RDP mechanism.
    pub fn lines_of_order(alpha: f64, divergence: f64, x: f64) -> f64 {
        let lambda = alpha - 1.0;
        let k = Ball::product_of(lambda, divergence).enclosure().upper();
        let line = |epsilon: f64| {
            let delta = super::Conversion::Optimal.delta(lambda, k, Enclosure::point(epsilon));
            let growth = Enclosure::point(epsilon).exp();
            let kept = Enclosure::point(delta).one_minus();
            (kept - growth * x).lower().max(((kept - x) / growth).lower())
        };
        let rough = |log: f64| {
            let epsilon = log.exp();
            let delta = optimal::rough_log_delta(lambda, k, epsilon).exp().min(1.0);
            -(1.0 - delta - epsilon.exp() * x).max((1.0 - delta - x) * (-epsilon).exp())
        };
        let grid = (-60..=26).map(|i| 0.25 * f64::from(i));
        let best = grid.min_by(|&a, &b| rough(a).total_cmp(&rough(b))).unwrap_or(0.0);
        let found = minimize(rough, best - 0.25, best + 0.25, Tolerance::absolute(1e-6));
        let searched = found.map_or(0.0, |minimum| line(minimum.at.exp()));
        searched.max(line(0.0)).max(0.0)
    }

    /// The region of the swapped pair: `T[Q, P] ≥` this.
    pub fn swapped(&self) -> Self {
        let swap = |c: &Constraint| Constraint { is_forward: !c.is_forward, ..*c };
        Self { constraints: self.constraints.iter().map(swap).collect() }
    }
}

impl LossSupport for PrivacyRegion {}

impl TradeOff for PrivacyRegion {
    fn trade_off(&self, type_one_error: f64) -> Probability {
        let x = type_one_error;
        if x >= 1.0 {
            return Probability::ZERO;
        }
        let all = Power { logit: Enclosure::point(f64::INFINITY) };
        let smallest = self.constraints.iter().fold(all, |smallest, constraint| {
            if constraint.allows(x, smallest) { smallest } else { smallest.smaller(constraint.power(x)) }
        });
        smallest.probability().opposite()
    }
}

/// A power `w`, by `log(w/(1 − w))`.
#[derive(Clone, Copy, Debug)]
struct Power {
    logit: Enclosure,
}

impl Power {
    fn smaller(self, other: Self) -> Self {
        let (a, b) = (self.logit, other.logit);
        Self { logit: Enclosure::new(a.lower().min(b.lower()), a.upper().min(b.upper())) }
    }

    fn probability(self) -> Probability {
        let logistic = |logit: Enclosure| (Enclosure::ONE / ((-logit).exp() + 1.0)).clamp(0.0, 1.0);
        if self.logit.lower() == f64::INFINITY {
            return Probability::ZERO.opposite();
        }
        let finite = self.logit.clamp(-1e308, 1e308);
        let upper_end_is_open = self.logit.upper() == f64::INFINITY;
        let value = logistic(finite);
        let complement = logistic(-finite);
        Probability::from_both(
            Enclosure::new(value.lower(), if upper_end_is_open { 1.0 } else { value.upper() }),
            Enclosure::new(if upper_end_is_open { 0.0 } else { complement.lower() }, complement.upper()),
        )
    }
}

/// Logits beyond have a complement below every double.
const FARTHEST_LOGIT: f64 = 740.0;

impl Constraint {
    /// `log B − k`, with the sign that makes a positive number a violation; for the logit of `w`.
    fn excess(self, x: f64, logit: f64) -> Ball {
        let logit = Ball::from(logit);
        let w = [-softplus(-logit), -softplus(logit)];
        let x = [Ball::from(x).ln(), Ball::from(-x).ln_1p()];
        let (a, b) = if self.is_forward { (x, w) } else { (w, x) };
        if self.lambda == 0.0 {
            // Kullback–Leibler: a log(a/b) + (1 − a) log((1 − a)/(1 − b)).
            let divergence = a[0].exp() * (a[0] - b[0]) + a[1].exp() * (a[1] - b[1]);
            return divergence - Ball::from(self.k);
        }
        let lambda = Ball::from(self.lambda);
        let alpha = lambda + Ball::ONE;
        let [high, low] = [0, 1].map(|i| alpha * a[i] - lambda * b[i]);
        let (large, small) = if high.approximate() > low.approximate() { (high, low) } else { (low, high) };
        let log = large + (small - large).exp().ln_1p();
        if self.lambda > 0.0 { log - Ball::from(self.k) } else { Ball::from(self.k) - log }
    }

    /// Is every power up to this one allowed for certain, so that the constraint changes nothing?
    fn allows(self, x: f64, power: Power) -> bool {
        let logit = power.logit.upper();
        if !(x > 0.0 && logit.abs() < FARTHEST_LOGIT) {
            return false;
        }
        // Plain floats decide all but the close cases.
        let (excess, error) = self.rough_excess(x, logit);
        excess < -error || self.excess(x, logit).enclosure().upper() <= 0.0
    }

    /// [`Self::excess`] in plain floats, and a bound of its error: some ten operations of a few units of roundoff each, on numbers
    /// of the size of the error bound divided by 10⁻¹².
    fn rough_excess(self, x: f64, logit: f64) -> (f64, f64) {
        let softplus = |t: f64| t.max(0.0) + ln_1p(exp(-t.abs()));
        let w = [-softplus(-logit), -softplus(logit)];
        let x = [ln(x), ln_1p(-x)];
        let (a, b) = if self.is_forward { (x, w) } else { (w, x) };
        let size = (1.0 + self.lambda.abs()) * (a[0].abs() + a[1].abs() + b[0].abs() + b[1].abs() + 2.0);
        let error = 1e-12 * (size + self.k.abs());
        if self.lambda == 0.0 {
            let divergence = exp(a[0]) * (a[0] - b[0]) + exp(a[1]) * (a[1] - b[1]);
            return (divergence - self.k, error);
        }
        let [high, low] = [0, 1].map(|i| (1.0 + self.lambda) * a[i] - self.lambda * b[i]);
        let log = high.max(low) + ln_1p(exp(-(high - low).abs()));
        (if self.lambda > 0.0 { log - self.k } else { self.k - log }, error)
    }

    /// The largest power that does not violate it. The excess grows with the distance of `w` from `x`.
    fn power(self, x: f64) -> Power {
        if x <= 0.0 {
            return self.power_without_error();
        }
        let start = (x / (1.0 - x)).ln();
        let value = |logit: f64| {
            let excess = self.rough_excess(x, logit).0;
            if excess.is_nan() { f64::INFINITY } else { excess }
        };
        // The type I error itself is always allowed.
        let least = start - 1e-12 * (1.0 + start.abs());
        let unlimited = Power { logit: Enclosure::new(least.min(FARTHEST_LOGIT), f64::INFINITY) };
        if value(FARTHEST_LOGIT) <= 0.0 || start >= FARTHEST_LOGIT {
            // Even an almost certain detection is allowed; f is 0 or not distinguishable from it.
            let is_proven = self.excess(x, FARTHEST_LOGIT).enclosure().upper() <= 0.0;
            return if is_proven {
                Power { logit: Enclosure::new(FARTHEST_LOGIT, f64::INFINITY) }
            } else {
                unlimited
            };
        }
        let at_start = value(start);
        let root = if at_start >= 0.0 {
            start
        } else {
            match bracketed_root(value, start, FARTHEST_LOGIT, Tolerance { absolute: 1e-15, relative: 1e-15 })
            {
                Ok(root) => root.upper,
                Err(_) => return unlimited,
            }
        };
        let step = |i: i32| (root.abs() + 1e-3) * f64::EPSILON * 2f64.powi(i);
        let above = (0..60).map(|i| root + step(i)).find(|&at| self.excess(x, at).enclosure().lower() >= 0.0);
        let below = (0..60).map(|i| root - step(i)).find(|&at| self.excess(x, at).enclosure().upper() <= 0.0);
        let below = below.unwrap_or(f64::NEG_INFINITY).max(least.min(root));
        Power { logit: Enclosure::new(below, above.unwrap_or(f64::INFINITY)) }
    }

    /// At `x = 0`: forward, `(1 − w)^{−λ} ≤ e^k` for `λ > 0`, so `1 − w ≥ e^{−k/λ}`, and the same for `λ < 0`; backward, a
    /// divergence that is finite for `λ ≥ 0` allows no power at all.
    fn power_without_error(self) -> Power {
        if !self.is_forward && self.lambda >= 0.0 {
            return Power { logit: Enclosure::point(f64::NEG_INFINITY).hull(Enclosure::point(-1e300)) };
        }
        let log_rest = match self.lambda {
            // −log(1 − w) ≤ k.
            0.0 => Enclosure::point(-self.k),
            lambda if self.is_forward => -(Enclosure::point(self.k) / lambda),
            // (1 − w)^{1+λ} ≥ e^k.
            lambda => Enclosure::point(self.k) / (Enclosure::point(lambda) + 1.0),
        };
        // log(w/(1 − w)) with log(1 − w) known.
        Power { logit: (-log_rest.exp_m1()).clamp(0.0, 1.0).ln() - log_rest }
    }
}

/// `log(1 + e^x)`.
fn softplus(x: Ball) -> Ball {
    if x.approximate() > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}
