//! The one map from errors to exceptions. The texts are those of the command line.

use hockeystick::mechanism::{ArgumentError, BuildError, InvalidParameter, ParseError, UnknownRelation};
use hockeystick::query::UnknownMethod;
use pyo3::{
    PyErr,
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
};

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A value that is not allowed.
    Value(String),
    /// A value of a kind that is not allowed.
    Kind(String),
    /// The engine itself failed.
    Engine(String),
    /// Python has raised an exception already.
    Raised(PyErr),
}

impl Failure {
    /// A text that is no mechanism, with carets under the place.
    pub(crate) fn parsing(text: &str, error: &ParseError) -> Self {
        Self::Value(error.pointed_out_in(text))
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Value(text) => PyValueError::new_err(text),
            Failure::Kind(text) => PyTypeError::new_err(text),
            Failure::Engine(text) => PyRuntimeError::new_err(format!(
                "the engine failed: {text}; this is a bug, please report it with the expression and the question"
            )),
            Failure::Raised(error) => error,
        }
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<hockeystick::Error> for Failure {
    fn from(error: hockeystick::Error) -> Self {
        Self::Value(error.to_string())
    }
}

impl From<InvalidParameter> for Failure {
    fn from(error: InvalidParameter) -> Self {
        Self::Value(error.to_string())
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let text = error.to_string();
        match error {
            BuildError::Argument(
                ArgumentError::WrongKind { .. }
                | ArgumentError::Missing { .. }
                | ArgumentError::Unknown { .. }
                | ArgumentError::Duplicate { .. },
            ) => Self::Kind(text),
            BuildError::Name(_) | BuildError::Argument(_) => Self::Value(text),
        }
    }
}

impl From<UnknownRelation> for Failure {
    fn from(error: UnknownRelation) -> Self {
        Self::Value(error.to_string())
    }
}

impl From<UnknownMethod> for Failure {
    fn from(error: UnknownMethod) -> Self {
        Self::Value(error.to_string())
    }
}
