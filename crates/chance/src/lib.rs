//! Random numbers for tests and campaigns: the same on every machine, so that whatever they show can be shown again. No word of
//! privacy.
//!
//! [`Random`] draws numbers; [`fuzz`] throws mutated bytes at a reader.

pub mod fuzz;
mod mutate;
mod random;

pub use mutate::mutated;
pub use random::Random;
