//! The layer under every certificate: enclosures, rounding, special functions, FFT, quadrature, roots.
//! No word of privacy is spoken here.

pub mod fft;
pub mod minimize;
pub mod quadrature;
mod residual;
pub mod roots;
pub mod special;
pub mod summation;
