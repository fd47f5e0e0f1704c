//! What the laws are checked on.

use crate::{
    Case,
    oracle::{Asked, Bounds, Oracle, Refusal},
};
use hockeystick::query::Method;

/// A case with the answer to its question.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Who is asked.
    pub oracle: &'a dyn Oracle,
    /// What about.
    pub case: &'a Case,
    /// ε at the δ of the case.
    pub epsilon: Bounds,
}

impl<'a> Subject<'a> {
    /// Asks for ε.
    pub fn new(oracle: &'a dyn Oracle, case: &'a Case) -> Result<Self, Refusal> {
        let epsilon = oracle.ask(&case.mechanism, case.relation, Method::Auto, Asked::Epsilon(case.delta))?;
        Ok(Self { oracle, case, epsilon })
    }

    /// Between the bounds of ε, if they are finite.
    pub(super) fn middle(&self) -> Option<f64> {
        let Bounds { lower, upper } = self.epsilon;
        upper.is_finite().then_some(lower + (upper - lower) / 2.0)
    }
}
