//! Bounds of δ and ε from a Rényi curve: one order converted, or the best.

use super::{conversion::Conversion, order, renyi_curve::RenyiCurve};
use hockeystick_numerics::enclosure::Enclosure;

/// A bound and the order that gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderBound {
    /// An upper bound of δ or ε.
    pub value: f64,
    /// `λ = α − 1`; infinite if the largest loss decided.
    pub lambda: f64,
}

impl RenyiCurve {
    /// An upper bound of `δ(ε)` from the best order.
    ///
    /// # Guarantee
    /// `value ≥ δ(ε)`, round-off included.
    pub fn delta(&self, conversion: Conversion, epsilon: f64) -> OrderBound {
        if epsilon >= self.largest_loss() || self.log_finite.lower() == f64::NEG_INFINITY {
            return self.delta_at(conversion, epsilon, f64::INFINITY);
        }
        let shifted = (Enclosure::point(epsilon) - self.log_finite).midpoint();
        let rough = |lambda: f64, k: f64| conversion.rough_log_delta(lambda, k, shifted);
        let weaker = conversion.weaker().map(|weaker| self.delta(weaker, epsilon).lambda);
        self.best(weaker, rough, |lambda| self.delta_at(conversion, epsilon, lambda))
    }

    /// An upper bound of `δ(ε)` from the order `α = 1 + λ`; the largest loss decides if λ is infinite.
    ///
    /// # Guarantee
    /// `value ≥ δ(ε)`, round-off included.
    pub fn delta_at(&self, conversion: Conversion, epsilon: f64, lambda: f64) -> OrderBound {
        let infinite = self.infinite_mass();
        if epsilon >= self.largest_loss() {
            return OrderBound { value: infinite.upper(), lambda: f64::INFINITY };
        }
        if self.log_finite.lower() == f64::NEG_INFINITY || lambda == f64::INFINITY {
            return OrderBound { value: 1.0, lambda: f64::INFINITY };
        }
        let shifted = Enclosure::point(epsilon) - self.log_finite;
        let finite = conversion.delta(lambda, self.normalised(lambda).upper(), shifted);
        // p∞ + (1 − p∞)·δ′.
        let whole = infinite + self.log_finite.exp() * finite;
        OrderBound { value: whole.upper().clamp(infinite.upper(), 1.0), lambda }
    }

    /// An upper bound of `ε(δ)` from the best order; infinite if δ is not above the probability of an infinite loss.
    ///
    /// # Guarantee
    /// `δ(value) ≤ δ`, round-off included.
    pub fn epsilon(&self, conversion: Conversion, delta: f64) -> OrderBound {
        let Some(spare) = self.spare(delta) else {
            return self.epsilon_at(conversion, delta, f64::INFINITY);
        };
        let rough = |lambda: f64, k: f64| conversion.rough_epsilon(lambda, k, spare);
        let weaker = conversion.weaker().map(|weaker| self.epsilon(weaker, delta).lambda);
        self.best(weaker, rough, |lambda| self.epsilon_at(conversion, delta, lambda))
    }

    /// An upper bound of `ε(δ)` from the order `α = 1 + λ` or the largest loss, whichever is better.
    ///
    /// # Guarantee
    /// `δ(value) ≤ δ`, round-off included.
    pub fn epsilon_at(&self, conversion: Conversion, delta: f64, lambda: f64) -> OrderBound {
        let largest = if self.infinite_mass().upper() > delta { f64::INFINITY } else { self.largest_loss() };
        let by_loss = OrderBound { value: largest, lambda: f64::INFINITY };
        let Some(spare) = self.spare(delta).filter(|_| lambda.is_finite()) else { return by_loss };
        let epsilon = conversion.epsilon(lambda, self.normalised(lambda).upper(), spare);
        let whole = (Enclosure::point(epsilon) + self.log_finite).upper().max(0.0);
        if whole < largest { OrderBound { value: whole, lambda } } else { by_loss }
    }

    /// The δ that is left for finite losses, `(δ − p∞)/(1 − p∞)`, rounded down; `None` if there is none.
    fn spare(&self, delta: f64) -> Option<f64> {
        let infinite = self.infinite_mass();
        let spare = ((Enclosure::point(delta) - infinite) / self.log_finite.exp()).clamp(0.0, 1.0).lower();
        (spare > 0.0 && infinite.upper() < delta).then_some(spare)
    }

    /// The proven bound at the order that looks best.
    ///
    /// The best order of a weaker conversion is where the search begins, and a candidate: so no conversion is ever worse than
    /// the one it improves on.
    fn best(
        &self,
        weaker: Option<f64>,
        rough: impl Fn(f64, f64) -> f64,
        at: impl Fn(f64) -> OrderBound,
    ) -> OrderBound {
        let log_finite = self.log_finite.midpoint();
        let objective = |lambda: f64, k: f64| rough(lambda, k - (lambda + 1.0) * log_finite);
        let hint = weaker.filter(|lambda| lambda.is_finite());
        let bound = at(order::best(self, hint, objective));
        match weaker.map(at) {
            Some(other) if other.value < bound.value => other,
            Some(_) | None => bound,
        }
    }
}
