//! What is bounded and not summed: the tail of a line, and compositions that are too small to matter.
//!
//! In: factors, and a tilt. Out: an [`Envelope`] of `|M|` for all larger t, or what was [`Gathered`] of very many pairs, and what one [`Moment`] bounds.
//!
//! # Guarantee
//! Upper bounds, whatever the tilt.

mod decay;
mod gathered;
mod moment;

pub(super) use decay::{Envelope, log_tail, tail_heights};
pub(super) use gathered::Gathered;
pub(super) use moment::{Moment, log_kappa};
