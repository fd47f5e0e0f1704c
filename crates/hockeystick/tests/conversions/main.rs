//! Conversions between the representations of a pair: against definitions and closed forms, there and back, and against
//! the misprints of the papers.

mod adp_graph;
mod characteristic;
mod curves;
mod divergences;
mod errata;
mod pairs;
