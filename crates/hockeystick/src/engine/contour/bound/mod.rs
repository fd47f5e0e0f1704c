//! What is bounded and not summed: the tail of a line, and compositions that are too small to matter.
//!
//! In: factors, and a tilt. Out: an [`Envelope`] of `|M|` for all larger t, and [`chernoff`]'s bound of δ by one moment.
//!
//! # Guarantee
//! Upper bounds, whatever the tilt.

mod chernoff;
mod decay;

pub use chernoff::{Chernoff, chernoff};
pub(super) use chernoff::{Moment, log_kappa};
pub(super) use decay::{Envelope, log_tail, tail_heights};
