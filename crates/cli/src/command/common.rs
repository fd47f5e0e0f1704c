//! What every question has: an expression, how to account for it, how to write the answer.

use super::Outcome;
use crate::{
    failure::Failure,
    input,
    report::{Format, Report},
};
use hockeystick::{Answer, Query, mechanism::Relation, query::Method};
use std::time::Instant;

/// The arguments that all questions share.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// The mechanisms, for example "gaussian(sigma=2) * 10 + dp(epsilon=0.1)"; - reads them from standard input
    #[arg(value_name = "EXPR")]
    expression: String,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,

    /// How the answer is computed: auto, closed-form, lattice, buckets, rdp, rdp-classic, rdp-optimal, markov, clt,
    /// berry-esseen, nagaev, kov, basic or advanced
    #[arg(long, value_name = "NAME", default_value_t)]
    method: Method,

    /// The relative width wanted, above 0 and below 1; the exit code is 1 if the answer is wider
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    tolerance: Option<f64>,

    /// Which datasets are neighbours: add-remove, add, remove or replace (one record)
    #[arg(long, value_name = "R", default_value_t)]
    relation: Relation,
}

impl Common {
    /// Asks one question about the expression.
    pub(super) fn answer(
        &self,
        ask: impl FnOnce(Query<'_>) -> Result<Answer, hockeystick::Error>,
    ) -> Result<Outcome, Failure> {
        let mechanism = input::mechanism(&self.expression)?;
        let query = Query::new(&mechanism).relation(self.relation).method(self.method);
        let query = self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance));
        let started = Instant::now();
        let answer = ask(query)?;
        let report = Report::new(&mechanism, self.relation, &answer, started.elapsed());
        Ok(Outcome {
            text: report.write(self.format),
            shortfall: answer.shortfall().map(|shortfall| shortfall.to_string()),
        })
    }
}

/// Any double, infinities and NaN included: the library says which of them it takes, and why.
pub(super) fn number(text: &str) -> Result<f64, &'static str> {
    text.parse().map_err(|_| "this is not a number; write for example 0.5 or 1e-5")
}
