//! `hockeystick epsilon EXPR --delta X`.

use super::{
    Outcome,
    common::{Common, number},
};
use crate::{failure::Failure, progress::watched, report::AnswerReport, signature::StatementFlags};
use hockeystick::query::Target;
use std::time::Instant;

/// The smallest ε for which the mechanisms together are (ε, δ)-DP
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Epsilon {
    /// The δ of the guarantee, well below 1/n for n people; 0 asks for pure differential privacy
    #[arg(long, short = 'd', value_name = "X", value_parser = number, allow_hyphen_values = true)]
    delta: f64,

    /// Is ε at most this? The exit code is 0 if that is proven, and 1 if it is proven not to be or cannot be decided
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    at_most: Option<f64>,

    #[command(flatten)]
    statement: StatementFlags,

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

  Stop a script if ε is not proven to be at most 5:
  $ hockeystick epsilon "gaussian(sigma=10) * 100" --delta 1e-5 --at-most 5

  Pure differential privacy, and a guarantee in plain language:
  $ hockeystick epsilon "laplace(scale=20) * 10" --delta 0
  $ hockeystick epsilon "laplace(scale=20) * 10" --delta 0 --statement --unit "one household"

  Stop a script if fewer than six digits are certain:
  $ hockeystick epsilon "gaussian(sigma=10) * 100" --delta 1e-5 --tolerance 1e-6 --format json

  Read a long expression from standard input:
  $ echo "gaussian(sigma=10) * 100 + gdp(mu=0.5)" | hockeystick epsilon - --delta 1e-5
  ε = 4.98330640597071 ± 3e-15"#;

impl Epsilon {
    pub(super) fn run(&self) -> Result<Outcome, Failure> {
        match self.at_most {
            Some(at_most) => self.judged(at_most),
            None => self.common.answer(&self.statement, |query| query.epsilon(self.delta)),
        }
    }

    fn judged(&self, at_most: f64) -> Result<Outcome, Failure> {
        let subject = self.common.subject()?;
        let started = Instant::now();
        let target = Target::Guarantee { epsilon: at_most, delta: self.delta };
        let (answer, verdict) = watched(|| self.common.accounting.query(&subject).judge(target))?;
        let report = AnswerReport::new(&subject.mechanism, subject.relation, &answer, started.elapsed())
            .claiming(at_most, verdict);
        let shortfall = report.refutation();
        let outcome = self.common.reported(&self.statement, report, &subject, &answer)?;
        Ok(Outcome { shortfall, ..outcome })
    }
}
