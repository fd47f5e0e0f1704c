//! The worst-case pairs of all parts of a composition.

use crate::{
    composition::Part,
    error::Error,
    pair::{Direction, SharedPair, dominating_pair},
};
use std::thread;

/// From this many parts on a second thread is worth it.
const MANY_PARTS: usize = 64;

/// Each with how often it is used.
pub(super) fn pairs(parts: &[Part<'_>], direction: Direction) -> Result<Vec<(SharedPair, u64)>, Error> {
    let of = |parts: &[Part<'_>]| -> Result<Vec<(SharedPair, u64)>, Error> {
        let pair = |part: &Part<'_>| Ok((dominating_pair(part.mechanism, direction)?, part.count));
        parts.iter().map(pair).collect()
    };
    if parts.len() < MANY_PARTS {
        return of(parts);
    }
    let (first, second) = parts.split_at(parts.len() / 2);
    thread::scope(|scope| {
        let second = scope.spawn(|| of(second));
        let first = of(first);
        // A panic there goes on here.
        let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let mut pairs = first?;
        pairs.extend(second?);
        Ok(pairs)
    })
}
