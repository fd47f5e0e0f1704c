//! Special functions with stated error bounds.
//!
//! In: a double. Out: the double nearest to the function, or nearly.
//!
//! # Guarantee
//! Every function `name` has a constant `NAME_ERROR_UNITS`: a bound on its relative error in units of
//! [`UNIT_ROUNDOFF`] u = 2⁻⁵³. A correctly rounded function has at most 1 such unit (half an ulp is at
//! most one u of the value). For every argument whose exact result does not overflow,
//!
//! ```text
//! |computed − exact| ≤ NAME_ERROR_UNITS · u · |exact| + UNDERFLOW_FLOOR
//! ```
//!
//! The [`UNDERFLOW_FLOOR`] only matters where the exact result, or the exact distance from a limit, is
//! below the smallest normal number 2⁻¹⁰²². Complex functions satisfy the same inequality with moduli:
//! it bounds the distance in the plane, not each component. [`log_sum_exp`] cannot have a relative bound
//! (its value crosses zero); its documentation says what holds instead.
//!
//! Certificates rest on these constants. Each is larger than the worst error found against
//! arbitrary-precision reference values (`tests/special_functions.rs` measures it again on every run);
//! `# Accuracy` in each function's documentation quotes that worst error.
//!
//! # Special values
//! A NaN argument gives NaN, and so does an argument outside the domain. Poles and limits at infinity give
//! the infinity or the limit. Results beyond the largest number are infinite.
//!
//! # Same bits everywhere
//! The elementary functions are those of `pxfm`, pure Rust, in place of the platform's libm, whose last bits
//! differ from one system to the next. Where `pxfm` rounds correctly, as it did in every sample, its choice
//! of instructions cannot change the result; builds with and without fused multiply-add agreed in 3 million
//! arguments of each function. Residuals of products are always computed with [`f64::mul_add`], which is
//! fused by definition.

mod cis;
mod complex;
mod elementary;
mod erfc;
mod log1mexp;
mod log_binomial;
mod log_gamma;
mod log_sum_exp;
pub mod near_zero;
mod normal;
mod normal_quantile;
pub mod quick;
mod stirling;

pub use cis::{CIS_ERROR_UNITS, cis};
pub use complex::{
    COMPLEX_EXPM1_ERROR_UNITS, COMPLEX_LOG1P_ERROR_UNITS, complex_expm1, complex_log1p, modulus,
};
pub use elementary::{
    EXP_ERROR_UNITS, EXPM1_ERROR_UNITS, LN_1P_ERROR_UNITS, LN_ERROR_UNITS, exp, expm1, ln, ln_1p,
};
pub use erfc::{
    ERF_ERROR_UNITS, ERFC_ERROR_UNITS, ERFCX_ERROR_UNITS, LOG_ERFC_ERROR_UNITS, erf, erfc, erfcx, log_erfc,
};
pub use log_binomial::{LOG_BINOMIAL_ERROR_UNITS, log_binomial};
pub use log_gamma::{LOG_GAMMA_ERROR_UNITS, log_gamma};
pub use log_sum_exp::{LOG_SUM_EXP_ERROR_UNITS, log_sum_exp};
pub use log1mexp::{LOG1MEXP_ERROR_UNITS, log1mexp};
pub use normal::{NORMAL_CDF_ERROR_UNITS, NORMAL_LOG_CDF_ERROR_UNITS, normal_cdf, normal_log_cdf};
pub use normal_quantile::{NORMAL_QUANTILE_ERROR_UNITS, normal_quantile};
pub use stirling::{STIRLING_ERROR_ERROR_UNITS, stirling_error};

pub use crate::rounding::UNIT_ROUNDOFF;

/// 2⁻¹⁰⁷⁴, the smallest positive number: the absolute error that every bound of this module allows on top
/// of its relative part, because results below 2⁻¹⁰²² are rounded to a multiple of it.
pub const UNDERFLOW_FLOOR: f64 = f64::from_bits(1);
