//! Which engine answers, with which parameters, and why: data that can be printed and tested, and then run.
//!
//! In: a composition, a question, a method and a tolerance. Out: for each direction that has to be looked at a [`Plan`]
//! together with the profile that it leads to. Closed forms come first, then exact sums if they are no more work than
//! the others, then the contour if its line is expected to be narrow enough, then the lattice; where neither is, both answer and the
//! narrower end of each counts.
//!
//! # Guarantee
//! A plan decides speed and width only: every engine that it can name encloses.

mod between;
mod engine;
mod method;
mod narrowest;
mod no_worse;
mod points;
mod request;
mod samples;
mod total_variation;
mod within_losses;

pub use engine::{Engine, Plan};
pub use method::{Method, UnknownMethod};
pub use no_worse::Reached;
pub use request::{Composed, Request};
pub(crate) use samples::Engines;
