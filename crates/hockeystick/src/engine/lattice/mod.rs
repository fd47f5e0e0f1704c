//! The lattice engine: losses rounded to a lattice, composed by a tilted FFT, with the error of every step in the bound.
//!
//! In: pairs with counts, in one direction. Out: a profile whose upper end comes from a pessimistic law and whose lower end from
//! an optimistic one ([Doroshenko22, Sec. 3 and 5]), with aliasing, truncation and round-off added to the one and subtracted from the other.

mod compose;
mod composed;
mod discretise;
mod law;
mod plan;
mod window;

pub use composed::Composed;
pub use law::{LatticeLaw, Optimistic, Pessimistic};
pub use plan::{Discretisation, Goal, Lattice, LatticePlan, TooLarge};
