//! What is above a cut of a law that is known to thirty digits, in closed form, and how little of it has a small loss.

use super::{Cut, NormalRatio, RatioLaw, wide_delta::normal_tail};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{LOG_ERFC_ERROR_UNITS, exp, log_erfc},
};

/// What a law has above a cut that has no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbovePart {
    /// What `Q` has.
    pub q: Ball,
    /// How much more `P` has.
    pub surplus: Ball,
}

impl RatioLaw {
    /// What is above a cut, whatever its end; `None` if the law is swapped, or not known to thirty digits.
    ///
    /// # Guarantee
    /// Enclosed. Under `Q` the outcome is standard normal, and under `P` it is so with a share `1 − w`, and moved by μ with a share w. The weight above the cut
    /// is the probability that a normal number of variance `s²/2` exceeds `a − x`, so that a normal law around m has `Φ̄((a − m)/√(1 + s²/2))` there.
    pub fn above_part(&self, cut: Cut) -> Option<AbovePart> {
        let NormalRatio { weight, mu } = self.checked_normal().filter(|_| !self.swapped)?;
        let spread = Ball::from(cut.spread);
        let deviation = (Ball::ONE + spread * spread / Ball::from(2.0)).sqrt();
        let at = Ball::from(cut.at);
        let [here, there] = [at, at - mu].map(|place| normal_tail(place / deviation));
        let (q, moved) = (here?, there?);
        Some(AbovePart { q, surplus: weight * (moved - q) })
    }

    /// The smallest loss of a law that is known to thirty digits: `log(1 − w)`. `None` if it is swapped.
    pub fn smallest_loss(&self) -> Option<Enclosure> {
        let NormalRatio { weight, .. } = self.checked_normal().filter(|_| !self.swapped)?;
        Some((-weight).ln_1p().enclosure())
    }

    /// A bound of what `Q` has above a cut at losses below `loss`.
    ///
    /// # Guarantee
    /// The weight above a cut grows with the outcome, and so does the loss: where that is smaller, the weight is at most `erfc((a − x)/s)/2` for the
    /// outcome x at which it is `loss`, and all of `Q` is 1.
    pub fn above_with_loss_below(&self, cut: Cut, loss: f64) -> Option<f64> {
        let NormalRatio { weight, mu } = self.checked_normal().filter(|_| !self.swapped)?;
        let growth = Ball::from(loss).exp_m1() / weight;
        if growth.enclosure().lower() <= -1.0 {
            return Some(0.0).filter(|_| growth.enclosure().upper() <= -1.0);
        }
        let place = growth.ln_1p() / mu + mu / Ball::from(2.0);
        let spreads = ((Ball::from(cut.at) - place) / Ball::from(cut.spread)).enclosure();
        let log = log_erfc(spreads.lower());
        let rounding = LOG_ERFC_ERROR_UNITS * UNIT_ROUNDOFF * log.abs();
        let bound = 0.5 * exp(log + rounding + 1e-9) + f64::MIN_POSITIVE;
        Some(if bound < 1.0 { bound } else { 1.0 })
    }
}
