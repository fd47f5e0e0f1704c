//! Curves, read at many points: ε over δ, δ over ε, trade-off, losses, Rényi divergences; and where they are worth drawing.

use crate::{
    Expression, Failure, guarded,
    guarded::guarded_each,
    numbers::{bytes, doubles},
    settings::Settings,
    sweep::sweep,
};
use hockeystick::query::LossTail;
use hockeystick::{
    Error,
    curve::conversion::NearbyTests,
    pair::Direction,
    query::{Guarantee, Method, Reading},
};
use pyo3::{
    Bound, Python, pyfunction,
    types::{PyByteArray, PyBytes},
};

/// Lower ends (NaN where there is none), upper ends, guarantee and method.
type Ends<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, &'static str, &'static str);

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
    readings(py, settings, deltas, || {
        let mut prepared = settings.query(&expression.0).prepare();
        Ok(move |delta| prepared.epsilon(delta))
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
    readings(py, settings, epsilons, || {
        let mut prepared = settings.query(&expression.0).prepare();
        Ok(move |epsilon| prepared.delta(epsilon))
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
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    readings(py, settings, fprs, || {
        let (curves, mut nearby) = (settings.query(&expression.0).curves()?, NearbyTests::default());
        Ok(move |fpr| {
            let missed = curves.trade_off_near(fpr, &mut nearby)?.value();
            Ok(certified(missed.lower(), missed.upper(), curves.method()))
        })
    })
}

/// The largest true positive rate at each false positive rate.
#[pyfunction]
pub(crate) fn true_positive_rates<'py>(
    py: Python<'py>,
    expression: &Expression,
    fprs: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    readings(py, settings, fprs, || {
        let (curves, mut nearby) = (settings.query(&expression.0).curves()?, NearbyTests::default());
        Ok(move |fpr| {
            let found = curves.trade_off_near(fpr, &mut nearby)?.complement();
            Ok(certified(found.lower(), found.upper(), curves.method()))
        })
    })
}

/// The Rényi divergence at each order.
#[pyfunction]
pub(crate) fn renyi<'py>(
    py: Python<'py>,
    expression: &Expression,
    orders: &Bound<'py, PyBytes>,
    relation: &str,
) -> Result<Ends<'py>, Failure> {
    let settings = Settings::read(relation, "auto", None)?;
    readings(py, settings, orders, || {
        let query = settings.query(&expression.0);
        Ok(move |order| {
            let divergence = query.renyi(order)?;
            Ok(certified(divergence.lower(), divergence.upper(), Method::Rdp))
        })
    })
}

/// Lower and upper ends.
type Chances<'py> = (Bound<'py, PyByteArray>, Bound<'py, PyByteArray>);

/// The chances of a loss above each number: with the record, and without it.
#[pyfunction]
pub(crate) fn losses<'py>(
    py: Python<'py>,
    expression: &Expression,
    at: &Bound<'py, PyBytes>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<(Chances<'py>, Chances<'py>), Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    let at = doubles(at)?;
    let tails: Vec<LossTail> = guarded_each(py, || {
        sweep(&at, settings.limits, || {
            let curves = settings.query(&expression.0).curves()?;
            Ok(move |loss| Ok(curves.loss_tail(loss)))
        })
    })?;
    let with = (
        bytes(py, tails.iter().map(|tail| tail.with.lower())),
        bytes(py, tails.iter().map(|tail| tail.with.upper())),
    );
    let without = (
        bytes(py, tails.iter().map(|tail| tail.without.lower())),
        bytes(py, tails.iter().map(|tail| tail.without.upper())),
    );
    Ok((with, without))
}

/// `count` values of ε, and as many losses, between which a curve is worth drawing.
#[pyfunction]
pub(crate) fn interesting<'py>(
    py: Python<'py>,
    expression: &Expression,
    count: usize,
    relation: &str,
) -> Result<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>), Failure> {
    let settings = Settings::read(relation, "auto", None)?;
    let (epsilons, losses) = guarded(py, || {
        let curves = settings.query(&expression.0).curves()?;
        Ok((curves.interesting_epsilons(count), curves.interesting_losses(count)))
    })?;
    Ok((bytes(py, epsilons.into_iter()), bytes(py, losses.into_iter())))
}

/// The readings of a sweep, end by end.
fn readings<'py, A>(
    py: Python<'py>,
    settings: Settings,
    at: &Bound<'py, PyBytes>,
    prepare: impl Fn() -> Result<A, Error> + Send + Sync,
) -> Result<Ends<'py>, Failure>
where
    A: FnMut(f64) -> Result<Reading, Error>,
{
    let at = doubles(at)?;
    let readings = guarded_each(py, || sweep(&at, settings.limits, prepare))?;
    let lower = bytes(py, readings.iter().map(|reading| reading.lower.unwrap_or(f64::NAN)));
    let upper = bytes(py, readings.iter().map(|reading| reading.upper));
    Ok((lower, upper, guarantee(&readings), method(&readings)))
}

/// Two proven ends.
fn certified(lower: f64, upper: f64, method: Method) -> Reading {
    Reading {
        lower: Some(lower),
        upper,
        guarantee: Guarantee::Certified,
        method,
        direction: Direction::Remove,
        shortfall: None,
    }
}

/// What all of them promise: the least of their promises.
pub(crate) fn guarantee(readings: &[Reading]) -> &'static str {
    let rank = |guarantee: Guarantee| match guarantee {
        Guarantee::Certified => 0,
        Guarantee::UpperBound => 1,
        Guarantee::Estimate => 2,
    };
    let least = readings.iter().map(|reading| reading.guarantee).max_by_key(|&guarantee| rank(guarantee));
    least.unwrap_or(Guarantee::Certified).name()
}

/// The method, `auto` if there were several.
pub(crate) fn method(readings: &[Reading]) -> &'static str {
    match readings {
        [first, rest @ ..] if rest.iter().all(|reading| reading.method == first.method) => {
            first.method.name()
        }
        _ => "auto",
    }
}
