//! What is asked about, and how it is to be answered.

use super::{
    Method,
    arguments::{DEFAULT_TOLERANCE, check},
};
use crate::{
    error::Error,
    mechanism::{Mechanism, Relation},
    pair::Releases,
};
use hockeystick_numerics::limits::Limits;

/// A mechanism, and how to account for it.
///
/// ```
/// use hockeystick::{Query, mechanism::Mechanism};
///
/// let mechanism: Mechanism = "gaussian(sigma=2) * 10".parse()?;
/// let answer = Query::new(&mechanism).epsilon(1e-5)?;
/// assert!(answer.lower().unwrap() <= answer.upper());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub(super) about: About<'a>,
    pub(super) relation: Relation,
    pub(super) method: Method,
    pub(super) tolerance: Option<f64>,
    pub(super) limits: Limits,
}

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub(super) enum About<'a> {
    Mechanism(&'a Mechanism),
    Releases(&'a Releases<'a>),
}

impl<'a> Query<'a> {
    /// Asks about `mechanism` with the default relation (add or remove one record) and method (automatic).
    pub fn new(mechanism: &'a Mechanism) -> Self {
        Self::about(About::Mechanism(mechanism))
    }

    /// The same about releases, among which may be worst-case pairs of your own. Pairs that one question has made serve the next.
    pub fn of(releases: &'a Releases<'a>) -> Self {
        Self::about(About::Releases(releases))
    }

    fn about(about: About<'a>) -> Self {
        Self {
            about,
            relation: Relation::default(),
            method: Method::Auto,
            tolerance: None,
            limits: Limits::NONE,
        }
    }

    /// Which datasets are neighbours.
    pub fn relation(self, relation: Relation) -> Self {
        Self { relation, ..self }
    }

    /// Which method computes the answer.
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// The relative width wanted, `(upper − lower)/upper`. An answer that is wider says so in its shortfall.
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance: Some(tolerance), ..self }
    }

    /// Refuses a tolerance that is out of range, before anything is asked.
    pub fn check_tolerance(&self) -> Result<(), Error> {
        let is_in_range = self.tolerance.is_none_or(|tolerance| tolerance > 0.0 && tolerance < 1.0);
        check(
            is_in_range,
            "tolerance",
            self.tolerance.unwrap_or(DEFAULT_TOLERANCE),
            "above 0 and below 1",
            "try 1e-6",
        )
    }

    /// What the reader of an answer should know about how the question was taken.
    pub(super) fn notes(&self) -> Vec<String> {
        match self.relation {
            Relation::Replace => vec![
                "sensitivity is taken as the largest change when one record is replaced, \
                 often twice that of adding or removing one"
                    .to_owned(),
            ],
            Relation::AddRemove | Relation::Add | Relation::Remove => vec![],
        }
    }
}
