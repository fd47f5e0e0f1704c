//! Hockey-stick → tails.

use crate::curve::{HockeyStick, LossSupport, LossTails, Support};
use crate::pair::Tails;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `Q(L > log α) = −dH_α/dα` from the right, and `P(L > ε) = H_{e^ε} + e^ε Q(L > ε)` ([Zhu22, Lemma 23]).
///
/// `H` is convex, so with `α₋ < α < α₊` the secants bracket the derivative from either side:
/// `(H(α) − H(α₊))/(α₊ − α) ≤ Q(L > log α) ≤ Q(L ≥ log α) ≤ (H(α₋) − H(α))/(α − α₋)`.
/// Every pair of neighbours gives a valid bracket. Near ones suffer from round-off, far ones from curvature: many are
/// tried, and what all of them allow remains.
///
/// # Guarantee
/// Encloses the truth. At an atom both possibilities are enclosed; elsewhere the width is about 10⁻⁸ of the value, the
/// square root of the accuracy of `H`, and less where no loss is near.
#[derive(Clone, Copy, Debug)]
pub struct HockeyStickToTails<'a, T: ?Sized>(pub &'a T);

impl<T: HockeyStick + ?Sized> LossSupport for HockeyStickToTails<'_, T> {
    fn support(&self) -> Support {
        self.0.support()
    }
}

impl<T: HockeyStick + ?Sized> LossTails for HockeyStickToTails<'_, T> {
    fn loss_tails(&self, epsilon: Ball) -> Tails {
        let here = self.0.hockey_stick(epsilon);
        let alpha = epsilon.exp_enclosure();
        let mut q = Enclosure::UNIT_INTERVAL;
        for k in 0..=40 {
            let step = 2f64.powi(-k);
            let right = self.0.hockey_stick(epsilon + Ball::from(step));
            let left = self.0.hockey_stick(epsilon - Ball::from(step));
            let lower = drop(here, right) / (alpha * Enclosure::point(step).exp_m1());
            let upper = drop(left, here) / (alpha * -Enclosure::point(-step).exp_m1());
            if lower.lower() <= upper.upper() {
                q = q.intersection(Enclosure::new(lower.lower(), upper.upper()));
            }
        }
        let p = Probability::from_both(here.value() + alpha * q, here.complement() - alpha * q);
        Tails { p, q: Probability::from_value(q) }
    }
}

/// `from − to`, through the numbers themselves and through their complements.
pub(super) fn drop(from: Probability, to: Probability) -> Enclosure {
    (from.value() - to.value()).intersection(to.complement() - from.complement())
}
