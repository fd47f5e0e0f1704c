//! Shapes that worst-case pairs share, whatever mechanism they come from.

mod combine;
mod discrete;
mod mixture;
mod outcomes;
mod sums;

pub use discrete::DiscretePair;
pub(super) use mixture::{logistic, mixed_loss};
