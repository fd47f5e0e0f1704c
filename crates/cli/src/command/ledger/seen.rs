//! `hockeystick ledger history` and `verify`.

use super::super::Outcome;
use crate::{
    failure::Failure,
    output,
    report::{Fact, Format, Page, Report, Table, csv},
};
use hockeystick_ledger::{Entry, Ledger};

/// What was charged, in order: one JSON object a line with --format json
#[derive(Debug, clap::Args)]
pub(super) struct History {
    /// The entries of one budget; all of them, if none is named
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Computes everything again: exit code 0 if the ledger is clean, 1 if something is wrong
#[derive(Debug, clap::Args)]
pub(super) struct Verify {
    /// A hash that was noted earlier: the chain must still go through it
    #[arg(long, value_name = "HASH")]
    noted: Option<String>,
}

const COLUMNS: [&str; 6] = ["sequence", "time", "kind", "budget", "reference", "expression"];

fn cells(entry: &Entry) -> Vec<String> {
    let event = &entry.event;
    vec![
        entry.sequence.to_string(),
        entry.time.to_string(),
        event.kind().to_owned(),
        event.budget().to_owned(),
        event.reference().unwrap_or_default().to_owned(),
        event.expression().unwrap_or_default().to_owned(),
    ]
}

impl History {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let mut rows = Vec::new();
        let mut failure = None;
        let mut is_read = true;
        if format == Format::Csv {
            is_read = output::line(&csv::line(&COLUMNS.map(str::to_owned)))?;
        }
        ledger.history(self.name.as_deref(), |entry| {
            let written = match format {
                // A history is long: it is written as it is read.
                Format::Json if is_read => output::line(&serde_json::to_string(entry).unwrap_or_default()),
                Format::Csv if is_read => output::line(&csv::line(&cells(entry))),
                Format::Json | Format::Csv => Ok(false),
                Format::Text | Format::Markdown => {
                    rows.push(cells(entry));
                    Ok(true)
                }
            };
            match written {
                Ok(reads) => is_read = reads,
                Err(error) => failure = Some(error),
            }
            Ok(())
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let page = Page { tables: vec![Table::new(&COLUMNS, rows)], ..Page::default() };
        let text = match format {
            Format::Text => page.text(crate::style::Style::of_output()),
            Format::Markdown => page.markdown(),
            Format::Json | Format::Csv => String::new(),
        };
        Ok(Outcome { text, shortfall: None })
    }
}

#[derive(serde::Serialize)]
struct VerifyReport {
    query: &'static str,
    clean: bool,
    entries: u64,
    head: String,
    findings: Vec<FindingReport>,
}

#[derive(serde::Serialize)]
struct FindingReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    what: String,
}

impl Verify {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let verified = ledger.verify(self.noted.as_deref())?;
        let findings: Vec<FindingReport> = verified
            .findings
            .into_iter()
            .map(|finding| FindingReport { sequence: finding.sequence, what: finding.what })
            .collect();
        let shortfall = match findings.as_slice() {
            [] => None,
            [first, ..] => Some(format!("{} findings, the first: {}", findings.len(), first.what)),
        };
        let clean = findings.is_empty();
        let report = VerifyReport {
            query: "ledger-verify",
            clean,
            entries: verified.entries,
            head: verified.head,
            findings,
        };
        Ok(Outcome { text: report.written(format), shortfall })
    }
}

impl Report for VerifyReport {
    fn page(&self) -> Page {
        let headline = if self.clean { "the ledger is clean" } else { "the ledger is not what it was" };
        let mut facts =
            vec![Fact::value("entries", self.entries.to_string()), Fact::value("head", self.head.clone())];
        facts.extend(self.findings.iter().map(|finding| Fact::warning("finding", finding.what.clone())));
        Page { headline: headline.to_owned(), facts, ..Page::default() }
    }

    fn csv(&self) -> String {
        let row = |finding: &FindingReport| {
            vec![finding.sequence.map(|at| at.to_string()).unwrap_or_default(), finding.what.clone()]
        };
        csv::lines(&["sequence", "what"], &self.findings.iter().map(row).collect::<Vec<_>>())
    }
}
