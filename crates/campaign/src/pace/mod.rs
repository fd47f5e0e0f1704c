//! How long questions take, and how much memory: random ones, extreme parameters included, each within the limits that people have by
//! default. Where an engine forgets to look at the clock, or at how much it holds, that is seen here.
//!
//! In: a seed and a number. Out: a [`Row`] of a ledger; [`Tally`] sums them up.
//!
//! # Guarantee
//! The same seed and number give the same errand. A panic is recorded, not passed on.

mod draw;
mod machine;
mod measure;
mod question;
mod rows;
mod seen;

pub use draw::errand;
pub use measure::run;
pub use question::{Errand, Question, Share};
pub use rows::{Row, SLOW, TOO_MUCH, TOO_SLOW, Tally, append, read};
pub use seen::{Outcome, Seen};
