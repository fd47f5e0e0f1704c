//! The binary as scripts see it: arguments and standard input in; output, complaints and exit code out.

mod answers;
mod bad_input;
mod compare;
mod documentation;
mod estimates;
mod formats;
mod help;
mod limits;
mod plans;
mod questions;
mod run;
mod shown;
mod streams;
mod workloads;
