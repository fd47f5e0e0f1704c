//! `hockeystick epsilon EXPR --delta X`.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::failure::Failure;

/// The smallest ε for which the mechanisms together are (ε, δ)-DP
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Epsilon {
    /// The δ of the guarantee, above 0 and below 1; well below 1/n for n people
    #[arg(long, value_name = "X", value_parser = number, allow_hyphen_values = true)]
    delta: f64,

    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = include_str!("examples/epsilon.txt");

impl Epsilon {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.common.answer(|query| query.epsilon(self.delta))
    }
}
