//! The worst-case pairs of all parts of a composition.

use crate::{
    composition::Part,
    error::Error,
    pair::{Direction, SharedPair, dominating_pair},
    two_threads::mapped,
};

/// From this many parts on a second thread is worth it.
const MANY_PARTS: usize = 64;

/// Each with how often it is used.
pub(super) fn pairs(parts: &[Part<'_>], direction: Direction) -> Result<Vec<(SharedPair, u64)>, Error> {
    let pair = |part: &Part<'_>| Ok((dominating_pair(part.mechanism, direction)?, part.count));
    mapped(parts, MANY_PARTS, pair).into_iter().collect()
}
