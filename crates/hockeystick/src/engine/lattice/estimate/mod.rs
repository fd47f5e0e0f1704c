//! What is known of a composition in plain floats: where its answer lies, and which losses matter for it.
//!
//! In: the laws of the parts, and a question. Out: the saddle point, the window, the range of losses of each part, what atoms cost.
//!
//! # Guarantee
//! None. Estimates decide time and width; every bound is proven without them.

mod cumulants;
mod loose_atoms;
mod point_masses;
mod range;
mod saddle;
mod window;

pub(crate) use loose_atoms::{LooseAtoms, Twins};
pub(crate) use point_masses::PointMasses;
pub(crate) use saddle::{Estimate, Saddle};
pub(crate) use window::Window;
