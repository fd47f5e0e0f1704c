//! Pieces: events whose contributions to δ add up to all of it, each integrated in its own way.
//!
//! In: factors and a target. Out: pieces. A [`Line`] integrates the whole composition, or what is left below a cut; a
//! [`BandLimited`] one the whole where `|M|` does not decay. [`slices`] integrate one
//! scale of losses each. A [`Remainder`] is so small that it is only bounded.
//!
//! # Guarantee
//! Every piece encloses its contribution at every ε.

mod band_limited;
mod contribution;
mod line;
mod outline;
mod remainder;
pub(super) mod slices;

pub(super) use band_limited::BandLimited;
pub(super) use contribution::Piece;
pub(super) use line::Line;
pub use outline::Outline;
pub(super) use remainder::Remainder;
