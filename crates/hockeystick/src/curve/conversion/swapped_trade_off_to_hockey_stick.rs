//! Trade-off of the swapped pair → hockey-stick, in log scale.

use super::concave::{Axis, Beyond, supremum};
use crate::curve::{HockeyStick, LossSupport, Support, TradeOff};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `H_α(P‖Q) = sup_{0 ≤ x ≤ 1} 1 − f(x) − αx` with `f = T[Q, P]`: a test with type I error `x` rejects with probability `x`
/// under `Q` and `1 − f(x)` under `P` ([Zhu22, Lemma 45]).
///
/// For a small `H` the best `x` is small and so is `1 − f(x)`: with `x` on a logarithmic scale and the complement of `f` in
/// place of `f`, no digit is lost, which is what [Zhu22, eq. (14)] asks for.
///
/// If `f` is only a lower bound of a trade-off function, as RDP gives it, this is an upper bound of `H`.
///
/// # Guarantee
/// Encloses the supremum for a convex `f`.
#[derive(Clone, Copy, Debug)]
pub struct SwappedTradeOffToHockeyStick<'a, T: ?Sized>(pub &'a T);

impl<T: TradeOff + ?Sized> LossSupport for SwappedTradeOffToHockeyStick<'_, T> {
    fn support(&self) -> Support {
        let swapped = self.0.support();
        Support {
            smallest: -swapped.largest,
            largest: -swapped.smallest,
            infinite_mass: swapped.vanishing_mass,
            vanishing_mass: swapped.infinite_mass,
        }
    }
}

/// The smallest type I error but 0 that is looked at, by its logarithm.
const SMALLEST: f64 = -700.0;

impl<T: TradeOff + ?Sized> HockeyStick for SwappedTradeOffToHockeyStick<'_, T> {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        let alpha = epsilon.exp_enclosure();
        let advantage = |log: f64| {
            // e^log is hardly ever a double: f falls, so its values at the neighbours enclose the one between.
            let x = if log == f64::NEG_INFINITY { Enclosure::ZERO } else { Enclosure::point(log).exp() };
            let x = x.clamp(0.0, 1.0);
            let power = |x: f64| self.0.trade_off(x).complement();
            Enclosure::new(power(x.lower()).lower(), power(x.upper()).upper()) - alpha * x
        };
        let steps = (1..=48).map(|i| SMALLEST * (1.0 - f64::from(i) / 49.0).powi(3));
        let start: Vec<f64> = [f64::NEG_INFINITY, SMALLEST].into_iter().chain(steps).chain([0.0]).collect();
        Probability::from_value(
            supremum(Axis::Logarithmic, &start, Beyond::Nothing, advantage).clamp(0.0, 1.0),
        )
    }
}
