//! The binary as scripts see it: arguments and standard input in; output, complaints and exit code out.

mod answers;
mod bad_input;
mod charts;
mod compare;
mod digits;
mod documentation;
mod estimates;
mod formats;
mod help;
mod json_schema;
mod plans;
mod questions;
mod run;
mod shown;
mod statements;
mod streams;
mod workloads;
