//! The one number of an expression that meets a target.

use crate::{Expression, Failure, answer::Plain, guarded, settings::Settings};
use hockeystick::{
    mechanism::Template,
    query::{CalibrationError, Outcome, Target, Unknown, calibrate as search},
};
use pyo3::{IntoPyObject, Python, pyfunction};

/// The parameter that was looked for, whether there is a value, the value, the nearest one that misses, the mechanism with it,
/// and what it spends: the answer, its name and the number it is given at.
#[derive(IntoPyObject)]
pub(crate) struct Found(
    &'static str,
    &'static str,
    Option<f64>,
    Option<f64>,
    Expression,
    (&'static str, f64, Plain),
);

/// The target by its numbers: ε and δ, or an advantage, or a true and a false positive rate.
type Numbers = (Option<f64>, Option<f64>, Option<f64>, Option<f64>, Option<f64>);

/// Finds the number in place of `?`.
#[pyfunction]
pub(crate) fn calibrate(
    py: Python<'_>,
    text: &str,
    target: Numbers,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Found, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let target = match target {
        (Some(epsilon), Some(delta), None, None, None) => Target::Guarantee { epsilon, delta },
        (None, None, Some(at_most), None, None) => Target::Advantage { at_most },
        (None, None, None, Some(at_most), Some(false_positives)) => {
            Target::TruePositives { at_most, false_positives }
        }
        _ => {
            return Err(Failure::Kind(
                "there is no target; give epsilon and delta, or advantage, or tpr and fpr".to_owned(),
            ));
        }
    };
    guarded(py, || {
        let template = Template::parse(text).map_err(|error| Failure::parsing(text, &error))?;
        let found = search(&template, target, settings.relation, settings.method, settings.tolerance)
            .map_err(|error| match error {
                CalibrationError::Expression(error) => Failure::parsing(text, &error),
                CalibrationError::Question(error) => error.into(),
            })?;
        let outcome = match found.outcome() {
            Outcome::Found { .. } => "found",
            Outcome::EveryValue { .. } => "every value",
            Outcome::Impossible { .. } => "impossible",
        };
        let answer = found.answer().clone();
        let (name, at) = match answer.unknown() {
            Unknown::Epsilon { delta } => ("epsilon", delta),
            Unknown::Delta { epsilon } => ("delta", epsilon),
            Unknown::TruePositives { false_positives } => ("tpr", false_positives),
        };
        let expression = Expression(found.mechanism().clone());
        let parameter = found.hole().parameter;
        Ok(Found(
            parameter,
            outcome,
            found.value(),
            found.too_little(),
            expression,
            (name, at, answer.into()),
        ))
    })
}
