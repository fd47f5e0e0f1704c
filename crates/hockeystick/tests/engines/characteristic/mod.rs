//! Characteristic functions as published: estimates against references, bounds against references, and \[Zhu22\]'s numbers.

#![allow(clippy::print_stdout, reason = "measured errors are part of what a sweep shows")]

mod edge_cases;
mod golden;
mod zhu;
