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

const EXAMPLES: &str = r#"Examples:

  A hundred releases with Gaussian noise:
  $ hockeystick epsilon "gaussian(sigma=10) * 100" --delta 1e-5
  ε = 4.3771780956812 ± 3e-14

  Ten mechanisms known only by their own guarantee:
  $ hockeystick epsilon "dp(epsilon=0.5, delta=1e-8) * 10" --delta 1e-5
  ε = 4.9988655855962 ± 9e-15

  Stop a script if fewer than six digits are certain:
  $ hockeystick epsilon "gaussian(sigma=10) * 100" --delta 1e-5 --tolerance 1e-6 --format json

  Read a long expression from standard input:
  $ echo "gaussian(sigma=10) * 100 + gdp(mu=0.5)" | hockeystick epsilon - --delta 1e-5
  ε = 4.98330640597071 ± 3e-15"#;

impl Epsilon {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        self.common.answer(|query| query.epsilon(self.delta))
    }
}
