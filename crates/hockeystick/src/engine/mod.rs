//! Engines: composed losses in, certified probabilities out. No engine knows a mechanism's name.

pub mod budget;
pub mod closed_form;

pub use budget::Budget;
