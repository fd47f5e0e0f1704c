//! Trade-off → hockey-stick.

use super::concave::{Axis, Beyond, supremum};
use crate::curve::{HockeyStick, LossSupport, Support, TradeOff};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `H_α(P‖Q) = sup_{0 ≤ x ≤ 1} 1 − x − α f(x)` with `f = T[P, Q]`: a test with type I error `x` accepts with probability
/// `1 − x` under `P` and `f(x)` under `Q`.
///
/// It is the form of `H_α(Q‖P) = 1 + f*(−α)` ([Zhu22, Lemma 20]) for the other direction; [Zhu22, Lemma 46] turns one into
/// the other. [Zhu22, Lemma 45] picks the `x` whose subgradient is `−1/α`.
///
/// # Guarantee
/// Encloses the truth: any `x` gives a lower bound, concavity in `x` the upper one. The width is about 10⁻¹⁵ `max(1, α)`:
/// type I errors are doubles near 1, so a tiny `H` is lost.
#[derive(Clone, Copy, Debug)]
pub struct TradeOffToHockeyStick<'a, T: ?Sized>(pub &'a T);

impl<T: TradeOff + ?Sized> LossSupport for TradeOffToHockeyStick<'_, T> {
    fn support(&self) -> Support {
        self.0.support()
    }
}

impl<T: TradeOff + ?Sized> HockeyStick for TradeOffToHockeyStick<'_, T> {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        let alpha = epsilon.exp_enclosure();
        let advantage = |x: f64| Enclosure::point(x).one_minus() - alpha * self.0.trade_off(x).value();
        // Coarse in the middle, fine towards the ends, where the likelihood ratio may be extreme.
        let near_zero = (1..=12).rev().map(|k| 10f64.powi(-k));
        let middle = (1..8).map(|k| f64::from(k) / 8.0).filter(|x| (0.11..0.89).contains(x));
        let near_one = (1..=12).map(|k| 1.0 - 10f64.powi(-k));
        let start: Vec<f64> =
            std::iter::once(0.0).chain(near_zero).chain(middle).chain(near_one).chain([1.0]).collect();
        Probability::from_value(supremum(Axis::Linear, &start, Beyond::Nothing, advantage))
    }
}
