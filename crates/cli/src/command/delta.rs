//! `hockeystick delta EXPR --epsilon X`.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{failure::Failure, signature::StatementFlags};

/// The smallest δ for which the mechanisms together are (ε, δ)-DP
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Delta {
    /// The ε of the guarantee, 0 or above; 0 gives the total variation distance
    #[arg(long, short = 'e', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    epsilon: f64,

    #[command(flatten)]
    statement: StatementFlags,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = r#"Examples:

  What is left of privacy at ε = 0.5:
  $ hockeystick delta "laplace(scale=1)" --epsilon 0.5
  δ = 2.211992169285951e-1 ± 5e-17

  Answers kept for a spreadsheet:
  $ hockeystick delta "gaussian(sigma=2) * 10" --epsilon 1 --format csv

  One record replaced rather than added or removed, which moves a sum twice as far:
  $ hockeystick delta "gaussian(sigma=2, sensitivity=2)" --epsilon 1 --relation replace
  δ = 1.26936737506644e-1 ± 4e-16"#;

impl Delta {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.common.answer(&self.statement, |query| query.delta(self.epsilon))
    }
}
