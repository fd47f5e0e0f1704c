//! Tails → hockey-stick.

use crate::curve::{HockeyStick, LossSupport, LossTails, Support};
use crate::pair::Tails;
use hockeystick_numerics::{ball::Ball, probability::Probability};

/// `H_{e^ε}(P‖Q) = P(L > ε) − e^ε Q(L > ε)` ([Zhu22, Lemma 19]).
///
/// An atom at `ε` does not matter: its two parts cancel.
///
/// # Guarantee
/// Encloses the truth. The two terms cancel, so a small `H` is known to about 10⁻¹⁶ of `P(L > ε)`, not of itself.
#[derive(Clone, Copy, Debug)]
pub struct TailsToHockeyStick<'a, T: ?Sized>(pub &'a T);

impl<T: LossTails + ?Sized> LossSupport for TailsToHockeyStick<'_, T> {
    fn support(&self) -> Support {
        self.0.support()
    }
}

impl<T: LossTails + ?Sized> HockeyStick for TailsToHockeyStick<'_, T> {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        let Tails { p, q } = self.0.loss_tails(epsilon);
        let alpha = epsilon.exp_enclosure();
        // 1 − H = P(L ≤ ε) + e^ε Q(L > ε) has positive terms only.
        Probability::from_both(p.value() - alpha * q.value(), p.complement() + alpha * q.value())
    }
}
