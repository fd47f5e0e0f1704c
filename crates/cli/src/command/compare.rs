//! `hockeystick compare EXPR --delta X | --epsilon X`.

use super::{Outcome, common::number};
use crate::{
    failure::Failure,
    input,
    report::{ComparisonReport, Format},
};
use hockeystick::{Query, mechanism::Relation};

/// Every method side by side: what it says, what that is worth, how far it is from the truth, and why
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("given").required(true).args(["delta", "epsilon"]))]
pub(super) struct Compare {
    /// The mechanisms, for example "gaussian(sigma=2) * 10 + dp(epsilon=0.1)"; - reads them from standard input
    #[arg(value_name = "EXPR")]
    expression: String,

    /// Compare ε at this δ, above 0 and below 1
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    delta: Option<f64>,

    /// Compare δ at this ε, 0 or above
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    epsilon: Option<f64>,

    /// How the answers are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,

    /// Which datasets are neighbours: add-remove, add, remove or replace (one record)
    #[arg(long, value_name = "R", default_value_t)]
    relation: Relation,
}

const EXAMPLES: &str = r#"Examples:

  A hundred releases with Gaussian noise:
  $ hockeystick compare "gaussian(sigma=10) * 100" --delta 1e-5

  The same question the other way round, for a spreadsheet:
  $ hockeystick compare "gaussian(sigma=10) * 100" --epsilon 4 --format csv

A gap of 1.2 means: the method says 1.2 times the truth. Only guarantees may be quoted; an estimate is none."#;

impl Compare {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        let mechanism = input::mechanism(&self.expression)?;
        let query = Query::new(&mechanism).relation(self.relation);
        let comparison = match (self.delta, self.epsilon) {
            (Some(delta), _) => query.compare_epsilon(delta),
            (None, epsilon) => query.compare_delta(epsilon.unwrap_or_default()),
        }?;
        let report = ComparisonReport::new(&mechanism, self.relation, &comparison);
        Ok(Outcome { text: report.write(self.format), shortfall: None })
    }
}
