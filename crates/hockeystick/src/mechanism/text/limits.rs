//! How long and how deep a text may be.

/// The longest text that is read, 512 KiB.
pub const MAX_TEXT_BYTES: usize = 512 * 1024;

/// How many parentheses can be open at a time.
pub const MAX_NESTING: usize = 64;

/// The longest calculation. It bounds the digits of fractions, and so the time.
pub const MAX_CALCULATION_BYTES: usize = 1000;
