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

const EXAMPLES: &str = include_str!("examples/delta.txt");

impl Delta {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.common.answer(&self.statement, |query| query.delta(self.epsilon))
    }
}
