//! Engines: composed losses in, certified probabilities out. No engine knows a mechanism's name.
//!
//! In: laws of losses, or pairs, with their counts; a goal. Out: a composed profile, or a bound of δ and ε, and where its width comes from.
//!
//! # Guarantee
//! What is called an enclosure or a bound holds, whatever the parameters of the engine are; they cost width only. What cannot be
//! proven is another type.

pub mod classic;
pub mod closed_form;
pub mod contour;
pub mod exact;
mod goal;
pub mod lattice;
pub mod limit;
pub(crate) mod masses;
pub mod moments;
pub mod published;

pub use crate::curve::Budget;
pub use goal::Goal;
