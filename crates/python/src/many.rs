//! Many questions about different mechanisms, and many calibrations: a row each, on all cores.

use crate::{
    Expression, Failure,
    calibration::{Found, refused, wanted},
    curve::{guarantee, method},
    guarded::guarded_each,
    numbers::{bytes, doubles},
    settings::Settings,
};
use hockeystick::{
    engine::Goal,
    mechanism::{Mechanism, Pattern, Template},
    query::{
        Reading,
        batch::{self, Asked, Wanted},
    },
};
use pyo3::{
    Bound, FromPyObject, IntoPyObjectExt, Py, PyAny, PyErr, PyRef, PyResult, Python, pyfunction,
    types::{PyByteArray, PyBytes},
};
use std::{convert::Infallible, ops::ControlFlow};

/// What is asked about in a row.
#[derive(FromPyObject)]
pub(crate) enum About<'py> {
    Expression(PyRef<'py, Expression>),
    Text(String),
}

/// A column of a table: doubles, or texts. What is not a number, and no text, is missing.
#[derive(FromPyObject)]
pub(crate) enum Column<'py> {
    Numbers(Bound<'py, PyBytes>),
    Texts(Vec<Option<String>>),
}

/// A row's place, and what goes with it.
type At<T> = Vec<(usize, T)>;

/// Lower ends (NaN where there is none), upper ends (NaN where there is no answer), guarantee, method, the errors of rows, the
/// shortfalls of rows, and how many different questions there were.
type Rows<'py> = (
    Bound<'py, PyByteArray>,
    Bound<'py, PyByteArray>,
    &'static str,
    &'static str,
    At<Py<PyAny>>,
    At<String>,
    usize,
);

/// Why a row has no answer.
type Refusal = (usize, Failure);

/// ε at δ, or δ at ε, of every row that has both a mechanism and a number.
#[pyfunction]
pub(crate) fn answers<'py>(
    py: Python<'py>,
    rows: Vec<Option<About<'py>>>,
    given: &Bound<'py, PyBytes>,
    unknown: &str,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Rows<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let given = doubles(given)?;
    let goal = |given| match unknown {
        "delta" => Goal::Delta { epsilon: given },
        _ => Goal::Epsilon { delta: given },
    };
    let asked: Vec<(usize, Result<Mechanism, String>, Goal)> = (rows.into_iter().zip(&given).enumerate())
        .filter_map(|(at, (about, given))| {
            let about = about.filter(|_| !given.is_nan())?;
            let about = match about {
                About::Expression(expression) => Ok(expression.0.clone()),
                About::Text(text) => Err(text),
            };
            Some((at, about, goal(*given)))
        })
        .collect();
    let (found, mut refusals, distinct) = guarded_each(py, || Ok(answered(asked, settings)))?;
    let (mut readings, mut shortfalls) = (Vec::new(), Vec::new());
    let (mut lower, mut upper) = (vec![f64::NAN; given.len()], vec![f64::NAN; given.len()]);
    for (at, answer) in found {
        match answer {
            Ok(reading) => {
                (lower[at], upper[at]) = (reading.lower.unwrap_or(f64::NAN), reading.upper);
                shortfalls.extend(reading.shortfall.map(|shortfall| (at, shortfall.to_string())));
                readings.push(reading);
            }
            Err(error) => refusals.push((at, error.into())),
        }
    }
    Ok((
        bytes(py, lower.into_iter()),
        bytes(py, upper.into_iter()),
        guarantee(&readings),
        self::method(&readings),
        raised(py, refusals)?,
        shortfalls,
        distinct,
    ))
}

/// Readings by place, why other rows are no questions, and how many different ones there were.
type Answered = (At<Result<Reading, hockeystick::Error>>, Vec<Refusal>, usize);

fn answered(asked: Vec<(usize, Result<Mechanism, String>, Goal)>, settings: Settings) -> Answered {
    let (mut mechanisms, mut refusals) = (Vec::with_capacity(asked.len()), Vec::new());
    let read = |at: usize| match &asked[at].1 {
        Ok(mechanism) => Ok(mechanism.clone()),
        Err(text) => text.parse::<Mechanism>().map_err(|error| Failure::parsing(text, &error)),
    };
    each(asked.len(), read, |row, mechanism| {
        let (at, _, goal) = &asked[row];
        match mechanism {
            Ok(mechanism) => mechanisms.push((*at, mechanism, *goal)),
            Err(failure) => refusals.push((*at, failure)),
        }
    });
    let questions: Vec<Asked<'_>> = (mechanisms.iter())
        .map(|(_, mechanism, goal)| Asked { query: settings.query(mechanism), goal: *goal })
        .collect();
    let distinct = batch::distinct(&questions);
    let mut answers = Vec::with_capacity(questions.len());
    let all: ControlFlow<Infallible> = distinct.in_order(
        |row| questions[row].answer().map(|answer| Reading::from(&answer)),
        |row, answer| {
            answers.push((mechanisms[row].0, answer));
            ControlFlow::Continue(())
        },
    );
    let ControlFlow::Continue(()) = all;
    (answers, refusals, distinct.count())
}

