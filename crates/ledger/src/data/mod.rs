//! What a ledger keeps, as plain data: budgets, entries, times.
//!
//! In: words and JSON. Out: checked values, and the same words again.
//!
//! # Guarantee
//! Printing and reading are inverse, so that a chain of hashes over what is printed is one over what is meant.

mod budget;
mod entry;
mod invalid;
mod period;
mod time;

pub(crate) use budget::check_text;
pub use budget::{AccountKind, Budget, Limit};
pub use entry::{Entry, Event};
pub use invalid::InvalidData;
pub use period::Period;
pub use time::{Span, Time};
