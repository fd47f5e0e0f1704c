//! `hockeystick ledger explain`: which theorem holds the budget, and why.

use super::super::Outcome;
use crate::{
    failure::Failure,
    report::{Between, Fact, Format, Page, Report, Table, csv, shortest},
};
use hockeystick_ledger::{AccountKind, Ledger, Limit, Standing};

/// Says which theorem holds a budget and why, what each sum comes to, and what a planned account would have come to
#[derive(Debug, clap::Args)]
pub(super) struct Explain {
    /// The budget
    #[arg(value_name = "NAME")]
    name: String,
}

#[derive(serde::Serialize)]
struct ExplainReport {
    query: &'static str,
    name: String,
    account: &'static str,
    by: String,
    why: &'static str,
    spent: Between,
    #[serde(skip_serializing_if = "Option::is_none")]
    planned: Option<Between>,
    sums: Vec<SumReport>,
    #[serde(skip)]
    symbol: &'static str,
    #[serde(skip)]
    limit: String,
}

#[derive(serde::Serialize)]
struct SumReport {
    theorem: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    /// Infinite if it says nothing about what was charged.
    value: f64,
}

const FILTERS: &str = "mechanisms may depend on what was seen, so that each adds a number that holds whatever was seen; all sums are kept at \
                       once, each with a share of δ, and the budget holds as long as one of them does";
const ADDS_UP: &str = "the numbers of single mechanisms add up, whether or not they depend on what was seen";
const COMPOSES: &str = "no mechanism depends on what was seen, so that all of them are composed exactly";

fn why(standing: &Standing) -> &'static str {
    match (standing.budget.limit, standing.budget.account) {
        (Limit::EpsilonDelta { .. }, AccountKind::Planned) => COMPOSES,
        (Limit::EpsilonDelta { .. }, AccountKind::Adaptive) if standing.proofs.len() > 1 => FILTERS,
        _ => ADDS_UP,
    }
}

impl Explain {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let standing = ledger.status(Some(&self.name))?.remove(0);
        let between =
            |interval: hockeystick_ledger::Interval| Between { lower: interval.lower, upper: interval.upper };
        let sum = |proof: &hockeystick_ledger::Proof| SumReport {
            theorem: proof.theorem.clone(),
            delta: proof.delta,
            value: proof.value,
        };
        let report = ExplainReport {
            query: "ledger-explain",
            account: standing.budget.account.name(),
            why: why(&standing),
            spent: between(standing.spent),
            planned: standing.planned.map(between),
            sums: standing.proofs.iter().map(sum).collect(),
            symbol: standing.budget.limit.symbol(),
            limit: standing.budget.limit.to_string(),
            by: standing.by,
            name: standing.budget.name,
        };
        Ok(Outcome { text: report.written(format), shortfall: None })
    }
}

impl ExplainReport {
    fn value(&self, value: f64) -> String {
        if value.is_finite() {
            format!("{} ≤ {}", self.symbol, shortest(value))
        } else {
            "says nothing".to_owned()
        }
    }
}

impl Report for ExplainReport {
    fn page(&self) -> Page {
        let mut facts = vec![
            Fact::value("budget", format!("{}, {}", self.limit, self.account)),
            Fact::value("spent", self.value(self.spent.upper)),
            Fact::words("because", self.why),
        ];
        facts.extend(self.planned.map(|planned| Fact::value("if planned", self.value(planned.upper))));
        let row = |sum: &SumReport| {
            vec![sum.theorem.clone(), sum.delta.map(shortest).unwrap_or_default(), self.value(sum.value)]
        };
        let table = Table::new(&["theorem", "share of δ", "comes to"], self.sums.iter().map(row).collect());
        Page {
            headline: format!("{} is held by {}", self.name, self.by),
            facts,
            tables: if self.sums.is_empty() { vec![] } else { vec![table] },
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let row =
            |sum: &SumReport| vec![sum.theorem.clone(), csv::number(sum.delta), csv::number(Some(sum.value))];
        csv::lines(&["theorem", "delta", "value"], &self.sums.iter().map(row).collect::<Vec<_>>())
    }
}
