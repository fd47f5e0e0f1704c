//! The one way into the engine: without the interpreter's lock, and with panics turned into errors.

use crate::Failure;
use pyo3::{Python, pyfunction};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs `work` while other Python threads run, and lets no panic through.
pub(crate) fn guarded<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    // Nothing that a panic leaves half done is looked at again.
    py.detach(|| {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Failure::Engine(words(&panic))))
    })
}

fn words(panic: &Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown cause".to_owned())
}

/// Panics inside the engine, so that a test can see what becomes of it.
#[pyfunction]
pub(crate) fn provoke_panic(py: Python<'_>) -> Result<(), Failure> {
    guarded(py, || panic!("provoked"))
}
