//! Samplers: pair → pair, each naming the relation it is proved for.

mod poisson;
mod sampled;
mod subset;

pub(crate) use poisson::poisson;
pub(crate) use subset::{needs_symmetry, subset};
