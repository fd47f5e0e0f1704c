//! Hockey-stick of `(P, Q)` → hockey-stick of `(Q, P)`.

use crate::curve::{HockeyStick, LossSupport, Support};
use hockeystick_numerics::{ball::Ball, probability::Probability};

/// `H_α(Q‖P) = α H_{1/α}(P‖Q) − α + 1`, in other words `1 − H_α(Q‖P) = α (1 − H_{1/α}(P‖Q))` ([Zhu22, Lemma 46]).
///
/// # Guarantee
/// Encloses the truth. The complement keeps its relative accuracy; a small `H_α(Q‖P)` is known to about 10⁻¹⁶ `max(1, α)`.
#[derive(Clone, Copy, Debug)]
pub struct SwappedHockeyStick<'a, T: ?Sized>(pub &'a T);

impl<T: HockeyStick + ?Sized> LossSupport for SwappedHockeyStick<'_, T> {
    fn support(&self) -> Support {
        let Support { smallest, largest, infinite_mass, vanishing_mass } = self.0.support();
        Support {
            smallest: -largest,
            largest: -smallest,
            infinite_mass: vanishing_mass,
            vanishing_mass: infinite_mass,
        }
    }
}

impl<T: HockeyStick + ?Sized> HockeyStick for SwappedHockeyStick<'_, T> {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        let forward = self.0.hockey_stick(-epsilon);
        let alpha = epsilon.exp_enclosure();
        Probability::from_both(
            alpha * forward.value() - epsilon.enclosure().exp_m1(),
            alpha * forward.complement(),
        )
    }
}
