//! The layer under every certificate: enclosures, rounding, special functions, FFT, quadrature, roots.
//! No word of privacy is spoken here.
//!
//! From plain to certified: [`error_free`] transforms and directed [`rounding`] carry [`enclosure`]s of doubles and
//! [`ball`]s of 106 bits ([`double_double`]); [`special`] functions state an error bound each. On these stand the
//! [`mills`] ratio, [`log_factorial`], [`bessel`] ratios, [`probability`], sums, searches, [`quadrature`], [`fft`]
//! and [`exponential_sums`], [`band_limited`] functions. [`limits`] stop what takes too long.

pub mod limits;

pub mod error_free;
pub mod rounding;

pub mod disc;
pub mod enclosure;
pub mod probability;

pub mod ball;
pub mod double_double;

pub mod band_limited;
pub mod bessel;
pub mod half_circle;
pub mod log_factorial;
pub mod mills;
pub mod special;

pub mod exponential_sums;
pub mod fft;
pub mod minimize;
pub mod quadrature;
pub mod roots;
pub mod summation;
pub mod trigonometric_sum;
pub mod vectorised;
