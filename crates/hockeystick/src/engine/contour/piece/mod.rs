//! Pieces: events whose contributions to δ add up to all of it, each integrated in its own way.
//!
//! In: factors, and a target. Out: a [`Piece`] for everything ([`Line`]), or for one scale of losses after the other ([`slices`]), and
//! for what is too little to be integrated ([`Remainder`]).
//!
//! # Guarantee
//! Every piece encloses its contribution at every ε.

mod contribution;
mod line;
mod outline;
mod remainder;
pub(super) mod slices;

pub(super) use contribution::Piece;
pub(super) use line::Line;
pub use outline::Outline;
pub(super) use remainder::Remainder;
