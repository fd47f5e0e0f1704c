//! Replacing a record, for mechanisms whose pair is known for adding or removing one.

use super::SharedPair;
use crate::error::Error;

/// The pair for replacing a record, which has to dominate in both orders.
pub(super) fn replacing(pair: &SharedPair) -> Result<SharedPair, Error> {
    if pair.is_self_dual() {
        return Ok(SharedPair::clone(pair));
    }
    Err(Error::NotProven {
        what: "replacing a record for a mechanism whose worst case depends on the direction",
        reason: "either record may be the worse one, and the pair covers one order only",
        instead: "use the relation add-remove",
    })
}
