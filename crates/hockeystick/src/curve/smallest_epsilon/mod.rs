//! `ε(δ)`, the certified inverse of a privacy profile.
//!
//! In: a profile and a δ, perhaps with a guess, or with the roots of neighbouring questions. Out: an interval for ε, or why there is none.
//!
//! The search is done on plain midpoints. Then the ends are moved outward until `δ` is *proven* to be at most the target
//! at the upper end, and above it at the lower: the search may be as sloppy as it likes, the answer is right.
//!
//! # Guarantee
//! `δ(upper) ≤ target` is proven, or `upper = ∞`; `δ(lower) > target` is proven, or `lower = 0`.

mod guess;
mod neighbours;
mod outward;
mod root;
mod search;
mod sides;

pub(crate) use neighbours::Neighbours;
pub(crate) use search::smallest_epsilon_near;
pub use search::{NoEpsilon, smallest_epsilon};
