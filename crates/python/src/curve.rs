//! Curves: trade-off, losses, Rényi divergences, and the points at which they are worth drawing.

use crate::{Expression, Failure, guarded, settings::Settings, sweep, sweep::Ends};
use hockeystick::{
    pair::Direction,
    query::{Guarantee, Method, Reading},
};
use pyo3::{
    Bound, Python, pyfunction,
    types::{PyByteArray, PyBytes},
};

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
    sweep::sweep(py, fprs, || {
        let curves = settings.query(&expression.0).curves()?;
        Ok(move |fpr| {
            let missed = curves.trade_off(fpr)?.value();
            Ok(certified(missed.lower(), missed.upper(), curves.method()))
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
    sweep::sweep(py, orders, || {
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
    let at = sweep::doubles(at)?;
    let tails = guarded(py, || {
        let curves = settings.query(&expression.0).curves()?;
        let mut patience = sweep::Patience::new();
        at.iter()
            .map(|&loss| {
                patience.check()?;
                Ok(curves.loss_tail(loss))
            })
            .collect::<Result<Vec<_>, Failure>>()
    })?;
    let with = (
        sweep::bytes(py, tails.iter().map(|tail| tail.with.lower())),
        sweep::bytes(py, tails.iter().map(|tail| tail.with.upper())),
    );
    let without = (
        sweep::bytes(py, tails.iter().map(|tail| tail.without.lower())),
        sweep::bytes(py, tails.iter().map(|tail| tail.without.upper())),
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
    Ok((sweep::bytes(py, epsilons.into_iter()), sweep::bytes(py, losses.into_iter())))
}
