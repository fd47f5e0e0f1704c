//! Two curves that meet at `α = 1`: sampled mechanisms under a symmetric relation.

use super::super::{
    Atom, Details, DominatingPair, LikelyOutcomes, Moments, Outcome, Preimage, RatioLaw, SharedPair, Tails,
    ratio_law::{Unlisted, moments},
};
use hockeystick_numerics::{ball::Ball, disc::Disc, enclosure::Enclosure, probability::Probability};
use num_complex::Complex;
use std::{cmp::Ordering, ops::RangeInclusive, sync::Arc};

/// The curve that is `H_α(A)` for `α ≥ 1` and `H_α(B)` for `α < 1`, with `A = ((1−γ)Q + γP, Q)` and `B = (P, (1−γ)P + γQ)`.
///
/// It bounds the profile of a sampled mechanism over both directions at once, if `(P, Q)` does so for the mechanism itself
/// ([Zhu22, Prop. 30, Cor. 32]).
///
/// **It is the curve of a pair.** Each half is convex and decreasing, with value 1 at 0 and at least `(1 − α)₊`. At 1 both
/// have the value `γ·H_1(P‖Q)`. With `E = {p > q}` and `F = {p ≥ q}`, the slope is `−((1−γ)P(F) + γQ(F))` on the left of 1 and
/// `−Q(E)` on the right. As `p ≥ q` on `F ⊇ E`, `P(F) ≥ Q(F) ≥ Q(E)`: the slope does not fall at 1, so the whole is convex,
/// and some pair has it ([Zhu22, Lemma 9]). The change of slope is an atom of loss 0; positive losses have the law they have
/// under `A`, negative ones that under `B`.
///
/// **The swapped pair** joins `B` swapped, above 1, and `A` swapped, below: the pair of `(Q, P)`. If `(P, Q)` is self-dual then
/// `B` swapped is `A`, and the join is self-dual. (For any other `(P, Q)`, `A` and `A` swapped need not even join to a convex
/// curve: with much of `Q` on `E` the slope falls at 1.)
///
/// **Moments.** The law of the loss under `P` is that of `A` where it is positive and that of `B` where it is negative. What
/// both leave of `P`, `1 − P_A(L > 0) − P_B(L < 0)`, is the atom of loss 0; over `(P, Q)` without outcomes of loss 0 it is
/// `(1 − γ)·H_1(P‖Q)`. So `M(z)` and the moments are sums over the two halves and the atom. One [`RatioLaw`] cannot hold them,
/// as one half is known under `Q` and the other one under `P`: `ratio_law` lists nothing.
#[derive(Clone, Debug)]
pub struct JoinedPair {
    upper: SharedPair,
    lower: SharedPair,
    self_dual: bool,
    /// The laws of the ratio where the loss is positive, negative and 0.
    parts: [RatioLaw; 3],
}

impl JoinedPair {
    /// `A = ((1−γ)Q + γP, Q)` above and `B = (P, (1−γ)P + γQ)` below, for any `(P, Q)`.
    pub fn new(upper: SharedPair, lower: SharedPair) -> Self {
        Self::joined(upper, lower, false)
    }

    /// `A = ((1−γ)Q + γP, Q)` above and its swapped pair below, for a self-dual `(P, Q)`.
    pub fn of_self_dual(upper: SharedPair) -> Self {
        let lower = upper.dual();
        Self::joined(upper, lower, true)
    }

    fn joined(upper: SharedPair, lower: SharedPair, self_dual: bool) -> Self {
        let zero = Ball::ZERO;
        // Swapped, what is below 0 is above it.
        let (positive, negative) = (upper.tails(zero).p, lower.dual().tails(zero).q);
        let rest = positive.complement() - negative.value();
        let rest = rest.intersection(negative.complement() - positive.value()).clamp(0.0, 1.0);
        let middle = Atom { loss: zero, p: rest, q: rest };
        let parts = [
            upper.ratio_law().half(Ordering::Greater),
            lower.ratio_law().half(Ordering::Less),
            RatioLaw { atoms: vec![middle], ..RatioLaw::default() },
        ];
        Self { upper, lower, self_dual, parts }
    }

    /// What `f` says of the half that `epsilon` lies in, or of both.
    fn half<T>(&self, epsilon: Ball, f: impl Fn(&SharedPair) -> T, hull: impl Fn(T, T) -> T) -> T {
        let at = epsilon.enclosure();
        if at.lower() >= 0.0 {
            f(&self.upper)
        } else if at.upper() < 0.0 {
            f(&self.lower)
        } else {
            hull(f(&self.upper), f(&self.lower))
        }
    }
}

