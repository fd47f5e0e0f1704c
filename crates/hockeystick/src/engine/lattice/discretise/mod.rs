//! From pairs to laws on a lattice, on either side of the truth.

mod buckets;
mod connect_the_dots;
mod grid;
mod merged;

pub(super) use buckets::{buckets_down, buckets_up};
pub(super) use connect_the_dots::connect_the_dots;
pub(super) use grid::Grid;
pub(super) use merged::merged;
