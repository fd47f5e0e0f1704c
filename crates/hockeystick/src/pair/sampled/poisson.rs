//! Poisson sampling: every record is in the sample with probability γ, independently.

use super::{
    check_rate,
    sampled_pair::{adding, removing},
};
use crate::{
    error::Error,
    pair::{Between, Bounds, Direction, JoinedPair, SharedPair, Slack, noted::Noted},
};
use std::sync::Arc;

/// The pair of a Poisson sample, over a base pair `(P, Q)` for removing a record ([Zhu22, Thm 11(1)]): `((1−γ)Q + γP, Q)` dominates for removing one,
/// `(Q, (1−γ)Q + γP)` for adding one.
///
/// The theorem prints the mixture for removal with `P` and `Q` of the *add* pair exchanged. For a self-dual base that makes
/// no difference; for others the proof (Lemma 28) gives the one used here: `Q` is the output without the record in both.
///
/// Under replace-one, with a base that dominates replacing, adding and removing a record, in both orders: let ω₀, ω and ω′ be the outputs without the record, with it,
/// and with the other one. For `α = e^ε ≥ 1`, `α₁ = 1 + (α − 1)/γ` and `β = α/α₁`,
///
/// `H_α((1−γ)ω₀ + γω ‖ (1−γ)ω₀ + γω′) = γ·H_{α₁}(ω ‖ (1−β)ω₀ + βω′) ≤ γ·H_{α₁}(P‖Q) = H_α((1−γ)Q + γP ‖ Q)`
///
/// by joint convexity (Balle, Barthe & Gaboardi 2018, Thm 2). As it is symmetric, the curve that joins this for `α ≥ 1` with its dual dominates, as for
/// [`subset`](super::subset()). It is attained at each `α` by a record against one without effect, but no pair of datasets is known that attains it at all `α`:
/// lower ends are those of `((1−γ)Q + γP, Q)`.
pub fn poisson(base: SharedPair, rate: f64, direction: Direction) -> Result<SharedPair, Error> {
    check_rate(rate)?;
    match direction {
        Direction::Replace if !base.is_self_dual() => Err(Error::NotProven {
            what: "Poisson sampling under replace-one of a mechanism whose worst case depends on the direction",
            reason: "the theorem needs one pair that dominates replacing a record in both orders",
            instead: "use the relation add-remove",
        }),
        Direction::Replace if rate == 1.0 => Ok(base),
        Direction::Replace => Ok(replacing(&base, rate)),
        Direction::Remove | Direction::Add if rate == 1.0 => {
            Ok(if direction == Direction::Add { base.dual() } else { base })
        }
        Direction::Remove => Ok(removing(base, rate)),
        Direction::Add => Ok(adding(base, rate)),
    }
}

/// Between the joined curve and one pair of datasets.
fn replacing(base: &SharedPair, rate: f64) -> SharedPair {
    let (above, below, slack) = match base.bounds() {
        Some(Bounds { above, below, slack }) => (above, below, *slack),
        None => (base, base, Slack::NONE),
    };
    let sampled = |pair: &SharedPair| removing(SharedPair::clone(pair), rate);
    let above = Arc::new(JoinedPair::of_self_dual(sampled(above)));
    let pair = Arc::new(Between(Bounds { above, below: sampled(below), slack }));
    Arc::new(Noted { pair, note: NOTE.to_owned() })
}

/// What an answer under replace-one rests on.
const NOTE: &str = "under replace-one the sensitivity is taken to bound adding or removing a record, too; the upper end is a theorem's, the lower end that of \
                    replacing a record by one without effect, and what is between them is not decided by theory";
