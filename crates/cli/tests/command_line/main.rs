//! The binary as scripts see it: arguments and standard input in; output, complaints and exit code out.

mod answers;
mod bad_input;
mod compare;
mod estimates;
mod help;
mod plans;
mod questions;
mod run;
mod streams;
mod workloads;
