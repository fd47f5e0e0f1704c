//! Subset sampling: a sample of fixed size m of n records, uniformly at random; γ = m/n.

use super::{
    check_rate,
    sampled_pair::{adding, removing},
};
use crate::{
    error::Error,
    pair::{Between, Direction, JoinedPair, SharedPair},
};
use std::sync::Arc;

/// Why a mechanism cannot be run on a subset.
pub(in crate::pair) fn needs_symmetry() -> Error {
    Error::NotProven {
        what: "subset sampling of a mechanism whose worst case depends on the direction",
        reason: "the theorem needs one pair that dominates replacing a record in both orders",
        instead: "use poisson(…) with the relation add-remove, or a mechanism with symmetric noise",
    }
}

/// The pair of a sample of fixed size, over a base pair `(P, Q)` for *replacing* a record. The relation is symmetric, so the base must dominate in both orders;
/// that is known here for self-dual pairs.
///
/// - adding a record: `(P, (1−γ)P + γQ)`; removing one: `((1−γ)P + γQ, P)` ([Zhu22, Thm 11(2)]);
/// - replacing one: the curve `max{H_α((1−γ)Q + γP‖Q), H_α(P‖(1−γ)P + γQ)}` ([Zhu22, Prop. 30, Cor. 32]).
pub fn subset(base: SharedPair, rate: f64, direction: Direction) -> Result<SharedPair, Error> {
    check_rate(rate)?;
    if !base.is_self_dual() {
        return Err(needs_symmetry());
    }
    if rate == 1.0 {
        return Ok(base);
    }
    if direction == Direction::Replace
        && let Some(bounds) = base.bounds()
    {
        return Ok(Arc::new(Between(bounds.map(|pair| subset(Arc::clone(pair), rate, direction))?)));
    }
    Ok(match direction {
        Direction::Remove => removing(base, rate),
        Direction::Add => adding(base, rate),
        Direction::Replace => Arc::new(JoinedPair::of_self_dual(removing(base, rate))),
    })
}
