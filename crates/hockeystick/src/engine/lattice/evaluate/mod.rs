//! A composed law, evaluated: δ at any ε, with aliasing and round-off.
//!
//! In: the composed masses of one period, or the leading bins of their spectrum. Out: δ, enclosed on its side.
//!
//! # Guarantee
//! `upper` is at least, `lower` at most the δ of the composed laws without any aliasing and round-off.

mod aliasing;
mod composed_law;
mod fourier_sums;
mod tail_sums;
mod window_sums;

pub(crate) use composed_law::{ComposedLaw, weight_norm};
