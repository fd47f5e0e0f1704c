//! Shapes of pairs that several mechanisms share.

mod combine;
mod discrete;
mod joined;
mod mixture;
mod outcomes;
mod profile;
mod shifted;
mod sums;
mod truncated;

pub use discrete::DiscretePair;
pub use joined::JoinedPair;
pub(super) use mixture::{logistic, mixed_loss};
pub use profile::{Bound, InvalidBound, PiecewisePair};
pub(super) use shifted::ShiftedPair;
pub(super) use truncated::TruncatedPair;
