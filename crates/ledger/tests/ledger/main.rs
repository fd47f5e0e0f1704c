//! Ledgers: what every store must do, a model, many processes, killed processes, tampering, stores that fail.

// Children tell their parents what became of them.
#![allow(clippy::print_stdout)]

mod adversary;
mod clock;
mod cluster;
mod conformance;
mod failures;
mod model;
mod place;
mod processes;
mod tampering;
