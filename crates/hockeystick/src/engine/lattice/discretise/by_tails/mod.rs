//! Laws from tails and curves alone, for pairs that cannot show their outcomes. Exact, but microseconds per point.

mod buckets;
mod connect_the_dots;
mod merged;

pub(super) use buckets::{buckets_down, buckets_up};
pub(super) use connect_the_dots::connect_the_dots;
pub(super) use merged::merged;
