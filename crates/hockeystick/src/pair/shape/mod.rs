//! Shapes of pairs that several mechanisms share.

mod joined;
mod profile;
mod shifted;
mod truncated;

pub use joined::JoinedPair;
pub use profile::{Bound, InvalidBound, PiecewisePair};
pub(super) use shifted::ShiftedPair;
pub(super) use truncated::TruncatedPair;
