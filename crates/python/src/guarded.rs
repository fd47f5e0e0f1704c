//! The one way into the engine: without the interpreter's lock, within the limits that hold, until the user has had enough, and with
//! panics turned into errors.

use crate::{Failure, settings::allowed};
use hockeystick::limits::{Limits, Stopped, attended, within};
use pyo3::{PyErr, Python, pyfunction};
use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How often Python may say that the user has had enough.
const PATIENCE: Duration = Duration::from_millis(30);

/// Runs `work` while other Python threads run, and lets no panic through. All of it together has the time and the memory that
/// `hockeystick.limits` allows.
pub(crate) fn guarded<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    run(py, allowed()?, work)
}

/// The same for work that holds each of its questions to the limits by itself.
pub(crate) fn guarded_each<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    run(py, Limits::NONE, work)
}

fn run<T: Send>(
    py: Python<'_>,
    limits: Limits,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let raised: Arc<Mutex<Option<PyErr>>> = Arc::default();
    let heard = raised.clone();
    // Signals come to the main thread only, and that does the work: so it asks from time to time.
    let has_enough = move || match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            *heard.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            true
        }
    };
    let stopped = |why: Stopped| match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Failure::Raised(error),
        None => Failure::from(hockeystick::Error::Stopped { why }),
    };
    py.detach(|| {
        let limited = || within(limits, work);
        // Nothing that a panic leaves half done is looked at again.
        match catch_unwind(AssertUnwindSafe(|| attended(PATIENCE, has_enough, limited))) {
            Ok(Ok(Ok(result))) => result,
            Ok(Ok(Err(why)) | Err(why)) => Err(stopped(why)),
            Err(panic) => Err(Failure::Engine(words(&panic))),
        }
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
