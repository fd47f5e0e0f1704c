//! The one number of an expression, or of a function, that meets a target.

use crate::{Expression, Failure, answer::Plain, guarded, settings::Settings};
use hockeystick::{
    mechanism::{Mechanism, Template},
    query::{Calibration, CalibrationError, Family, Function, Outcome, Target, Unknown, calibrate as search},
};
use pyo3::{
    Bound, IntoPyObject, Py, PyAny, PyErr, PyRef, PyResult, Python,
    exceptions::{PyArithmeticError, PyTypeError, PyValueError},
    pyfunction,
    types::PyAnyMethods,
};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
pub(crate) type Numbers = (Option<f64>, Option<f64>, Option<f64>, Option<f64>, Option<f64>);

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
    let target = wanted(target)?;
    guarded(py, || {
        let template = Template::parse(text).map_err(|error| Failure::parsing(text, &error))?;
        found(&template, target, settings).map_err(|error| refused(text, error))
    })
}

/// Finds the number to give to a function that makes expressions. What the function raises is raised here, unless it means that a
/// number is not allowed while others are.
#[pyfunction]
pub(crate) fn calibrate_function(
    py: Python<'_>,
    function: Py<PyAny>,
    target: Numbers,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Found, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let target = wanted(target)?;
    let raised = Raised::default();
    let found = guarded(py, || {
        let family = Function::new(|value| raised.unless(|py| made(function.bind(py), value)));
        found(&family, target, settings).map_err(|error| refused("", error))
    });
    match raised.into_error() {
        Some(error) => Err(error.into()),
        None => found,
    }
}

pub(crate) fn wanted(target: Numbers) -> Result<Target, Failure> {
    match target {
        (Some(epsilon), Some(delta), None, None, None) => Ok(Target::Guarantee { epsilon, delta }),
        (None, None, Some(at_most), None, None) => Ok(Target::Advantage { at_most }),
        (None, None, None, Some(at_most), Some(false_positives)) => {
            Ok(Target::TruePositives { at_most, false_positives })
        }
        _ => Err(Failure::Kind(
            "there is no target; give epsilon and delta, or advantage, or tpr and fpr".to_owned(),
        )),
    }
}

pub(crate) fn refused(text: &str, error: CalibrationError) -> Failure {
    match error {
        CalibrationError::Expression(error) => Failure::parsing(text, &error),
        CalibrationError::Question(error) => error.into(),
    }
}

fn found(family: &dyn Family, target: Target, settings: Settings) -> Result<Found, CalibrationError> {
    let Settings { relation, method, tolerance, .. } = settings;
    search(family, target, relation, method, tolerance).map(Found::from)
}

impl From<Calibration> for Found {
    fn from(found: Calibration) -> Self {
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
        Self(parameter, outcome, found.value(), found.too_little(), expression, (name, at, answer.into()))
    }
}

/// The expression that a function makes of a number. What is counted may have to be a whole number to Python, too.
fn made(function: &Bound<'_, PyAny>, value: f64) -> PyResult<Mechanism> {
    let py = function.py();
    let whole = value as i64;
    let result = match function.call1((value,)) {
        Err(error) if error.is_instance_of::<PyTypeError>(py) && whole as f64 == value => {
            function.call1((whole,))
        }
        result => result,
    };
    Ok(result?.extract::<PyRef<'_, Expression>>().map_err(PyErr::from)?.0.clone())
}

/// What a function raised.
#[derive(Default)]
struct Raised(Mutex<Reasons>);

#[derive(Default)]
struct Reasons {
    /// Why the first number was refused: of no interest as soon as there is a mechanism of another one.
    refusal: Option<PyErr>,
    /// Whether there was a mechanism.
    is_fruitful: bool,
    /// What ends the search.
    end: Option<PyErr>,
}

impl Raised {
    /// What a function gives; nothing if it raises, or has raised what ends the search.
    fn unless(&self, make: impl FnOnce(Python<'_>) -> PyResult<Mechanism>) -> Option<Mechanism> {
        if self.lock().end.is_some() {
            return None;
        }
        Python::attach(|py| {
            let error = match make(py) {
                Ok(mechanism) => {
                    self.lock().is_fruitful = true;
                    return Some(mechanism);
                }
                Err(error) => error,
            };
            let is_refusal = error.is_instance_of::<PyValueError>(py)
                || error.is_instance_of::<PyTypeError>(py)
                || error.is_instance_of::<PyArithmeticError>(py);
            let mut reasons = self.lock();
            let place = if is_refusal { &mut reasons.refusal } else { &mut reasons.end };
            place.get_or_insert(error);
            None
        })
    }

    /// What is to be raised: what ended the search, or why no number was taken.
    fn into_error(self) -> Option<PyErr> {
        let reasons = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        reasons.end.or(reasons.refusal.filter(|_| !reasons.is_fruitful))
    }

    fn lock(&self) -> MutexGuard<'_, Reasons> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
