//! What every question has: mechanisms, how to account for them, how to write the answer.

use super::{Outcome, allowed::Allowed, named};
use crate::{
    failure::Failure,
    input,
    progress::watched,
    release::{self, Attack, Release},
    report::{AnswerReport, Format, Report},
    signature::{Question, Signature, StatementFlags},
    workload::Workload,
};
use hockeystick::{
    Answer, Query,
    mechanism::{self, Files, Mechanism, Problem, Relation},
    query::{Method, Unknown},
};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

/// The arguments that all questions share.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    #[command(flatten)]
    source: Source,

    /// How the answer is written
    #[arg(long, short = 'F', value_enum, value_name = "FORMAT", default_value_t, help_heading = "Output")]
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

    /// A workload file (TOML or JSON) in place of EXPR: all its groups together; - reads it from standard input
    #[arg(long, short = 'f', value_name = "FILE", conflicts_with = "expression")]
    file: Option<PathBuf>,

    #[command(flatten)]
    access: FileAccess,
}

/// Which files expressions may name.
#[derive(Debug, clap::Args)]
pub(super) struct FileAccess {
    /// Let expressions name files inside of this folder only
    ///
    /// Names are then paths from this folder, or from the folder of a workload file; neither .. nor a link leads out of it.
    #[arg(long, value_name = "DIR", value_parser = folder)]
    files: Option<PathBuf>,
}

impl FileAccess {
    /// For what is written on the command line.
    pub(super) fn of_arguments(&self) -> Files {
        match &self.files {
            Some(folder) => Files::default().relative_to(folder).within(folder),
            None => Files::default(),
        }
    }

    /// For what is written in a workload file.
    pub(super) fn of_workload(&self, workload: &Path) -> Files {
        if workload == Path::new(input::STANDARD_INPUT) {
            return self.of_arguments();
        }
        let files = match &self.files {
            Some(folder) => Files::default().within(folder),
            None => Files::default(),
        };
        match workload.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => files.relative_to(folder),
            Some(_) | None => files,
        }
    }
}

/// How to account for them.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Accounting")]
pub(super) struct Accounting {
    /// How the answer is computed; --help lists the methods
    ///
    /// One of auto, closed-form, exact-sums, contour, lattice, tangents, buckets, riemann, fourier, afa, afa-grid, double-quadrature, rdp,
    /// rdp-classic, rdp-optimal, markov, clt, berry-esseen, nagaev, kov, basic or advanced. Those of afa, double-quadrature and clt are
    /// estimates, not guarantees.
    #[arg(long, short = 'm', value_name = "NAME", value_parser = named::method(), hide_possible_values = true, default_value_t)]
    pub(super) method: Method,

    /// The relative width wanted, above 0 and below 1; the exit code is 1 if the answer is wider
    #[arg(long, short = 't', value_name = "R", value_parser = number, allow_hyphen_values = true)]
    pub(super) tolerance: Option<f64>,

    /// Which datasets are neighbours: add-remove (default), add, remove or replace (one record)
    #[arg(long, short = 'r', value_name = "R", value_parser = named::relation(), hide_possible_values = true)]
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
        flags: &StatementFlags,
        ask: impl FnOnce(Query<'_>) -> Result<Answer, hockeystick::Error>,
    ) -> Result<Outcome, Failure> {
        let subject = self.subject()?;
        let started = Instant::now();
        let answer = watched(|| ask(self.accounting.query(&subject)))?;
        let report = AnswerReport::new(&subject.mechanism, subject.relation, &answer, started.elapsed());
        self.reported(flags, report, &subject, &answer)
    }

    /// The report, or the statement that is wanted in its place.
    pub(super) fn reported(
        &self,
        flags: &StatementFlags,
        report: AnswerReport,
        subject: &Subject,
        answer: &Answer,
    ) -> Result<Outcome, Failure> {
        let shortfall = answer.shortfall().map(|shortfall| shortfall.to_string());
        if !flags.statement {
            return Ok(Outcome { text: report.written(self.format), shortfall });
        }
        let (question, epsilon, delta) = match answer.unknown() {
            Unknown::Epsilon { delta } => (Question::Epsilon { delta }, answer.upper(), delta),
            Unknown::Delta { epsilon } => (Question::Delta { epsilon }, epsilon, answer.upper()),
            Unknown::TruePositives { .. } => {
                return Err(Failure::Request("there is no statement about this question".to_owned()));
            }
        };
        if let Some(reason) = shortfall.as_ref().filter(|_| !epsilon.is_finite()) {
            return Err(Failure::Request(format!("there is nothing to be stated: {reason}")));
        }
        let signature = Signature::new(flags, "one record", &subject.mechanism, subject.relation, question);
        let paragraphs = release::statement(&Release {
            expression: subject.mechanism.to_string(),
            epsilon,
            delta,
            is_delta_given: matches!(answer.unknown(), Unknown::Epsilon { .. }),
            guarantee: answer.guarantee(),
            relation: subject.relation,
            attack: watched(|| Attack::on(&self.accounting.query(subject))),
            signature: &signature,
            is_unit_stated: flags.unit.is_some(),
        });
        Ok(Outcome { text: report.stating(signature, paragraphs).written(self.format), shortfall })
    }
}

impl Source {
    /// What is written there, and the relation that a file states.
    pub(super) fn written(&self) -> Result<(Mechanism, Option<Relation>), Failure> {
        match (&self.expression, &self.file) {
            (Some(expression), _) => Ok((input::mechanism(expression, &self.access.of_arguments())?, None)),
            (None, Some(file)) => {
                let workload = Workload::read(file, &self.access.of_workload(file))?;
                Ok((workload.whole(), workload.relation))
            }
            (None, None) => Err(Failure::Request("there is no mechanism; give an EXPR".to_owned())),
        }
    }

    /// What is written there: a relation on the command line comes before that of a file.
    pub(super) fn subject(&self, relation: Option<Relation>) -> Result<Subject, Failure> {
        let (mechanism, written) = self.written()?;
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

/// A folder that is there: a name that is mistyped must not be taken for one without files.
fn folder(text: &str) -> Result<PathBuf, &'static str> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("this is no folder; give the folder of the files") }
}

/// Any double, also calculated as 1/3; infinities and NaN included: the library says which of them it takes, and why.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    // Words have letters only; too large a number has digits, and is no infinity.
    let is_word = unsigned.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    if let Some(word) = text.parse::<f64>().ok().filter(|_| is_word) {
        return Ok(word);
    }
    mechanism::number(unsigned).map_err(|error| match error.problem() {
        Problem::DivisionByZero
        | Problem::NoRoot
        | Problem::LongCalculation
        | Problem::Undecided
        | Problem::Overflow { .. }
        | Problem::Underflow { .. } => error.to_string(),
        _ => "this is not a number; write for example 0.5 or 1e-5 or 1/3".to_owned(),
    })
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
