//! Where to draw lines, in plain floats: a bad choice costs width or time, never soundness.
//!
//! In: factors, and a question. Out: a [`Saddle`] with the [`Sketch`] of `K` that it was found with, the line there
//! ([`best_line`]), and, if rare losses matter, a [`ScaleTable`] of which scales of losses do.
//!
//! # Guarantee
//! None. Nothing is proven with any of it.

pub(super) mod best_line;
mod likeness;
pub(super) mod saddle;
mod scale_table;
mod scaled_losses;
mod sketch;

pub(super) use best_line::{Aim, DISTANCES, Planned};
pub(super) use likeness::searchable;
pub(super) use saddle::Saddle;
pub(super) use scale_table::ScaleTable;
pub(super) use sketch::{Cumulants, Sketch, cumulants_of};
