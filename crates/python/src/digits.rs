//! Intervals in words: the same digits as on the command line.

use hockeystick_digits::{Bounds, Notation};

/// What is known of a number, with its sign of relation: `= 2.59445 ± 7e-5`.
#[pyo3::pyfunction]
pub(crate) fn shown(is_estimate: bool, lower: Option<f64>, upper: f64) -> String {
    Bounds::of(is_estimate, lower, upper).shown(Notation::Plain).relation
}
