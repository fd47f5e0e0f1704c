//! Shapes that several mechanisms share.

mod shifted;
mod truncated;

pub(super) use shifted::ShiftedPair;
pub(super) use truncated::TruncatedPair;
