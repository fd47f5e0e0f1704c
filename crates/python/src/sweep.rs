//! Many questions about one composition, numbers in and out as the bytes of doubles.

use crate::{Expression, Failure, guarded, settings::Settings};
use hockeystick::{
    Error,
    query::{Guarantee, Prepared, Reading},
};
use pyo3::{
    Bound, Python,
    exceptions::PyValueError,
    pyfunction,
    types::{PyByteArray, PyBytes, PyBytesMethods},
};
use std::time::{Duration, Instant};

/// How often Python may say that the user has had enough.
const PATIENCE: Duration = Duration::from_millis(50);

/// Lower ends (NaN where there is none), upper ends, guarantee and method.
pub(crate) type Ends<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, &'static str, &'static str);

/// ε at each δ.
#[pyfunction]
#[pyo3(signature = (expression, deltas, relation, method, tolerance))]
pub(crate) fn epsilons<'py>(
    py: Python<'py>,
    expression: &Expression,
    deltas: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    sweep(py, expression, settings, deltas, |prepared, delta| prepared.epsilon(delta))
}

/// δ at each ε.
#[pyfunction]
#[pyo3(signature = (expression, epsilons, relation, method, tolerance))]
pub(crate) fn deltas<'py>(
    py: Python<'py>,
    expression: &Expression,
    epsilons: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    sweep(py, expression, settings, epsilons, |prepared, epsilon| prepared.delta(epsilon))
}

fn sweep<'py>(
    py: Python<'py>,
    expression: &Expression,
    settings: Settings,
    at: &Bound<'py, PyBytes>,
    ask: impl Fn(&mut Prepared<'_>, f64) -> Result<Reading, Error> + Sync,
) -> Result<Ends<'py>, Failure> {
    let at = doubles(at)?;
    let readings = guarded(py, || {
        let mut prepared = settings.query(&expression.0).prepare();
        readings(&at, |x| ask(&mut prepared, x))
    })?;
    Ok(ends(py, &readings))
}

/// The ends as bytes.
pub(crate) fn ends<'py>(py: Python<'py>, readings: &[Reading]) -> Ends<'py> {
    let bytes = |end: fn(&Reading) -> f64| {
        let bytes: Vec<u8> = readings.iter().flat_map(|reading| end(reading).to_ne_bytes()).collect();
        PyByteArray::new(py, &bytes)
    };
    let lower = bytes(|reading| reading.lower.unwrap_or(f64::NAN));
    let upper = bytes(|reading| reading.upper);
    (lower, upper, guarantee(readings), method(readings))
}

/// Asks in rising order, in which neighbouring questions help each other, and stops when Python is interrupted.
pub(crate) fn readings(
    at: &[f64],
    mut ask: impl FnMut(f64) -> Result<Reading, Error>,
) -> Result<Vec<Reading>, Failure> {
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_unstable_by(|&a, &b| at[a].total_cmp(&at[b]));
    let mut readings: Vec<Option<Reading>> = vec![None; at.len()];
    let mut heard = Instant::now();
    let mut last: Option<(f64, Reading)> = None;
    for index in order {
        let x = at[index];
        let reading = match last {
            Some((same, reading)) if same.to_bits() == x.to_bits() => reading,
            Some(_) | None => ask(x)?,
        };
        last = Some((x, reading));
        readings[index] = Some(reading);
        if heard.elapsed() > PATIENCE {
            Python::attach(|py| py.check_signals())?;
            heard = Instant::now();
        }
    }
    Ok(readings.into_iter().flatten().collect())
}

pub(crate) fn doubles(bytes: &Bound<'_, PyBytes>) -> Result<Vec<f64>, Failure> {
    let (chunks, rest) = bytes.as_bytes().as_chunks::<8>();
    if !rest.is_empty() {
        return Err(PyValueError::new_err("the bytes are not those of doubles").into());
    }
    Ok(chunks.iter().map(|chunk| f64::from_ne_bytes(*chunk)).collect())
}

/// What all of them promise: the least of their promises.
fn guarantee(readings: &[Reading]) -> &'static str {
    let rank = |guarantee: Guarantee| match guarantee {
        Guarantee::Certified => 0,
        Guarantee::UpperBound => 1,
        Guarantee::Estimate => 2,
    };
    let least = readings.iter().map(|reading| reading.guarantee).max_by_key(|&guarantee| rank(guarantee));
    least.unwrap_or(Guarantee::Certified).name()
}

/// The method, `auto` if there were several.
fn method(readings: &[Reading]) -> &'static str {
    match readings {
        [first, rest @ ..] if rest.iter().all(|reading| reading.method == first.method) => {
            first.method.name()
        }
        _ => "auto",
    }
}
