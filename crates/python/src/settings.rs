//! How a question is to be taken: relation, method, tolerance, and what `hockeystick.limits` allows.

use crate::{Failure, guarded};
use hockeystick::{
    Query,
    limits::Limits,
    mechanism::{Gdp, Mechanism, Relation, Template},
    query::{Method, Target, batch::Wanted},
};
use pyo3::{Py, PyAny, PyResult, Python, pyfunction, sync::PyOnceLock, types::PyAnyMethods};
use std::time::Duration;

/// The settings that all questions have.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) relation: Relation,
    pub(crate) method: Method,
    pub(crate) tolerance: Option<f64>,
    pub(crate) limits: Limits,
}

impl Settings {
    pub(crate) fn read(relation: &str, method: &str, tolerance: Option<f64>) -> Result<Self, Failure> {
        let (relation, method) = (relation.parse()?, method.parse()?);
        Ok(Self { relation, method, tolerance, limits: allowed()? })
    }

    /// Refuses what no question would be answered with.
    fn check(self) -> Result<(), Failure> {
        let any = Mechanism::from(Gdp::new(1.0)?);
        Ok(self.query(&any).check_tolerance()?)
    }

    pub(crate) fn query<'a>(&self, mechanism: &'a Mechanism) -> Query<'a> {
        let query = Query::new(mechanism).relation(self.relation).method(self.method).limits(self.limits);
        self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance))
    }

    pub(crate) fn wanted<'a>(&self, template: &'a Template, target: Target) -> Wanted<'a> {
        let Self { relation, method, tolerance, limits } = *self;
        Wanted { template, target, relation, method, tolerance, limits }
    }
}

/// Refuses a relation, a method or a tolerance when it is given, and not at the first question.
#[pyfunction]
pub(crate) fn check_settings(
    py: Python<'_>,
    relation: &str,
    method: &str,
    tolerance: Option<f64>,
) -> Result<(), Failure> {
    let settings = Settings::read(relation, method, tolerance)?;
    guarded(py, || settings.check())
}

/// The limits in this context: seconds and bytes, or nothing where there is none.
pub(crate) fn allowed() -> PyResult<Limits> {
    static ASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    Python::attach(|py| {
        let ask = ASK.get_or_try_init(py, || {
            py.import("hockeystick.limits")?.getattr("_allowed")?.getattr("get").map(pyo3::Bound::unbind)
        })?;
        let (seconds, memory): (Option<f64>, Option<u64>) = ask.bind(py).call0()?.extract()?;
        // What no duration can hold is no limit.
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Ok(Limits { time, memory })
    })
}
