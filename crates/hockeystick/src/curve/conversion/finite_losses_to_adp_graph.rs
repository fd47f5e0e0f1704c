//! Finite losses → ADP graph.

use crate::curve::{FiniteLosses, HockeyStick};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};

/// `δ(ε) = ω(∞) + Σ_{y > ε} (1 − e^{ε−y}) ω(y)` ([Sommer19, Def. 6 and Lemma 5]), for any real `ε`.
///
/// # Guarantee
/// Encloses the truth for all numbers in the masses, losses and `epsilon`.
impl HockeyStick for FiniteLosses {
    fn hockey_stick(&self, epsilon: Ball) -> Probability {
        let (mut value, mut complement) = (self.infinite_mass, Enclosure::ZERO);
        for atom in &self.atoms {
            let below = (epsilon - atom.loss).enclosure();
            let below = Enclosure::new(below.lower().min(0.0), below.upper().min(0.0));
            value = value - atom.p * below.exp_m1();
            complement = complement + atom.p * below.exp();
        }
        Probability::from_both(value, complement)
    }
}
