//! What an attacker can do.

use crate::{Expression, Failure, guarded, settings::Settings};
use pyo3::{Python, pyfunction};

/// Lower and upper end.
type Between = (f64, f64);

/// Advantage, accuracy, true positive rate and belief.
#[pyfunction]
pub(crate) fn risk(
    py: Python<'_>,
    expression: &Expression,
    fpr: f64,
    prior: f64,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<(Between, Between, Between, Between, &'static str), Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    guarded(py, || {
        let curves = settings.query(&expression.0).curves()?;
        let (advantage, accuracy) = (curves.advantage().value(), curves.accuracy(prior)?);
        let (detected, belief) = (curves.true_positive_rate(fpr)?.value(), curves.belief(prior, fpr)?);
        let [advantage, accuracy, detected, belief] =
            [advantage, accuracy, detected, belief].map(|ends| (ends.lower(), ends.upper()));
        Ok((advantage, accuracy, detected, belief, curves.method().name()))
    })
}
