//! Questions and their answers.
//!
//! In: a mechanism, a relation, a method, a tolerance, and what is asked. Out: an [`Answer`], a curve, a risk, a calibrated number.
//!
//! # Guarantee
//! The truth is within the ends of every answer that is not labelled an estimate, and a tolerance that was not met is said.

pub mod batch;

mod accountant;
mod answer;
mod arguments;
mod ask;
mod bound;
mod calibrate;
mod compare;
mod curves;
mod delta;
mod epsilon;
mod filter;
mod folded;
mod grid;
mod known;
mod limited;
mod losses;
mod prepared;
mod pure;
mod question;
mod renyi;
mod risk;
#[cfg(test)]
mod tests;
mod width;

pub use crate::plan::{Method, UnknownMethod};
pub use accountant::Accountant;
pub use answer::{Answer, Guarantee, Shortfall, Unknown};
pub use ask::Query;
pub use calibrate::{Calibration, CalibrationError, Family, Function, Outcome, Target, Verdict, calibrate};
pub use compare::{Compared, Comparison};
pub use curves::Curves;
pub use filter::{Amounts, Filter, Guard, Reached, SpendingLimit, Theorem};
pub use folded::FoldedParts;
pub use grid::{even_grid, geometric_grid, whole_grid};
pub use losses::{LossAtom, LossCell, LossKind, LossShape, LossTail};
pub use prepared::{Prepared, Reading};
pub use risk::odds_factor;