impl DominatingPair for JoinedPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        self.half(epsilon, |pair| pair.delta(epsilon), Probability::hull)
    }

    /// At 0 those of `A`: the atom of loss 0 is not above it.
    fn tails(&self, epsilon: Ball) -> Tails {
        let hull = |a: Tails, b: Tails| Tails { p: a.p.hull(b.p), q: a.q.hull(b.q) };
        self.half(epsilon, |pair| pair.tails(epsilon), hull)
    }

    fn infinite_mass(&self) -> Probability {
        self.upper.infinite_mass()
    }

    fn vanishing_mass(&self) -> Probability {
        self.lower.vanishing_mass()
    }

    /// The ends of the two halves; 0 is among the candidates where a half has no finite loss on its side.
    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (smallest, largest) = (*self.lower.finite_losses().start(), *self.upper.finite_losses().end());
        let smallest = if smallest.upper() < 0.0 { smallest } else { smallest.hull(Enclosure::ZERO) };
        let largest = if largest.lower() > 0.0 { largest } else { largest.hull(Enclosure::ZERO) };
        smallest..=largest
    }

    /// Lists nothing: see the type. What is made of it elsewhere is asked here directly.
    fn ratio_law(&self) -> RatioLaw {
        RatioLaw::unknown()
    }

    fn notes(&self) -> Vec<String> {
        self.upper.notes()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(Self::joined(self.lower.dual(), self.upper.dual(), self.self_dual))
    }

    fn is_self_dual(&self) -> bool {
        self.self_dual
    }

    fn mgf(&self, z: Complex<f64>) -> Option<Disc> {
        self.parts.iter().try_fold(Disc::ZERO, |sum, part| Some(sum + part.mgf(z)?))
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for JoinedPair {
    fn is_known_by_curve(&self) -> bool {
        self.upper.is_known_by_curve()
    }

    fn ratio_laws(&self) -> Vec<RatioLaw> {
        self.parts.to_vec()
    }

    fn likely_outcomes(&self, least: f64) -> LikelyOutcomes {
        let (above, below) = (self.upper.likely_outcomes(least), self.lower.likely_outcomes(least));
        let positive = above.laws.into_iter().map(|law| law.half(Ordering::Greater));
        let negative = below.laws.into_iter().map(|law| law.half(Ordering::Less));
        let [_, _, middle] = &self.parts;
        LikelyOutcomes {
            laws: positive.chain(negative).chain([middle.clone()]).collect(),
            missing_p: above.missing_p + below.missing_p,
            missing_q: above.missing_q + below.missing_q,
        }
    }

    /// Large losses are those of `A`, small ones those of `B`.
    fn strip(&self) -> (f64, f64) {
        (self.lower.strip().0, self.upper.strip().1)
    }

    fn moments(&self) -> Option<Moments> {
        let unlisted = Unlisted::of(self.infinite_mass(), self.vanishing_mass(), self.is_self_dual());
        moments(&self.parts.each_ref(), Some(unlisted))
    }

    /// Outcomes are counted through the three parts: positive, negative, 0.
    fn loss(&self, outcome: Outcome) -> Option<Enclosure> {
        let (mut atoms, mut panels) = (0, 0);
        self.parts.iter().find_map(|part| {
            let local = match outcome {
                Outcome::Atom(index) => index.checked_sub(atoms).map(Outcome::Atom),
                Outcome::Point { panel, x } => {
                    panel.checked_sub(panels).map(|panel| Outcome::Point { panel, x })
                }
            };
            (atoms, panels) = (atoms + part.atoms.len(), panels + part.panels.len());
            part.loss(local?)
        })
    }

    fn outcomes(&self, loss: f64) -> Option<Vec<Preimage>> {
        let (mut atoms, mut panels) = (0, 0);
        let mut found = Vec::new();
        for part in &self.parts {
            found.extend(part.outcomes(loss)?.into_iter().map(|set| match set {
                Preimage::Atom(index) => Preimage::Atom(atoms + index),
                Preimage::Interval { panel, from, to } => {
                    Preimage::Interval { panel: panels + panel, from, to }
                }
            }));
            (atoms, panels) = (atoms + part.atoms.len(), panels + part.panels.len());
        }
        Some(found)
    }
}
