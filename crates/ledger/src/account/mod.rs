//! What was spent of a budget, and whether more fits.
//!
//! In: an account with its parts and holds, and a mechanism. Out: what all of it comes to.
//!
//! # Guarantee
//! Every number about privacy is the library's: a certified composition of a planned account, a filter of an adaptive one. What it comes
//! to is at least the truth, so that what is admitted does not overspend.

mod costing;
mod proof;
mod refusal;
mod standing;
mod text;
mod view;

pub(crate) use costing::Costing;
pub use proof::Proof;
pub use refusal::{Refusal, Why};
pub(crate) use standing::standing;
pub use standing::{Holding, Interval, Standing};
pub(crate) use text::{is_contained, parsed, whole_parts};
pub(crate) use view::{View, charged, led, renewed};
