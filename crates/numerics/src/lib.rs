//! The layer under every certificate: enclosures, rounding, special functions, FFT, quadrature, roots.
//! No word of privacy is spoken here.
