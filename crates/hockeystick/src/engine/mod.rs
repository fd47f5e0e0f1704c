//! Engines: composed losses in, certified probabilities out. No engine knows a mechanism's name.

pub mod closed_form;
pub mod contour;
pub mod lattice;
mod masses;

pub use crate::curve::Budget;
