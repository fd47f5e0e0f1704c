//! The lattice engine: losses put on a lattice, composed by a tilted FFT, with the error of every step in the bound.
//!
//! In: pairs with counts, in one direction. Out: a profile whose upper end comes from a pessimistic law and whose lower end from
//! an optimistic one ([Doroshenko22, Sec. 3 and 5]), with truncation, aliasing and round-off on the safe side of each.
//!
//! ```text
//! outcomes      what a pair can produce: densities and atoms
//! estimate      saddle point, window, ranges of losses, in plain floats
//! choice        method, spacing, groups: pure functions of plain numbers
//! groups        parts with atoms, composed before they are put on a grid
//! discretise    outcomes and a grid: a law above, a law below
//! convolve      laws: tilted, transformed, raised to their counts, multiplied
//! evaluate      δ(ε) of the composed law, with aliasing and round-off
//! refine        choose, compose, look at the width, choose again
//! profile       the answers
//! ```
//!
//! # Guarantee
//! Both ends hold for every spacing, tilt and window: a bad choice of them costs width.

mod answer;
mod ceiling;
mod choice;
mod compose;
mod convolve;
mod discretise;
mod enumerate;
mod estimate;
mod evaluate;
mod grid;
mod groups;
mod law;
mod options;
mod outcomes;
mod problem;
mod profile;
mod refine;
mod stages;
mod tuning;

pub use answer::LossMass;
pub use ceiling::Ceiling;
pub use choice::{Convolution, LatticePlan};
pub use convolve::BinSources;
pub use discretise::{CONNECT_THE_DOTS, Discretisation};
pub use law::{LatticeLaw, Optimistic, Pessimistic};
pub use options::Options;
pub use profile::Lattice;
pub use refine::TooLarge;
pub use stages::{Laws, Stages};

// What the accountants of `published` share.
pub(crate) use convolve::{Buffers, Inverted, Scales, Spectrum};
#[cfg(test)]
pub(crate) use discretise::tests as discretise_tests;
pub(crate) use discretise::{
    Builder, Cell, Discretise, Gap, cells, connect_the_dots, connect_the_dots_by_tails,
    falling_from_the_left, falling_from_the_right,
};
pub(crate) use estimate::{Estimate, LooseAtoms, PointMasses};
pub(crate) use evaluate::{ComposedLaw, weight_norm};
pub(crate) use grid::{Grid, LossRange};
pub(crate) use outcomes::{Outcomes, Stretch};
pub(crate) use tuning::TUNING;
