//! Hockey-stick → trade-off.

use super::concave::{Axis, Beyond, supremum};
use crate::curve::{HockeyStick, LossSupport, Support, TradeOff};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `f(x) = sup_{α ≥ 0} 1 − H_α(Q‖P) − αx` with `f = T[P, Q]`.
///
/// Proof: for an event `A` with `P(A) ≤ x`, `Q(A) ≤ H_α(Q‖P) + αP(A)`, so `1 − Q(A) ≥ 1 − H_α(Q‖P) − αx`; the likelihood
/// ratio test attains it for one `α`. Hence it is the curve of `(Q, P)` that is needed, at all `α ≥ 0`. By [Zhu22, Lemma 46]
/// the line is `α(1 − x − H_{1/α}(P‖Q))`, so one direction at all real `ε` is enough. [Zhu22, Lemma 21] asks `H(P‖Q)` at
/// `ε ≥ 0` only and takes its values for those of `H(Q‖P)` too, which holds for symmetric pairs alone.
///
/// # Guarantee
/// Encloses the truth: any `α` gives a lower bound, concavity in `α` the upper one. The width is about 10⁻¹⁵, unless `x = 0`
/// and the smallest finite loss is not known: then the upper end is 1.
#[derive(Clone, Copy, Debug)]
pub struct HockeyStickToTradeOff<'a, T: ?Sized>(pub &'a T);

impl<T: HockeyStick + ?Sized> LossSupport for HockeyStickToTradeOff<'_, T> {
    fn support(&self) -> Support {
        self.0.support()
    }
}

impl<T: HockeyStick + ?Sized> TradeOff for HockeyStickToTradeOff<'_, T> {
    fn trade_off(&self, type_one_error: f64) -> Probability {
        let x = Enclosure::point(type_one_error).clamp(0.0, 1.0);
        let line = |log_alpha: f64| {
            if log_alpha == f64::NEG_INFINITY {
                return Enclosure::ZERO;
            }
            let curve = self.0.hockey_stick(Ball::from(-log_alpha));
            Enclosure::point(log_alpha).exp() * (curve.complement() - x)
        };
        // For 1/α below every likelihood ratio the line is 1 − Q(L = −∞) − αx.
        let last = -self.0.support().smallest;
        let (end, beyond) = if last <= 512.0 {
            (last + f64::EPSILON * (1.0 + last.abs()), Beyond::Falling)
        } else {
            (512.0, Beyond::Unknown)
        };
        let grid = (-9..=9).map(|k: i32| f64::from(k.signum()) * 2f64.powi(k.abs()));
        let start: Vec<f64> = std::iter::once(f64::NEG_INFINITY)
            .chain(grid.filter(|&log_alpha| log_alpha < end))
            .chain([end])
            .collect();
        let found = supremum(Axis::Logarithmic, &start, beyond, line);
        let trivial = x.one_minus();
        Probability::from_value(Enclosure::new(found.lower(), found.upper().min(trivial.upper())))
    }
}
