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
pub(crate) fn epsilons<'py>(
    py: Python<'py>,
    expression: &Expression,
    deltas: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    sweep(py, deltas, || {
        let mut prepared = settings.query(&expression.0).prepare();
        Ok(move |delta| Prepared::epsilon(&mut prepared, delta))
    })
}

/// δ at each ε.
#[pyfunction]
pub(crate) fn deltas<'py>(
    py: Python<'py>,
    expression: &Expression,
    epsilons: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    sweep(py, epsilons, || {
        let mut prepared = settings.query(&expression.0).prepare();
        Ok(move |epsilon| Prepared::delta(&mut prepared, epsilon))
    })
}

/// Answers each number by what `prepare` makes, in rising order, in which neighbouring questions help each other.
pub(crate) fn sweep<'py, A>(
    py: Python<'py>,
    at: &Bound<'py, PyBytes>,
    prepare: impl FnOnce() -> Result<A, Error> + Send,
) -> Result<Ends<'py>, Failure>
where
    A: FnMut(f64) -> Result<Reading, Error>,
{
    let at = doubles(at)?;
    let readings = guarded(py, || {
        let mut ask = prepare()?;
        let mut order: Vec<usize> = (0..at.len()).collect();
        order.sort_unstable_by(|&a, &b| at[a].total_cmp(&at[b]));
        let mut readings: Vec<Option<Reading>> = vec![None; at.len()];
        let mut patience = Patience::new();
        let mut last: Option<(f64, Reading)> = None;
        for index in order {
            let x = at[index];
            let reading = match last {
                Some((same, reading)) if same.to_bits() == x.to_bits() => reading,
                Some(_) | None => ask(x)?,
            };
            last = Some((x, reading));
            readings[index] = Some(reading);
            patience.check()?;
        }
        Ok(readings.into_iter().flatten().collect::<Vec<_>>())
    })?;
    let lower = bytes(py, readings.iter().map(|reading| reading.lower.unwrap_or(f64::NAN)));
    let upper = bytes(py, readings.iter().map(|reading| reading.upper));
    Ok((lower, upper, guarantee(&readings), method(&readings)))
}

/// Lets Python stop a long computation.
pub(crate) struct Patience(Instant);

impl Patience {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    /// An error if the user has interrupted Python.
    pub(crate) fn check(&mut self) -> Result<(), Failure> {
        if self.0.elapsed() > PATIENCE {
            Python::attach(|py| py.check_signals())?;
            self.0 = Instant::now();
        }
        Ok(())
    }
}

/// Numbers as bytes, of which numpy makes an array.
pub(crate) fn bytes(py: Python<'_>, numbers: impl Iterator<Item = f64>) -> Bound<'_, PyByteArray> {
    let bytes: Vec<u8> = numbers.flat_map(f64::to_ne_bytes).collect();
    PyByteArray::new(py, &bytes)
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
