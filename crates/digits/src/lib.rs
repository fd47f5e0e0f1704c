//! Intervals of doubles as decimals that are honest: what is printed contains what is meant, and is at most twice as wide.
//!
//! The one place that decides which digits a person sees, for the command line and for Python alike.

mod exact;
mod interval;
mod notation;
mod quote;

pub use interval::{Bounds, Shown};
pub use notation::Notation;
pub use quote::{few_digits_down, few_digits_up, quote};
