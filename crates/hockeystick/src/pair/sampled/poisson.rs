//! Poisson sampling: every record is in the sample with probability γ, independently.

use super::{
    check_rate,
    sampled_pair::{adding, removing},
};
use crate::{
    error::Error,
    pair::{Direction, SharedPair},
};

/// The pair of a Poisson sample, over a base pair `(P, Q)` for removing a record ([Zhu22, Thm 11(1)]): `((1−γ)Q + γP, Q)` dominates for removing one,
/// `(Q, (1−γ)Q + γP)` for adding one.
///
/// The theorem prints the mixture for removal with `P` and `Q` of the *add* pair exchanged. For a self-dual base that makes
/// no difference; for others the proof (Lemma 28) gives the one used here: `Q` is the output without the record in both.
///
/// Under replace-one no dominating pair is proved.
pub fn poisson(base: SharedPair, rate: f64, direction: Direction) -> Result<SharedPair, Error> {
    check_rate(rate)?;
    match direction {
        Direction::Replace => Err(Error::NotProven {
            what: "Poisson sampling under replace-one",
            reason: "the theorem is for adding or removing a record",
            instead: "use the relation add-remove, or subset(…) for samples of fixed size",
        }),
        Direction::Remove | Direction::Add if rate == 1.0 => {
            Ok(if direction == Direction::Add { base.dual() } else { base })
        }
        Direction::Remove => Ok(removing(base, rate)),
        Direction::Add => Ok(adding(base, rate)),
    }
}
