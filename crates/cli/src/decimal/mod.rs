//! Intervals of doubles as decimals that are honest: what is printed contains what is meant.

mod exact;
mod interval;

pub(crate) use interval::{Bounds, Notation, Shown, few_digits_up};
