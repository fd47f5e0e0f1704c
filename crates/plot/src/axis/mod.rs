//! Axes: where numbers go, and which of them are written down.
//!
//! In: a label, a scale, and the numbers to be shown. Out: a [`Ruler`] that places numbers, and [`Tick`]s.
//!
//! # Guarantee
//! Only finite numbers that the scale can show make an axis longer. Every ruler has a positive length, so that places are finite.

mod described;
mod ruler;
mod scale;
mod ticks;

pub use described::Axis;
pub(crate) use ruler::Ruler;
pub use scale::Scale;
pub(crate) use ticks::{Tick, plain};
