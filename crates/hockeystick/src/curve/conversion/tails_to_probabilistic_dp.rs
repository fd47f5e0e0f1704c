//! Tails → probabilistic differential privacy.

use crate::curve::LossTails;
use hockeystick_numerics::{ball::Ball, probability::Probability};

/// The smallest `δ` of (ε, δ)-PDP: `max(P(L > ε), Q(−L > ε))` ([Sommer19, Lemma 7]).
///
/// It takes the tails of both ordered pairs, `(P, Q)` and `(Q, P)`: the tails of one say `Q(L > −ε)`, but not whether an
/// atom lies at `−ε` itself, which does not count.
///
/// # Guarantee
/// Encloses the truth.
pub fn tails_to_probabilistic_dp(
    tails: &(impl LossTails + ?Sized),
    swapped: &(impl LossTails + ?Sized),
    epsilon: Ball,
) -> Probability {
    let (one, other) = (tails.loss_tails(epsilon).p, swapped.loss_tails(epsilon).p);
    // 1 − max(a, b) = min(1 − a, 1 − b).
    let complement = -((-one.complement()).max(-other.complement()));
    Probability::from_both(one.value().max(other.value()), complement)
}
