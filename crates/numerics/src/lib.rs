//! The layer under every certificate: enclosures, rounding, special functions, FFT, quadrature, roots.
//! No word of privacy is spoken here.

pub mod ball;
pub mod double_double;
pub mod enclosure;
pub mod error_free;
pub mod log_factorial;
pub mod mills;
pub mod minimize;
pub mod probability;
pub mod quadrature;
mod residual;
pub mod roots;
pub mod rounding;
pub mod special;
pub mod summation;
