//! Random allocation: a record takes part in one of t steps, uniformly at random ("balls and bins").
//!
//! In: the pair (P, Q) of one step, and t. Out: the hockey-stick curve of all steps together, in both directions.
//!
//! **Theorem** ([Chua et al. 2024, arXiv 2412.16802]; [Feldman & Shenfeld 2025, arXiv 2502.08202]). With `W = dP/dQ` under Q and the mean `S = (W₁ + … + W_t)/t`
//! of independent copies, the pair of all t steps has
//!
//! ```text
//! H_{e^ε}(P′‖Q′) = P(L = ∞) + E (S − e^ε)₊,      H_{e^ε}(Q′‖P′) = E (1 − e^ε S)₊ = e^ε E (e^{−ε} − S)₊,
//! ```
//!
//! and dominates, adaptive steps included.
//!
//! *Proof.* Fix everybody else's steps; mixtures over them are no further apart, because the divergence is jointly convex. Given what was published before, step i has one
//! law if the record takes part in it and another if not. The pair (P, Q) dominates these two, so that a Markov kernel, which may depend on what was
//! published before, makes them of P and Q (Blackwell). Applied to `y₁, …, y_t` one after the other, the kernels make all that is published of `P′ = (1/t) Σᵢ Q^{i−1} × P × Q^{t−i}` with
//! the record, and of `Q′ = Qᵗ` without it. Data processing does not increase divergences. The ratio `dP′/dQ′` is `(1/t) Σ W(yᵢ)`. ∎
//!
//! # Guarantee
//! Every δ is enclosed. `docs/design/allocation.md` has the numerics.

mod cells;
mod hinge;
mod line;

use super::{CertifiedCurve, CurvePair, Direction, SharedPair};
use crate::{error::Error, mechanism};
use cells::Tail;
use hinge::Hinge;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{
    collections::HashMap,
    ops::RangeInclusive,
    sync::{Arc, Mutex, PoisonError},
};

/// The pair of all steps, over the pair of one for removing a record.
pub(super) fn pair(
    allocated: &mechanism::Allocation,
    base: SharedPair,
    direction: Direction,
) -> Result<SharedPair, Error> {
    if allocated.steps() == 1 {
        return Ok(match direction {
            Direction::Remove => base,
            Direction::Add => base.dual(),
            Direction::Replace => super::replacing(&base)?,
        });
    }
    if direction == Direction::Replace {
        return Err(Error::NotProven {
            what: "random allocation if a record is replaced by another",
            reason: "the other record may be in another step, which the theorem does not cover",
            instead: "use the relation add-remove, whose δ(ε) for both directions bounds replacement at 2ε by (1 + e^ε)δ",
        });
    }
    if base.is_known_by_curve() {
        return Err(Error::NotSampled {
            mechanism: allocated.mechanism().to_string(),
            reason: "only its curve is known, and an allocation needs the law of its likelihood ratio",
            instead: "leave out the allocation, which gives a larger answer that holds for it, too",
        });
    }
    let removing = CurvePair::shared(Allocation::new(base, allocated.steps()));
    Ok(if direction == Direction::Add { removing.dual() } else { removing })
}

/// Hinges by their side, the bits of ε and those of the width wanted.
type Known = HashMap<(Tail, u64, u64), Enclosure>;

/// One of t steps of a base pair.
#[derive(Clone, Debug)]
struct Allocation {
    base: SharedPair,
    dual: SharedPair,
    steps: u64,
    relative: f64,
    /// What was asked before: both directions of a composition look at the same points.
    known: Arc<Mutex<Known>>,
}

impl Allocation {
    fn new(base: SharedPair, steps: u64) -> Self {
        Self { dual: base.dual(), base, steps, relative: RELATIVE, known: Arc::default() }
    }

    /// At the threshold `e^ε`, right, or `e^{−ε}`, left.
    fn hinge(&self, tail: Tail, epsilon: f64) -> Enclosure {
        let key = (tail, epsilon.to_bits(), self.relative.to_bits());
        if let Some(&known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known;
        }
        let threshold = Enclosure::point(if tail == Tail::Right { epsilon } else { -epsilon }).exp();
        let hinge = Hinge { base: &self.base, steps: self.steps, tail, threshold, relative: self.relative };
        let found = hinge.enclosed();
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found);
        found
    }

    /// What both curves have in common: one of t steps spends no more than one step does, because the hinge is convex.
    fn at(value: Enclosure, one_step: Probability) -> Probability {
        let most = one_step.value().upper();
        Probability::from_value(Enclosure::new(value.lower().clamp(0.0, most), value.upper().min(most)))
    }
}

/// The relative width that is aimed at, and that for compositions, which ask for hundreds of points.
const RELATIVE: f64 = 8e-7;
const RELATIVE_AT_MANY: f64 = 1e-4;

impl CertifiedCurve for Allocation {
    fn removed(&self, epsilon: f64) -> Probability {
        let value = self.hinge(Tail::Right, epsilon);
        Self::at(value, self.base.delta(Ball::from(epsilon)))
    }

    fn added(&self, epsilon: f64) -> Probability {
        let value = Enclosure::point(epsilon).exp() * self.hinge(Tail::Left, epsilon);
        Self::at(value, self.dual.delta(Ball::from(epsilon)))
    }

    /// One step with an infinite loss makes the sum infinite, and none has one without the record.
    fn infinite_mass(&self) -> Probability {
        self.base.infinite_mass()
    }

    /// S = 0 if every W is.
    fn vanishing_mass(&self) -> Probability {
        let one = self.base.vanishing_mass().value();
        if one.upper() == 0.0 {
            return Probability::ZERO;
        }
        let all = Enclosure::new(
            (Enclosure::point(one.lower()).ln() * self.steps as f64).exp().lower().max(0.0),
            (Enclosure::point(one.upper()).ln() * self.steps as f64).exp().upper(),
        );
        Probability::from_value(all.clamp(0.0, 1.0))
    }

    fn at_many_points(&self) -> Option<Arc<dyn CertifiedCurve>> {
        Some(Arc::new(Self { relative: RELATIVE_AT_MANY, ..self.clone() }))
    }

    /// Those of one step: a mean of ratios is between them. Where ratios may vanish, all of them but one may.
    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        let (low, high) = self.base.finite_losses().into_inner();
        let may_vanish = self.base.vanishing_mass().value().upper() > 0.0;
        let fewer = if may_vanish { Enclosure::point(self.steps as f64).ln() } else { Enclosure::ZERO };
        low - fewer..=high
    }
}

#[cfg(test)]
mod tests;
