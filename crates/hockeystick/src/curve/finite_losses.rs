//! A law of the loss with finitely many atoms: the PLD of [Sommer19, Def. 2], under `P` and under `Q`.

use super::{LossSupport, LossTails, Support};
use crate::pair::{Atom, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// Finitely many finite losses, and the masses at `±∞`.
#[derive(Clone, Debug, PartialEq)]
pub struct FiniteLosses {
    /// The finite losses, increasing, with their probabilities under `P` (this is `ω`) and `Q`.
    pub atoms: Vec<Atom>,
    /// `P(L = ∞)`.
    pub infinite_mass: Enclosure,
    /// `Q(L = −∞)`.
    pub vanishing_mass: Enclosure,
}

impl LossSupport for FiniteLosses {
    fn support(&self) -> Support {
        let end = |atom: Option<&Atom>| atom.map(|atom| atom.loss.enclosure());
        Support {
            smallest: end(self.atoms.first()).map_or(0.0, Enclosure::lower),
            largest: end(self.atoms.last()).map_or(0.0, Enclosure::upper),
            infinite_mass: Probability::from_value(self.infinite_mass),
            vanishing_mass: Probability::from_value(self.vanishing_mass),
        }
    }
}

impl LossTails for FiniteLosses {
    fn loss_tails(&self, epsilon: Ball) -> Tails {
        let mut above = (self.infinite_mass, Enclosure::ZERO);
        let mut below = (Enclosure::ZERO, self.vanishing_mass);
        for atom in &self.atoms {
            let distance = (atom.loss - epsilon).enclosure();
            // The atom counts fully, not at all, or it is not known.
            let part = |yes: bool, no: bool| match (yes, no) {
                (true, _) => Enclosure::ONE,
                (_, true) => Enclosure::ZERO,
                _ => Enclosure::UNIT_INTERVAL,
            };
            let is_above = part(distance.lower() > 0.0, distance.upper() <= 0.0);
            let is_below = part(distance.upper() <= 0.0, distance.lower() > 0.0);
            above = (above.0 + atom.p * is_above, above.1 + atom.q * is_above);
            below = (below.0 + atom.p * is_below, below.1 + atom.q * is_below);
        }
        Tails { p: Probability::from_both(above.0, below.0), q: Probability::from_both(above.1, below.1) }
    }
}
