//! The binary as scripts see it: arguments and standard input in; output, complaints and exit code out.

mod answers;
mod bad_input;
mod compare;
mod help;
mod questions;
mod run;
mod streams;
mod workloads;
