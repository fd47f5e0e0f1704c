//! Reference values of many digits, and exact comparisons with doubles. For tests only.
//!
//! References are decimals of 50 digits made in arbitrary-precision ball arithmetic (see `testdata/README.md`). Comparing
//! them through `f64::parse` would hide errors below half an ulp, so everything here is done digit by digit.

pub mod decimal;
pub mod printed;
mod table;

pub use decimal::Decimal;
pub use table::{Row, cell, files, rows, rows_of};
