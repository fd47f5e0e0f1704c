//! What every question has: mechanisms, how to account for them, how to write the answer.

use super::{Outcome, allowed::Allowed, named};
use crate::{
    failure::Failure,
    input,
    progress::watched,
    report::{AnswerReport, Format, Report},
    workload::Workload,
};
use hockeystick::{
    Answer, Query,
    mechanism::{Mechanism, Relation},
    query::Method,
};
use std::{path::PathBuf, time::Instant};

/// The arguments that all questions share.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    #[command(flatten)]
    source: Source,

    /// How the answer is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: Format,

    #[command(flatten)]
    pub(super) accounting: Accounting,
}

/// Where the mechanisms are written.
#[derive(Debug, clap::Args)]
pub(super) struct Source {
    /// The mechanisms, for example "gaussian(sigma=2) * 10 + dp(epsilon=0.1)"; - reads them from standard input
    #[arg(value_name = "EXPR", required_unless_present = "file")]
    expression: Option<String>,

    /// A workload file (TOML or JSON) in place of EXPR: all its groups together
    #[arg(long, value_name = "FILE", conflicts_with = "expression")]
    file: Option<PathBuf>,
}

/// How to account for them.
#[derive(Debug, clap::Args)]
pub(super) struct Accounting {
    /// How the answer is computed: auto, closed-form, exact-sums, contour, lattice, tangents, buckets, riemann, fourier, afa,
    /// afa-grid, double-quadrature, rdp, rdp-classic, rdp-optimal, markov, clt, berry-esseen, nagaev, kov, basic or advanced. Those of
    /// afa, double-quadrature and clt are estimates, not guarantees
    #[arg(long, value_name = "NAME", value_parser = named::method(), hide_possible_values = true, default_value_t)]
    pub(super) method: Method,

    /// The relative width wanted, above 0 and below 1; the exit code is 1 if the answer is wider
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true)]
    pub(super) tolerance: Option<f64>,

    /// Which datasets are neighbours: add-remove (default), add, remove or replace (one record)
    #[arg(long, value_name = "R", value_parser = named::relation(), hide_possible_values = true)]
    pub(super) relation: Option<Relation>,

    #[command(flatten)]
    pub(super) allowed: Allowed,
}

/// Mechanisms and the relation they are asked about.
pub(super) struct Subject {
    pub(super) mechanism: Mechanism,
    pub(super) relation: Relation,
}

impl Common {
    /// What is asked about: a relation on the command line comes before that of a file.
    pub(super) fn subject(&self) -> Result<Subject, Failure> {
        self.source.subject(self.accounting.relation)
    }

    /// Asks one question about the mechanisms.
    pub(super) fn answer(
        &self,
        ask: impl FnOnce(Query<'_>) -> Result<Answer, hockeystick::Error>,
    ) -> Result<Outcome, Failure> {
        let subject = self.subject()?;
        let started = Instant::now();
        let answer = watched(|| ask(self.accounting.query(&subject)))?;
        let report = AnswerReport::new(&subject.mechanism, subject.relation, &answer, started.elapsed());
        Ok(Outcome {
            text: report.written(self.format),
            shortfall: answer.shortfall().map(|shortfall| shortfall.to_string()),
        })
    }
}

impl Source {
    /// What is written there: a relation on the command line comes before that of a file.
    pub(super) fn subject(&self, relation: Option<Relation>) -> Result<Subject, Failure> {
        let (mechanism, written) = match (&self.expression, &self.file) {
            (Some(expression), _) => (input::mechanism(expression)?, None),
            (None, Some(file)) => {
                let workload = Workload::read(file)?;
                (workload.whole(), workload.relation)
            }
            (None, None) => return Err(Failure::Request("there is no mechanism; give an EXPR".to_owned())),
        };
        Ok(Subject { mechanism, relation: relation.or(written).unwrap_or_default() })
    }
}

impl Accounting {
    pub(super) fn query<'a>(&self, subject: &'a Subject) -> Query<'a> {
        let query = Query::new(&subject.mechanism).relation(subject.relation).method(self.method);
        let query = query.limits(self.allowed.limits());
        self.tolerance.map_or(query, |tolerance| query.tolerance(tolerance))
    }
}

/// Any double, infinities and NaN included: the library says which of them it takes, and why.
pub(super) fn number(text: &str) -> Result<f64, &'static str> {
    text.parse().map_err(|_| "this is not a number; write for example 0.5 or 1e-5")
}

/// A whole number, also as 1e6 or 1_000_000.
pub(super) fn whole(text: &str) -> Result<u64, &'static str> {
    const COMPLAINT: &str = "this is not a whole number; write for example 60000 or 6e4";
    let plain = text.replace('_', "");
    match (plain.parse(), plain.parse::<f64>()) {
        (Ok(whole), _) => Ok(whole),
        (Err(_), Ok(double)) if double.fract() == 0.0 && (0.0..=1e15).contains(&double) => Ok(double as u64),
        (Err(_), _) => Err(COMPLAINT),
    }
}
