//! Laws on a grid, convolved: each tilted and transformed, raised to the power of its count, multiplied, and transformed back.
//!
//! In: laws with their counts, a period, a tilt. Out: the composed masses, or the few bins of their spectrum that matter, and a bound on
//! their round-off.
//!
//! # Guarantee
//! The masses of one period are off by at most the stated distance in the 2-norm, and by the stated factor.

mod bin_source;
mod buffers;
mod direct_bins;
mod inverse;
mod leading_bins;
mod power;
mod spectrum;
mod tilt;

pub use bin_source::BinSources;
pub(crate) use buffers::{Buffers, Window};
pub(crate) use inverse::{Inverted, Scales};
pub(crate) use spectrum::Spectrum;

#[cfg(test)]
mod tests;
