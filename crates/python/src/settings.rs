//! How a question is to be taken: relation, method, tolerance.

use crate::{Failure, guarded};
use hockeystick::{
    Query,
    mechanism::{Gdp, Mechanism, Relation},
    query::Method,
};
use pyo3::{Python, pyfunction};

/// The settings that all questions have.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) relation: Relation,
    pub(crate) method: Method,
    pub(crate) tolerance: Option<f64>,
}

impl Settings {
    pub(crate) fn read(relation: &str, method: &str, tolerance: Option<f64>) -> Result<Self, Failure> {
        Ok(Self { relation: relation.parse()?, method: method.parse()?, tolerance })
    }

    /// Refuses what no question would be answered with.
    fn check(self) -> Result<(), Failure> {
        let any = Mechanism::from(Gdp::new(1.0)?);
        Ok(self.query(&any).check_tolerance()?)
    }

    pub(crate) fn query<'a>(&self, mechanism: &'a Mechanism) -> Query<'a> {
        let query = Query::new(mechanism).relation(self.relation).method(self.method);
        self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance))
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
