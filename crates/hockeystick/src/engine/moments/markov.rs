//! Markov-ADP: the whole tail of the loss from its moments, not only its value at ε ([Sommer19, Thm 3]).

use super::{RenyiCurve, order};
use hockeystick_numerics::{
    enclosure::Enclosure,
    roots::{Tolerance, bracketed_root},
    rounding::add_up,
};

/// Orders beyond the one that is best at ε.
const STEPS: usize = 14;
/// The tail is followed in steps of this many units of `1/(1 + λ)`, over which `e^{−y}T(y)` falls by a factor of `e^{1/2}`.
const STEP: f64 = 0.5;
/// Orders grow by at most this factor from step to step.
const GROWTH: f64 = 1.5;

/// Tail bounds `P(y < L < ∞) ≤ e^{K − λy}` at several orders.
///
/// `δ(ε) = P(L = ∞) + ∫_ε^∞ e^{ε−y} P(y < L < ∞) dy ≤ P(L = ∞) + ∫_ε^∞ e^{ε−y} T(y) dy` with `T(y) = min_λ e^{K(λ)−λy}`.
///
/// [Sommer19, Thm 3] is the upper sum of this integral over a partition (its bracket is `T(y_{i−1}) − T(y_i)`, printed the
/// other way round). Between the points where one order hands over to the next the integral has a closed form, which is the
/// limit of all partitions: so none has to be chosen.
#[derive(Clone, Debug)]
pub struct Markov {
    /// `(λ, K)` by increasing λ, `K` rounded up and convex.
    orders: Vec<(f64, f64)>,
    /// An upper bound of `P(L = ∞)`.
    infinite: f64,
    largest_loss: f64,
}

impl Markov {
    /// With the orders that serve δ at `epsilon` best.
    pub fn around_epsilon(curve: &RenyiCurve, epsilon: f64, hint: Option<f64>) -> Self {
        let first = order::best(curve, hint, |lambda, k| k - lambda * epsilon);
        Self::above(curve, first)
    }

    /// With the orders that serve ε at `delta` best.
    pub fn around_delta(curve: &RenyiCurve, delta: f64) -> Self {
        let spare = (delta - curve.infinite_mass().midpoint()).max(1e-300);
        let first = order::best(curve, None, |lambda, k| (k - spare.ln()) / lambda);
        let rough = Self::above(curve, first);
        let epsilon = rough.epsilon(delta);
        if epsilon.is_finite() { Self::around_epsilon(curve, epsilon, Some(first)) } else { rough }
    }

    fn above(curve: &RenyiCurve, first: f64) -> Self {
        let bend = bend(&curve.near(first), first);
        // K′ grows by Δy while λ grows by Δλ: (1 + λ)Δy = STEP where Δy = K″Δλ and λ is the mean of both ends.
        let step = |lambda: f64| {
            let order = 1.0 + lambda;
            2.0 * STEP / bend / (order + (order * order + 2.0 * STEP / bend).sqrt())
        };
        let wide = step(0.0);
        let mut lambdas = vec![first];
        for _ in 0..STEPS {
            let last = lambdas[lambdas.len() - 1];
            // K″ may grow with the order: steps that long are not trusted but from 0.
            let next = (last + step(last)).min(if last < wide { f64::MAX } else { GROWTH * last });
            if next.is_nan() || next >= curve.largest_order() {
                break;
            }
            lambdas.push(next);
        }
        let bounded = |lambda: f64| (lambda, curve.log_moment(lambda).upper());
        let mut orders = vec![(0.0, curve.log_finite_mass().upper())];
        for order in lambdas.into_iter().map(bounded).filter(|(_, k)| k.is_finite()) {
            // `K` is convex, but what rounds it up is not: at an order near 0 it may be all of `K`, and the order serves nowhere.
            while let [.., before, last] = orders[..]
                && slope(last, order) <= slope(before, last)
            {
                orders.pop();
            }
            orders.push(order);
        }
        Self { orders, infinite: curve.infinite_mass().upper(), largest_loss: curve.largest_loss() }
    }

    /// # Guarantee
    /// At least δ(ε), round-off included.
    pub fn delta(&self, epsilon: f64) -> f64 {
        if epsilon >= self.largest_loss {
            return self.infinite;
        }
        let mut sum = Enclosure::ZERO;
        let mut from = epsilon;
        for (index, &(lambda, k)) in self.orders.iter().enumerate() {
            // Any point may end the piece: each order bounds the tail everywhere.
            let to = match self.orders.get(index + 1) {
                Some(&next) => slope((lambda, k), next).max(from).min(self.largest_loss),
                None => self.largest_loss,
            };
            if to > from {
                sum = sum + piece(lambda, k, epsilon, from, to);
                from = to;
            }
        }
        add_up(self.infinite, sum.upper()).clamp(0.0, 1.0)
    }

    /// An ε with `δ(ε) ≤ delta`; infinite if there is none.
    ///
    /// # Guarantee
    /// At least ε(δ), round-off included.
    pub fn epsilon(&self, delta: f64) -> f64 {
        if self.delta(0.0) <= delta {
            return 0.0;
        }
        let excess = |epsilon: f64| (self.delta(epsilon).max(1e-320).ln() - delta.ln()).max(-1e3);
        let mut high = self.largest_loss.min(1.0);
        while excess(high) > 0.0 {
            if high >= self.largest_loss || high > 1e300 {
                return f64::INFINITY;
            }
            high = (high * 4.0).min(self.largest_loss);
        }
        // Logarithms cannot tell δ from its neighbours: what is only as good as they tell is no proof.
        let last = if self.delta(high) <= delta { high } else { f64::INFINITY };
        let Ok(root) = bracketed_root(excess, 0.0, high, Tolerance { absolute: 1e-300, relative: 1e-14 })
        else {
            return last;
        };
        // The bracket's upper end has a value at most δ as computed, which is a proof.
        (0..50)
            .map(|i| root.upper * (1.0 + f64::EPSILON * (2f64.powi(i) - 1.0)))
            .find(|&epsilon| self.delta(epsilon) <= delta)
            .unwrap_or(last)
    }
}

/// The loss at which one order hands over to the next.
fn slope((lambda, k): (f64, f64), next: (f64, f64)) -> f64 {
    (next.1 - k) / (next.0 - lambda)
}

/// About `K″`, from differences wide enough to be seen.
fn bend(near: &impl Fn(f64) -> f64, at: f64) -> f64 {
    let mut h = (0.05 * at).max(1e-6);
    loop {
        let second = near(at + 2.0 * h) - 2.0 * near(at + h) + near(at);
        if second > 0.02 || h > 1e12 {
            return (second / (h * h)).max(1e-24);
        }
        h *= 2.0;
    }
}

/// `∫ e^{ε−y} e^{k−λy} dy` over `[from, to]`: `e^{k−λ·from+ε−from}(1 − e^{−(1+λ)(to−from)})/(1 + λ)`.
fn piece(lambda: f64, k: f64, epsilon: f64, from: f64, to: f64) -> Enclosure {
    let order = Enclosure::point(lambda) + 1.0;
    let start = Enclosure::point(k) + epsilon - order * from;
    let whole = start.exp() / order;
    if to == f64::INFINITY {
        return whole;
    }
    whole * -((Enclosure::point(from) - to) * order).exp_m1()
}
