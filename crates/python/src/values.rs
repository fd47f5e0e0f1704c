//! The values of parameters, between Python and the catalogue.

use crate::{Expression, Failure};
use hockeystick::mechanism::{self, Entry, Kind, Mechanism, Presence, Value};
use pyo3::{
    Bound, IntoPyObjectExt, Py, PyAny, Python, pyfunction,
    types::{PyAnyMethods, PyBool, PyDict, PyDictMethods, PyString, PyTypeMethods},
};

/// Named values as the catalogue wants them: of the kind that their parameter takes where Python can tell, and otherwise of
/// their own kind, to be refused by the catalogue in its own words.
pub(crate) fn read<'a>(
    name: &str,
    given: &'a [(String, Bound<'_, PyAny>)],
) -> Result<Vec<(&'a str, Value<'static>)>, Failure> {
    let entry = mechanism::entry_of(name);
    let kind = |parameter: &str| {
        let described = entry.and_then(|entry| entry.parameters.iter().find(|known| known.name == parameter));
        described.map(|described| described.kind)
    };
    given
        .iter()
        .map(|(parameter, value)| {
            Ok((parameter.as_str(), value_of(kind(parameter), entry, parameter, value)?))
        })
        .collect()
}

fn value_of(
    kind: Option<Kind>,
    entry: Option<&Entry>,
    parameter: &str,
    value: &Bound<'_, PyAny>,
) -> Result<Value<'static>, Failure> {
    let refused = || {
        let (mechanism, expected) =
            (entry.map_or("", |entry| entry.name), kind.map_or("a value", Kind::words));
        let found =
            value.get_type().qualname().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
        Failure::Kind(format!("{mechanism}: {parameter} takes {expected}, not {found}"))
    };
    // True is 1 to Python, and a mistake to everyone else.
    if value.is_instance_of::<PyBool>() || !is_real(value) {
        return Err(refused());
    }
    match kind {
        Some(Kind::Number) => value.extract().map(Value::Number).map_err(|_| refused()),
        // What is no whole number is for the catalogue to refuse.
        Some(Kind::Whole) => (value.extract().map(Value::Whole))
            .or_else(|_| value.extract().map(Value::Number))
            .map_err(|_| refused()),
        Some(Kind::Numbers) if value.is_instance_of::<PyString>() => Err(refused()),
        Some(Kind::Numbers) => {
            value.extract::<Vec<f64>>().map(|list| Value::Numbers(list.into())).map_err(|_| refused())
        }
        Some(Kind::Text) => {
            value.extract::<String>().map(|text| Value::Text(text.into())).map_err(|_| refused())
        }
        Some(Kind::Mechanism) => {
            let inner = value.extract::<pyo3::PyRef<'_, Expression>>().map_err(|_| refused())?;
            Ok(Value::Mechanism(std::borrow::Cow::Owned(inner.0.clone())))
        }
        // The catalogue knows no such parameter, and says so whatever the value.
        None => Ok(Value::Number(0.0)),
    }
}

/// Whether NumPy, if the value is one of its own, calls it a real number: truth values and complex numbers are none.
fn is_real(value: &Bound<'_, PyAny>) -> bool {
    let kind = value.getattr("dtype").and_then(|kind| kind.getattr("kind")?.extract::<String>());
    kind.map_or(true, |kind| matches!(kind.as_str(), "f" | "i" | "u"))
}

/// A value as Python has it.
pub(crate) fn written(py: Python<'_>, value: Value<'_>) -> Result<Py<PyAny>, Failure> {
    Ok(match value {
        Value::Number(number) => number.into_py_any(py)?,
        Value::Whole(whole) => whole.into_py_any(py)?,
        Value::Numbers(list) => list.into_owned().into_py_any(py)?,
        Value::Text(text) => text.into_owned().into_py_any(py)?,
        Value::Mechanism(inner) => Expression(Mechanism::clone(&inner)).into_py_any(py)?,
    })
}

/// What is known of every mechanism: name, meaning, pair, example, and for each parameter its name, meaning, kind and default.
#[pyfunction]
pub(crate) fn catalogue(py: Python<'_>) -> Result<Vec<Bound<'_, PyDict>>, Failure> {
    let entries = mechanism::catalogue().iter().map(|entry| {
        let parameters = entry.parameters.iter().map(|parameter| {
            let described = PyDict::new(py);
            described.set_item("name", parameter.name)?;
            described.set_item("meaning", parameter.meaning)?;
            described.set_item("kind", parameter.kind.words())?;
            described.set_item(
                "default",
                match parameter.presence {
                    Presence::Default(default) => Some(default),
                    Presence::Required | Presence::Alternative => None,
                },
            )?;
            described.set_item("required", parameter.presence == Presence::Required)?;
            Ok(described)
        });
        let described = PyDict::new(py);
        described.set_item("name", entry.name)?;
        described.set_item("meaning", entry.meaning)?;
        described.set_item("pair", entry.pair)?;
        described.set_item("example", entry.example)?;
        described.set_item("parameters", parameters.collect::<Result<Vec<_>, Failure>>()?)?;
        Ok(described)
    });
    entries.collect()
}
