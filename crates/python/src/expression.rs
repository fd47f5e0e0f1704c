//! A mechanism, as a value that Python can hold.

use crate::{Failure, guarded, values};
use hockeystick::{
    composition,
    mechanism::{self, Compose, Mechanism},
};
use pyo3::{
    Bound, PyAny, PyRef, Python, pyclass, pymethods,
    types::{PyAnyMethods, PyDict, PyDictMethods},
};
use std::{
    collections::hash_map::DefaultHasher,
    hash::{Hash, Hasher},
};

/// A mechanism, sampled, repeated and composed. It never changes.
#[pyclass(frozen, eq, module = "hockeystick._engine")]
#[derive(PartialEq)]
pub(crate) struct Expression(pub(crate) Mechanism);

#[pymethods]
impl Expression {
    /// Reads the text form.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> Result<Self, Failure> {
        guarded(py, || text.parse().map(Self).map_err(|error| Failure::parsing(text, &error)))
    }

    /// Reads the JSON form.
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> Result<Self, Failure> {
        guarded(py, || {
            serde_json::from_str(text).map(Self).map_err(|error| Failure::Value(error.to_string()))
        })
    }

    /// The mechanism called `name` with named values.
    #[staticmethod]
    fn build(name: &str, values: &Bound<'_, PyDict>) -> Result<Self, Failure> {
        let given: Vec<(String, Bound<'_, PyAny>)> = values
            .iter()
            .map(|(name, value)| Ok((name.extract::<String>()?, value)))
            .collect::<Result<_, Failure>>()?;
        Ok(Self(mechanism::build(name, values::read(name, &given)?)?))
    }

    /// All of them, one after the other.
    #[staticmethod]
    fn compose(parts: Vec<PyRef<'_, Self>>) -> Result<Self, Failure> {
        let parts: Vec<Mechanism> = parts.iter().map(|part| part.0.clone()).collect();
        Compose::new(parts)
            .map(Self)
            .ok_or_else(|| Failure::Value("there is nothing to compose; add a mechanism".to_owned()))
    }

    /// Its name in text, or `compose` or `repeat`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The values that make it again, by name.
    fn arguments<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>, Failure> {
        let arguments = PyDict::new(py);
        for (name, value) in self.0.arguments() {
            arguments.set_item(name, values::written(py, value)?)?;
        }
        Ok(arguments)
    }

    /// The mechanisms it is made of: none for a leaf.
    fn parts(&self) -> Vec<Self> {
        self.0.parts().iter().cloned().map(Self).collect()
    }

    /// The mechanisms that are composed, with their total counts.
    fn uses(&self, py: Python<'_>) -> Result<Vec<(Self, u64)>, Failure> {
        guarded(py, || {
            let parts = composition::parts(&self.0)?;
            Ok(parts.into_iter().map(|part| (Self(part.mechanism.clone()), part.count)).collect())
        })
    }

    fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string(&self.0).map_err(|error| Failure::Engine(error.to_string()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Expression.parse({:?})", self.0.to_string())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Result<(Bound<'py, PyAny>, (String,)), Failure> {
        let read = slf.getattr("from_json")?;
        Ok((read, (slf.get().to_json()?,)))
    }
}
