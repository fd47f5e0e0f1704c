//! Shapes of pairs that several mechanisms share.

mod joined;
mod profile;

pub use joined::JoinedPair;
pub use profile::{Bound, InvalidBound, PiecewisePair};
