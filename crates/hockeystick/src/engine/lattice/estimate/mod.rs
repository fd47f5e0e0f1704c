//! Estimates in plain floats: the saddle point, the window, the relevant losses.
//!
//! In: the laws of the parts, and a question. Out: saddle point, window, the relevant range of losses of each part, the cost of atoms.
//!
//! # Guarantee
//! None. Estimates affect time and width only; no bound depends on them.

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
