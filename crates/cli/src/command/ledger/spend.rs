//! `hockeystick ledger spend`, `reserve`, `commit` and `release`.

use super::{
    super::{Outcome, common::Source},
    outcome::told,
};
use crate::{failure::Failure, report::Format};
use hockeystick::mechanism::Mechanism;
use hockeystick_ledger::{Ledger, Span};

/// Charges a mechanism to a budget and to those above it
///
/// Exit code 0 if it was charged, now or before under this reference; 1 if it was refused and nothing was written; 2 for bad input.
#[derive(Debug, clap::Args)]
pub(super) struct Spend {
    /// The budget
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    source: Source,

    /// What you call it: under one reference one mechanism is charged, once
    #[arg(long, value_name = "ID")]
    reference: String,

    /// What it is for, in words
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,

    /// Only say what would happen
    #[arg(long)]
    dry_run: bool,
}

/// Sets aside what a mechanism would spend
///
/// Publish nothing before the commit is acknowledged: a reservation that runs out gives back what it held, and others may spend it.
#[derive(Debug, clap::Args)]
pub(super) struct Reserve {
    /// The budget
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    source: Source,

    /// What you call it
    #[arg(long, value_name = "ID")]
    reference: String,

    /// For how long: 90s, 30m, 24h, 7d
    #[arg(long, value_name = "SPAN")]
    expires: Span,

    /// What it is for, in words
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

/// Charges what was really run, at most what was reserved
///
/// Whoever has run something commits it, whatever came out. Only afterwards may anything be published.
#[derive(Debug, clap::Args)]
pub(super) struct Commit {
    /// The reference of the reservation
    #[arg(value_name = "ID")]
    reference: String,

    /// What was really run; all that was reserved, if nothing is said
    #[arg(value_name = "EXPR")]
    expression: Option<String>,
}

/// Gives back what was reserved: nothing of it was run
#[derive(Debug, clap::Args)]
pub(super) struct Release {
    /// The reference of the reservation
    #[arg(value_name = "ID")]
    reference: String,
}

/// The mechanism of a text.
pub(super) fn parsed(text: &str) -> Result<Mechanism, Failure> {
    text.parse().map_err(|error| Failure::Expression { text: text.to_owned(), error })
}

/// The mechanism of an expression, or of a workload file, whose relation must be that of the budget.
fn asked(ledger: &mut Ledger, budget: &str, source: &Source) -> Result<Mechanism, Failure> {
    let (mechanism, written) = source.written()?;
    let Some(written) = written else { return Ok(mechanism) };
    let kept = ledger.status(Some(budget))?.remove(0).budget.relation;
    if written == kept {
        return Ok(mechanism);
    }
    Err(Failure::Request(format!(
        "the workload is about {written} and {budget} about {kept}; write the workload for that relation, or make another budget"
    )))
}

impl Spend {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let spend = hockeystick_ledger::Spend {
            note: self.note.clone(),
            dry_run: self.dry_run,
            ..hockeystick_ledger::Spend::new(
                &self.name,
                asked(ledger, &self.name, &self.source)?,
                &self.reference,
            )
        };
        let done = if self.dry_run { "would be charged" } else { "charged" };
        Ok(told(format, "ledger-spend", done, &ledger.spend(&spend)?))
    }
}

impl Reserve {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let reserve = hockeystick_ledger::Reserve {
            budget: self.name.clone(),
            mechanism: asked(ledger, &self.name, &self.source)?,
            reference: self.reference.clone(),
            expires: self.expires,
            note: self.note.clone(),
        };
        Ok(told(format, "ledger-reserve", "reserved", &ledger.reserve(&reserve)?))
    }
}

impl Commit {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let used = self.expression.as_deref().map(parsed).transpose()?;
        Ok(told(format, "ledger-commit", "charged", &ledger.commit(&self.reference, used.as_ref())?))
    }
}

impl Release {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        Ok(told(format, "ledger-release", "released", &ledger.release(&self.reference)?))
    }
}
