//! The lattice engine: losses rounded to a lattice, composed by a tilted FFT, with the error of every step in the bound.
//!
//! In: pairs with counts, in one direction. Out: a profile whose upper end comes from a pessimistic law and whose lower end from
//! an optimistic one ([Doroshenko22, Sec. 3 and 5]), with truncation, aliasing and round-off on the safe side of each.
//!
//! # Guarantee
//! Both ends hold for every spacing, tilt and window: a bad choice of them costs width.

mod answers;
mod buffers;
mod build;
mod compose;
mod composed;
mod composition;
mod coupling;
mod discretise;
mod draft;
mod fourier;
mod groups;
mod law;
mod leading_bins;
mod loose_atoms;
mod moments;
mod one_use;
mod outcomes;
mod plan;
mod power;
mod sketch;
mod sparse;
mod steps;
mod tails;
mod tilt;
mod waves;

pub use answers::LossMass;
pub use composed::Composed;
pub use composition::{Ceiling, Lattice, TooLarge};
pub use coupling::coupling_error;
pub use discretise::Discretisation;
pub use fourier::Fourier;
pub use law::{LatticeLaw, Optimistic, Pessimistic};
pub use one_use::OneUse;
pub use plan::{Convolution, LatticePlan, Options};
pub use steps::{Laws, Steps};
