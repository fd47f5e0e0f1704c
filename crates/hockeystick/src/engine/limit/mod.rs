//! The engine of limits: many small losses add up to a normal one ([Sommer19, Sec. 5]).
//!
//! In: pairs with counts, in one direction. Out: the privacy loss class of the composition; δ of the normal law of the same
//! class, which is an estimate; and bounds of its distance from the truth, which make it an interval.
//!
//! # Guarantee
//! Intervals enclose the truth. The normal law alone is an estimate, and is called one.

mod class;
mod distance;
mod gaussian_dp;
mod probabilistic;
mod profile;

pub use class::ComposedClass;
pub use distance::Distance;
pub use gaussian_dp::{gaussian_area, matching_mu, mu_of_class, mu_of_noisy_sgd};
pub use probabilistic::{Tail, markov_tail, normal_tail};
pub use profile::NormalLimit;
