//! What the tests of this crate share: reference files, and errors measured exactly.

pub mod decimal;
pub mod extended;
pub mod golden;
