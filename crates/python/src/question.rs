//! One question, one answer.

use crate::{Expression, Failure, answer::Plain, guarded, settings::Settings};
use pyo3::{Python, pyfunction};

/// ε at δ.
#[pyfunction]
#[pyo3(signature = (expression, delta, relation, method, tolerance))]
pub(crate) fn epsilon(
    py: Python<'_>,
    expression: &Expression,
    delta: f64,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Plain, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    guarded(py, || Ok(settings.query(&expression.0).epsilon(delta)?.into()))
}

/// δ at ε.
#[pyfunction]
#[pyo3(signature = (expression, epsilon, relation, method, tolerance))]
pub(crate) fn delta(
    py: Python<'_>,
    expression: &Expression,
    epsilon: f64,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Plain, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    guarded(py, || Ok(settings.query(&expression.0).delta(epsilon)?.into()))
}
