//! What an attacker can do.

use crate::{Expression, Failure, guarded, settings::Settings, sweep};
use hockeystick::query::Reading;
use pyo3::{Bound, Python, pyfunction, types::PyBytes};

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

/// The trade-off function at each false positive rate.
#[pyfunction]
pub(crate) fn tradeoff<'py>(
    py: Python<'py>,
    expression: &Expression,
    fprs: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<sweep::Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let at = sweep::doubles(fprs)?;
    let readings = guarded(py, || {
        let curves = settings.query(&expression.0).curves()?;
        sweep::readings(&at, |fpr| {
            let missed = curves.trade_off(fpr)?.value();
            Ok(Reading {
                lower: Some(missed.lower()),
                upper: missed.upper(),
                guarantee: hockeystick::query::Guarantee::Certified,
                method: curves.method(),
                direction: hockeystick::pair::Direction::Remove,
                shortfall: None,
            })
        })
    })?;
    Ok(sweep::ends(py, &readings))
}
