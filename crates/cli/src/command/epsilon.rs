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

const EXAMPLES: &str = include_str!("examples/epsilon.txt");

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
