//! Shapes that several mechanisms share.

mod truncated;

pub(super) use truncated::TruncatedPair;
