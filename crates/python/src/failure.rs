//! The one map from errors to exceptions. The texts are those of the command line.

use hockeystick::mechanism::{ArgumentError, BuildError, InvalidParameter, ParseError, UnknownRelation};
use hockeystick::{limits::Stopped, query::UnknownMethod};
use pyo3::{
    PyErr,
    exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyTimeoutError, PyTypeError, PyValueError},
};

/// Why a call fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A value that is not allowed.
    Value(String),
    /// A value of a kind that is not allowed.
    Kind(String),
    /// It takes longer than is allowed.
    Time(String),
    /// It takes more memory than is allowed.
    Memory(String),
    /// A store, or a file, that does not do as asked.
    Store(String),
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
            Failure::Time(text) => PyTimeoutError::new_err(text),
            Failure::Memory(text) => PyMemoryError::new_err(text),
            Failure::Store(text) => PyOSError::new_err(text),
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
        let text = error.to_string();
        match error {
            hockeystick::Error::Stopped { why: Stopped::Time { .. } | Stopped::Cancelled } => {
                Self::Time(text)
            }
            hockeystick::Error::Stopped { why: Stopped::Memory { .. } } => Self::Memory(text),
            _ => Self::Value(text),
        }
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
