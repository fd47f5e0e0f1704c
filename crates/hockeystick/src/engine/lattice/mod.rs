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
mod discretise;
mod draft;
mod groups;
mod law;
mod leading_bins;
mod loose_atoms;
mod moments;
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
pub use discretise::{CONNECT_THE_DOTS, Discretisation};
pub use law::{LatticeLaw, Optimistic, Pessimistic};
pub use plan::{Convolution, LatticePlan, Options};
pub use steps::{Laws, Steps};

// What published accountants share.
pub(crate) use buffers::Buffers;
pub(crate) use compose::{Composition, Inverted, Scales};
#[cfg(test)]
pub(crate) use discretise::tests as discretise_tests;
pub(crate) use discretise::{
    Builder, Cell, Discretise, Gap, Grid, Strides, cells, connect_the_dots, connect_the_dots_by_tails,
    falling_from_the_left, falling_from_the_right,
};
pub(crate) use draft::grid;
pub(crate) use loose_atoms::LooseAtoms;
pub(crate) use outcomes::{Outcomes, Stretch};
pub(crate) use plan::{Costs, Planner, Range};
pub(crate) use sketch::Sketch;
