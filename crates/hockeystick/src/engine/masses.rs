//! What needs no engine: how likely a composition gives the input away, and its largest finite loss.

use crate::pair::SharedPair;
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// `P(L = ∞) = 1 − Π (1 − pᵢ)^{kᵢ}`.
pub(crate) fn infinite_mass(pairs: &[(SharedPair, u64)]) -> Probability {
    any(pairs, |pair| pair.infinite_mass())
}

/// `Q(L = −∞)`, what is infinite for the dual.
pub(crate) fn vanishing_mass(pairs: &[(SharedPair, u64)]) -> Probability {
    any(pairs, |pair| pair.vanishing_mass())
}

/// How likely an event is to happen in any use.
fn any(pairs: &[(SharedPair, u64)], event: impl Fn(&SharedPair) -> Probability) -> Probability {
    pairs.iter().fold(Probability::ZERO, |sum, (pair, count)| {
        let one = event(pair);
        if one.value().upper() == 0.0 {
            return sum;
        }
        // From whichever of the mass and its complement is small.
        let log_one = if one.value().upper() < 0.5 { (-one.value()).ln_1p() } else { one.complement().ln() };
        let log_finite = log_one * *count as f64;
        sum.or(Probability::from_both(-log_finite.exp_m1(), log_finite.exp()))
    })
}

/// The sum of the largest finite losses.
pub(crate) fn largest_finite_loss(pairs: &[(SharedPair, u64)]) -> Enclosure {
    sum(pairs, |pair| *pair.finite_losses().end())
}

/// The sum of the smallest finite losses.
pub(crate) fn smallest_finite_loss(pairs: &[(SharedPair, u64)]) -> Enclosure {
    sum(pairs, |pair| *pair.finite_losses().start())
}

/// Over all uses.
fn sum(pairs: &[(SharedPair, u64)], loss: impl Fn(&SharedPair) -> Enclosure) -> Enclosure {
    pairs.iter().fold(Enclosure::ZERO, |sum, (pair, count)| sum + loss(pair) * *count as f64)
}
