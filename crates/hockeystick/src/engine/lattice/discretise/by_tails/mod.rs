//! Laws from tail probabilities and curves, for pairs that do not list their outcomes. They cost microseconds per point.
//!
//! In: the tails of a pair, and a grid. Out: laws on it.
//!
//! # Guarantee
//! Pessimistic laws dominate the pair and optimistic ones are dominated by it.

mod connect_the_dots;
mod merged;
mod monotone;

pub(crate) use connect_the_dots::connect_the_dots;
pub(crate) use merged::merged;
pub(crate) use monotone::{falling_from_the_left, falling_from_the_right};
