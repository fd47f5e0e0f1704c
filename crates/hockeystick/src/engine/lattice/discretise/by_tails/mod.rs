//! Laws from tails and curves alone, for pairs that cannot show their outcomes. Exact, but microseconds per point.
//!
//! In: the tails of a pair, and a lattice. Out: the laws as published.
//!
//! # Guarantee
//! Pessimistic laws dominate the pair and optimistic ones are dominated by it.

mod buckets;
mod connect_the_dots;
mod merged;

pub(super) use buckets::{buckets_down, buckets_up};
pub(super) use connect_the_dots::connect_the_dots;
pub(super) use merged::merged;
