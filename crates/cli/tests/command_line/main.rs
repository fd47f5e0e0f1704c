//! The binary as scripts see it: arguments and standard input in; output, complaints and exit code out.

mod advice;
mod answers;
mod bad_input;
mod charts;
#[allow(dead_code)]
#[path = "../../../ledger/tests/ledger/cluster.rs"]
mod cluster;
mod compare;
mod confined;
mod digits;
mod documentation;
mod estimates;
mod formats;
mod help;
mod interrupted;
mod json_schema;
mod ledger;
mod limits;
mod plans;
mod questions;
mod releases;
mod rows;
mod run;
mod shown;
mod statements;
mod streams;
mod verdicts;
mod workloads;
