//! What the tests of this crate share: reference files, and errors measured exactly.

// Each test binary compiles all of it and uses a part.
#![allow(dead_code, unreachable_pub)]

pub mod extended;
