//! One question, one answer.

use crate::{Expression, Failure, answer::Plain, guarded::guarded_each, settings::Settings};
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
    guarded_each(py, || Ok(settings.query(&expression.0).epsilon(delta)?.into()))
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
    guarded_each(py, || Ok(settings.query(&expression.0).delta(epsilon)?.into()))
}

/// How an answer comes about: the answer, the plan for each direction (direction, engine, reason), and the theorems.
type Explanation = (Plain, Vec<(String, String, &'static str)>, Vec<&'static str>);

/// ε at δ or δ at ε, explained.
#[pyfunction]
#[pyo3(signature = (expression, delta, epsilon, relation, method, tolerance))]
pub(crate) fn explain(
    py: Python<'_>,
    expression: &Expression,
    delta: Option<f64>,
    epsilon: Option<f64>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Explanation, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let (delta, epsilon) = one_of(delta, epsilon)?;
    guarded_each(py, || {
        let query = settings.query(&expression.0);
        let answer = delta.map_or_else(|| query.delta(epsilon), |delta| query.epsilon(delta))?;
        let plans = (answer.plans().iter())
            .map(|plan| (plan.direction.to_string(), plan.engine.to_string(), plan.reason))
            .collect();
        let mut theorems = Vec::new();
        for theorem in answer.plans().iter().flat_map(|plan| plan.engine.theorems()) {
            if !theorems.contains(theorem) {
                theorems.push(*theorem);
            }
        }
        Ok((answer.into(), plans, theorems))
    })
}

/// What one method says: its name, its answer or why it has none, and how many times too large it is (lower and upper end).
type Opinion = (&'static str, Option<Plain>, Option<String>, Option<(f64, f64)>);

/// ε at δ or δ at ε by every method: the best answer, and all of them.
#[pyfunction]
#[pyo3(signature = (expression, delta, epsilon, relation, tolerance))]
pub(crate) fn compare(
    py: Python<'_>,
    expression: &Expression,
    delta: Option<f64>,
    epsilon: Option<f64>,
    relation: &str,
    tolerance: Option<f64>,
) -> Result<(Plain, Vec<Opinion>), Failure> {
    let settings = Settings::read(relation, "auto", tolerance)?;
    let (delta, epsilon) = one_of(delta, epsilon)?;
    guarded_each(py, || {
        let query = settings.query(&expression.0);
        let comparison =
            delta.map_or_else(|| query.compare_delta(epsilon), |delta| query.compare_epsilon(delta))?;
        let opinions = comparison.methods.into_iter().map(|compared| {
            let factor = compared.factor.map(|factor| (factor.lower(), factor.upper()));
            match compared.outcome {
                Ok(answer) => (compared.method.name(), Some(answer.into()), None, factor),
                Err(error) => (compared.method.name(), None, Some(error.to_string()), factor),
            }
        });
        Ok((comparison.best.into(), opinions.collect()))
    })
}

/// The number that is given; 0 in place of an ε that is not.
fn one_of(delta: Option<f64>, epsilon: Option<f64>) -> Result<(Option<f64>, f64), Failure> {
    match (delta, epsilon) {
        (Some(delta), None) => Ok((Some(delta), 0.0)),
        (None, Some(epsilon)) => Ok((None, epsilon)),
        _ => Err(Failure::Kind("give delta or epsilon, and not both".to_owned())),
    }
}
