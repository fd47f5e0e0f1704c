//! `hockeystick ledger statement`: what a budget guarantees, for auditors.

use super::super::Outcome;
use crate::{
    failure::Failure,
    report::{Fact, Format, Page, Report, csv},
    sides::Sides,
};
use hockeystick_ledger::{AccountKind, Ledger, Limit, Standing, Verified};

/// Writes what a budget guarantees, in sentences for auditors, after verifying the ledger
///
/// Exit code 1 if the ledger is not clean: then there is no statement.
#[derive(Debug, clap::Args)]
pub(super) struct Statement {
    /// The budget
    #[arg(value_name = "NAME")]
    name: String,
}

#[derive(serde::Serialize)]
struct StatementReport {
    query: &'static str,
    name: String,
    clean: bool,
    entries: u64,
    head: String,
    statement: Vec<String>,
}

fn paragraphs(standing: &Standing, verified: &Verified) -> Vec<String> {
    let budget = &standing.budget;
    let guarantee = match budget.limit {
        Limit::EpsilonDelta { epsilon, delta: 0.0 } => format!("ε-differentially private with ε = {epsilon}"),
        Limit::EpsilonDelta { .. } => format!("(ε, δ)-differentially private with {}", budget.limit),
        Limit::Gaussian { .. } => format!("μ-Gaussian differentially private with {}", budget.limit),
        Limit::Concentrated { .. } => {
            format!("ρ-zero-concentrated differentially private with {}", budget.limit)
        }
    };
    let period = match budget.renews {
        Some(period) => format!("in any one {} (UTC), ", period.name()),
        None => String::new(),
    };
    let unit = budget.unit.as_ref().map(|unit| format!(" A record is {unit}.")).unwrap_or_default();
    let choice = match budget.account {
        AccountKind::Adaptive => {
            "however each of them was chosen after looking at the outputs of those before it"
        }
        AccountKind::Planned => {
            "provided that none of them was chosen, nor its parameters, by looking at an output"
        }
    };
    let held = match standing.held.as_slice() {
        [] => String::new(),
        held => format!(" Reserved, and not committed: {}.", held.len()),
    };
    vec![
        format!(
            "The mechanisms that were charged to the budget {:?} of this ledger are, {period}all of their outputs together, {guarantee}, \
             when {}.{unit} This holds {choice}. It covers what was charged, and nothing that was run without being charged.",
            budget.name,
            Sides::of(budget.relation).neighbours
        ),
        format!(
            "{} charges were made. What they come to is {} = {} at most, by {}.{held} The guarantee is the budget: what was spent so far says \
             how much of it is used up.",
            standing.entries,
            budget.limit.symbol(),
            standing.spent.upper,
            standing.by
        ),
        format!(
            "All {} entries of the ledger were read and added up again; their chain of hashes is unbroken and ends in {}. A statement with \
             this hash, kept elsewhere, shows later that nothing before it was changed.",
            verified.entries, verified.head
        ),
    ]
}

impl Statement {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let standing = ledger.status(Some(&self.name))?.remove(0);
        let verified = ledger.verify(None)?;
        let clean = verified.findings.is_empty();
        let shortfall = (!clean).then(|| {
            "the ledger is not clean, so there is no statement: run verify, and restore a backup".to_owned()
        });
        let report = StatementReport {
            query: "ledger-statement",
            clean,
            statement: if clean { paragraphs(&standing, &verified) } else { vec![] },
            name: standing.budget.name,
            entries: verified.entries,
            head: verified.head,
        };
        Ok(Outcome { text: report.written(format), shortfall })
    }
}

impl Report for StatementReport {
    fn page(&self) -> Page {
        let facts =
            vec![Fact::value("entries", self.entries.to_string()), Fact::value("head", self.head.clone())];
        Page {
            headline: format!("Statement about {}", self.name),
            prose: self.statement.clone(),
            facts,
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        csv::lines(&["statement"], &self.statement.iter().map(|text| vec![text.clone()]).collect::<Vec<_>>())
    }
}
