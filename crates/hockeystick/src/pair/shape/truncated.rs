//! Symmetric noise conditioned on an interval.

use super::super::{DominatingPair, RatioLaw, SharedPair, Tails};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{ops::RangeInclusive, sync::Arc};

/// Noise with a symmetric log-concave density, conditioned on `[−b, b]`, against itself shifted by `s`.
///
/// Let `t` be the probability of the unconditioned noise beyond `b`. Where the two supports overlap the loss is that of the
/// unconditioned pair; what lies beyond gives the input away. Since an event `L > ε` is a half-line,
///
/// `δ(ε) = (δ₀(ε) + t(e^ε − 1))/(1 − 2t)`, `P(L > ε) = (P₀(L > ε) − t)/(1 − 2t)`, `Q(L > ε) = (Q₀(L > ε) − t)/(1 − 2t)`
///
/// below the largest finite loss, and `P(L = ∞)` from there on. The pair is self-dual by reflection.
#[derive(Clone, Debug)]
pub(in super::super) struct TruncatedPair {
    /// The pair of the unconditioned noise.
    pub(in super::super) whole: SharedPair,
    /// `t`.
    pub(in super::super) beyond: Enclosure,
    /// `1 − 2t`, with relative accuracy.
    pub(in super::super) kept: Enclosure,
    /// `P(L = ∞)`.
    pub(in super::super) infinite: Probability,
    /// The largest finite loss; negative if no loss is finite.
    pub(in super::super) largest: Ball,
    /// The law of the ratio on the overlap.
    pub(in super::super) law: RatioLaw,
}

impl TruncatedPair {
    fn is_disjoint(&self) -> bool {
        self.infinite == Probability::ZERO.opposite()
    }

    /// `δ` for `0 ≤ ε < largest`.
    fn inside(&self, epsilon: Ball) -> Probability {
        let growth = epsilon.enclosure().exp_m1().clamp(0.0, f64::INFINITY);
        let value = (self.whole.delta(epsilon).value() + self.beyond * growth) / self.kept;
        // δ never falls below its limit.
        Probability::from_value(value.max(self.infinite.value()))
    }
}

impl DominatingPair for TruncatedPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        let at = epsilon.enclosure();
        let gap = (epsilon - self.largest).enclosure();
        if self.is_disjoint() || (gap.lower() >= 0.0 && at.lower() >= 0.0) {
            return self.infinite;
        }
        if at.upper() < 0.0 {
            // Self-dual: 1 − δ(−ε) = e^{−ε}(1 − δ(ε)).
            let mirrored = self.delta(-epsilon);
            let ratio = epsilon.exp_enclosure();
            let value = ratio * mirrored.value() - at.exp_m1();
            return Probability::from_both(value, ratio * mirrored.complement());
        }
        if at.lower() < 0.0 {
            // |δ′| ≤ 1 around 0.
            let reach = at.upper().max(-at.lower());
            let value = self.delta(Ball::ZERO).value() + Enclosure::new(-reach, reach);
            return Probability::from_value(value);
        }
        let inside = self.inside(epsilon);
        if gap.upper() >= 0.0 {
            Probability::from_value(inside.value().hull(self.infinite.value()))
        } else {
            inside
        }
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        if self.is_disjoint() {
            return Tails { p: self.infinite, q: Probability::ZERO };
        }
        let (above, below) = ((epsilon - self.largest).enclosure(), (epsilon + self.largest).enclosure());
        let top = Tails { p: self.infinite, q: Probability::ZERO };
        let bottom = Tails { p: top.q.opposite(), q: top.p.opposite() };
        if above.lower() >= 0.0 {
            return top;
        }
        if below.upper() < 0.0 {
            return bottom;
        }
        let whole = self.whole.tails(epsilon);
        let cut = |tail: Probability| ((tail.value() - self.beyond) / self.kept).clamp(0.0, 1.0);
        let mut inside = [cut(whole.p), cut(whole.q)];
        for (known, ends) in [(above.upper() >= 0.0, top), (below.lower() < 0.0, bottom)] {
            if known {
                inside = [inside[0].hull(ends.p.value()), inside[1].hull(ends.q.value())];
            }
        }
        Tails { p: Probability::from_value(inside[0]), q: Probability::from_value(inside[1]) }
    }

    fn infinite_mass(&self) -> Probability {
        self.infinite
    }

    fn vanishing_mass(&self) -> Probability {
        self.infinite
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        -self.largest.enclosure()..=self.largest.enclosure()
    }

    fn ratio_law(&self) -> RatioLaw {
        self.law.clone()
    }

    fn dual(&self) -> SharedPair {
        Arc::new(self.clone())
    }

    fn is_self_dual(&self) -> bool {
        true
    }
}
