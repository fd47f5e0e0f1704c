//! How a question is to be taken: relation, method, tolerance.

use crate::Failure;
use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation},
    query::Method,
};

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

    pub(crate) fn query<'a>(&self, mechanism: &'a Mechanism) -> Query<'a> {
        let query = Query::new(mechanism).relation(self.relation).method(self.method);
        self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance))
    }
}
