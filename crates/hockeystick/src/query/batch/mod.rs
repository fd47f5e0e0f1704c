//! Many questions at once.
//!
//! In: questions about different mechanisms, or calibrations. Out: their answers in the same order, as soon as all before them are there.
//!
//! All cores work on them, and what is asked twice is answered once.
//!
//! # Guarantee
//! An answer is the same, bit for bit, as if its question were asked alone. The limits of a query hold for each of its questions; those of
//! the calling thread hold for all together.

mod calibrations;
mod distinct;
mod questions;
mod workers;

pub use calibrations::{Wanted, calibrations, distinct_calibrations};
pub use distinct::Distinct;
pub use questions::{Asked, answers, distinct, each_answer};
pub use workers::in_order;
