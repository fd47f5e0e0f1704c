//! Who makes one pair of a composition that has none in a form of its own.

use super::{Direction, SharedPair};
use crate::error::Error;
use std::fmt;

/// The pairs of a composition in a direction, each with its number of uses.
pub(crate) type PairsOf<'a> = &'a dyn Fn(Direction) -> Result<Vec<(SharedPair, u64)>, Error>;

/// Makes one pair of a composition, by its curve: that takes engines, which pairs know nothing of.
pub(crate) trait Composer: fmt::Debug + Sync {
    /// The pair of all parts together; messages call it by the name.
    fn compose(&self, name: String, pairs: PairsOf<'_>, direction: Direction) -> Result<SharedPair, Error>;
}

/// Where no engine is at hand.
#[derive(Debug)]
pub(super) struct NoComposer;

impl Composer for NoComposer {
    fn compose(&self, name: String, _: PairsOf<'_>, _: Direction) -> Result<SharedPair, Error> {
        Err(Error::NotSampled {
            mechanism: name,
            reason: "a pair on its own is known for compositions of Gaussians with each other and of anything with discrete mechanisms; \
                     of others engines know the curve",
            instead: "ask a query about it",
        })
    }
}
