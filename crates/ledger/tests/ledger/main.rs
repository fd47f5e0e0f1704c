//! Ledgers: what every store must do, a model, many processes, killed processes, tampering.

mod clock;
mod conformance;
mod model;
mod processes;
mod tampering;
