//! Convolution of laws on a grid by a tilted FFT: tilt, transform, power, product, inverse transform.
//!
//! In: laws with their counts, a period, a tilt. Out: the composed masses, or the non-negligible bins of their spectrum, and a bound on their
//! round-off.
//!
//! # Guarantee
//! The masses of one period have at most the stated error in the 2-norm, and the stated relative error.

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