/// All of them on all cores, in order.
fn each<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync, mut hand_on: impl FnMut(usize, T)) {
    let all: ControlFlow<Infallible> = batch::in_order(count, work, |at, made| {
        hand_on(at, made);
        ControlFlow::Continue(())
    });
    let ControlFlow::Continue(()) = all;
}

/// Exceptions, to be shown and not to be raised.
fn raised(py: Python<'_>, mut refusals: Vec<Refusal>) -> PyResult<At<Py<PyAny>>> {
    refusals.sort_by_key(|(at, _)| *at);
    (refusals.into_iter())
        .map(|(at, failure)| Ok((at, PyErr::from(failure).into_value(py).into_py_any(py)?)))
        .collect()
}

/// An expression filled with the values of each row; nothing where one is missing.
#[pyfunction]
pub(crate) fn filled(
    py: Python<'_>,
    text: &str,
    names: Vec<String>,
    columns: Vec<Column<'_>>,
    count: usize,
) -> Result<Vec<Option<String>>, Failure> {
    enum Cells {
        Numbers(Vec<f64>),
        Texts(Vec<Option<String>>),
    }
    let columns: Vec<Cells> = (columns.into_iter())
        .map(|column| match column {
            Column::Numbers(numbers) => Ok(Cells::Numbers(doubles(&numbers)?)),
            Column::Texts(texts) => Ok(Cells::Texts(texts)),
        })
        .collect::<Result<_, Failure>>()?;
    guarded_each(py, || {
        let pattern = Pattern::read(text);
        let cell = |name: &str, row: usize| {
            let column = names.iter().position(|known| known == name)?;
            match columns.get(column)? {
                // The fewest digits that read back as the same double.
                Cells::Numbers(numbers) => {
                    numbers.get(row).filter(|number| !number.is_nan()).map(|number| format!("{number}"))
                }
                Cells::Texts(texts) => texts.get(row)?.clone(),
            }
        };
        Ok((0..count).map(|row| pattern.fill(|name| cell(name, row)).ok()).collect())
    })
}

/// The names in braces of an expression.
#[pyfunction]
pub(crate) fn names(text: &str) -> Vec<String> {
    Pattern::read(text).names().into_iter().map(str::to_owned).collect()
}

/// What calibration found in each row, or the error of the row, or nothing where a row is missing. The targets are columns, NaN where
/// one is not given: ε, δ, advantage, true and false positive rate.
#[pyfunction]
pub(crate) fn calibrations<'py>(
    py: Python<'py>,
    rows: Vec<Option<String>>,
    targets: [Bound<'py, PyBytes>; 5],
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<(Vec<Py<PyAny>>, usize), Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let targets = targets.map(|column| doubles(&column));
    let [epsilon, delta, advantage, tpr, fpr] = targets;
    let (epsilon, delta, advantage, tpr, fpr) = (epsilon?, delta?, advantage?, tpr?, fpr?);
    let number = |column: &[f64], at: usize| column.get(at).copied().filter(|number| !number.is_nan());
    let (found, distinct) = guarded_each(py, || {
        let target = |at| {
            wanted((
                number(&epsilon, at),
                number(&delta, at),
                number(&advantage, at),
                number(&tpr, at),
                number(&fpr, at),
            ))
        };
        let read = |at: usize| {
            rows[at].as_deref().map(|text: &str| {
                let template = Template::parse(text).map_err(|error| Failure::parsing(text, &error))?;
                Ok((template, target(at)?))
            })
        };
        let mut templates: Vec<Option<Result<_, Failure>>> = Vec::with_capacity(rows.len());
        each(rows.len(), read, |_, read| templates.push(read));
        let (places, searches): (Vec<usize>, Vec<Wanted<'_>>) = (templates.iter().enumerate())
            .filter_map(|(at, read)| match read {
                Some(Ok((template, target))) => Some((at, settings.wanted(template, *target))),
                Some(Err(_)) | None => None,
            })
            .unzip();
        let mut all: Vec<Option<Result<Found, Failure>>> = rows.iter().map(|_| None).collect();
        let distinct = batch::distinct_calibrations(&searches).count();
        let found = batch::calibrations(&searches);
        for (at, found) in places.into_iter().zip(found) {
            let text = rows[at].as_deref().unwrap_or_default();
            all[at] = Some(found.map(Found::from).map_err(|error| refused(text, error)));
        }
        for (at, read) in templates.into_iter().enumerate() {
            if let Some(Err(failure)) = read {
                all[at] = Some(Err(failure));
            }
        }
        Ok((all, distinct))
    })?;
    let found = found.into_iter().map(|row| match row {
        None => Ok(py.None()),
        Some(Ok(found)) => found.into_py_any(py),
        Some(Err(failure)) => PyErr::from(failure).into_value(py).into_py_any(py),
    });
    Ok((found.collect::<PyResult<_>>()?, distinct))
}
