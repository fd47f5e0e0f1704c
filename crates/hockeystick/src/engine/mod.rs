//! Engines: composed losses in, certified probabilities out. No engine knows a mechanism's name.

pub mod characteristic;
pub mod classic;
pub mod closed_form;
pub mod contour;
pub mod exact;
mod goal;
pub mod lattice;
pub mod limit;
pub(crate) mod masses;
pub mod moments;

pub use crate::curve::Budget;
pub use goal::Goal;
