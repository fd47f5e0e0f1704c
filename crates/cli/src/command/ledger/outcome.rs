//! What became of a request, in every format.

use super::super::Outcome;
use crate::report::{Fact, Format, Page, Report, Table, csv, json, shortest};
use crate::style::Style;
use hockeystick_ledger::{Charged, Limit, Outcome as Became, Receipt, Refusal, Why};

/// A budget's numbers, by their names.
#[derive(Clone, Copy, Default, serde::Serialize)]
pub(super) struct Numbers {
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mu: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rho: Option<f64>,
}

impl From<Limit> for Numbers {
    fn from(limit: Limit) -> Self {
        let none = Self::default();
        match limit {
            Limit::EpsilonDelta { epsilon, delta } => {
                Self { epsilon: Some(epsilon), delta: Some(delta), ..none }
            }
            Limit::Gaussian { mu } => Self { mu: Some(mu), ..none },
            Limit::Concentrated { rho } => Self { rho: Some(rho), ..none },
        }
    }
}

impl Numbers {
    /// For a table.
    pub(super) fn fields(&self) -> [(&'static str, String); 4] {
        [
            ("epsilon", csv::number(self.epsilon)),
            ("delta", csv::number(self.delta)),
            ("mu", csv::number(self.mu)),
            ("rho", csv::number(self.rho)),
        ]
    }
}

#[derive(serde::Serialize)]
struct RequestReport {
    query: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    repeated: bool,
    budgets: Vec<BudgetReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// How many uses of what was to be repeated would fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<u64>,
}

#[derive(serde::Serialize)]
struct BudgetReport {
    name: String,
    #[serde(flatten)]
    numbers: Numbers,
    spent: f64,
    left: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_be: Option<f64>,
    by: String,
    #[serde(skip)]
    symbol: &'static str,
}

impl BudgetReport {
    fn of(charged: &Charged) -> Self {
        Self {
            name: charged.budget.clone(),
            numbers: charged.limit.into(),
            spent: charged.spent,
            left: charged.left,
            would_be: None,
            by: charged.by.clone(),
            symbol: charged.limit.symbol(),
        }
    }

    fn refusing(why: &Why) -> Option<Self> {
        let Why::OverBudget { budget, limit, spent, would_be, left, by } = why else { return None };
        Some(Self {
            name: budget.clone(),
            numbers: (*limit).into(),
            spent: *spent,
            left: *left,
            would_be: Some(*would_be),
            by: by.clone(),
            symbol: limit.symbol(),
        })
    }
}

/// What is said of a request; `done` is the word for what was written.
pub(super) fn told(format: Format, query: &'static str, done: &'static str, became: &Became) -> Outcome {
    let report = match became {
        Became::Charged(Receipt { sequence, repeated, budgets }) => RequestReport {
            query,
            outcome: done,
            sequence: *sequence,
            repeated: *repeated,
            budgets: budgets.iter().map(BudgetReport::of).collect(),
            reason: None,
            fits: None,
        },
        Became::Refused(refusal @ Refusal { why, fits }) => RequestReport {
            query,
            outcome: "refused",
            sequence: None,
            repeated: false,
            budgets: BudgetReport::refusing(why).into_iter().collect(),
            reason: Some(refusal.to_string()),
            fits: *fits,
        },
    };
    Outcome { text: report.written(format), shortfall: report.reason }
}

impl Report for RequestReport {
    fn page(&self) -> Page {
        let headline = match (self.sequence, self.repeated) {
            (Some(sequence), true) => format!("{} before, as entry {sequence}", self.outcome),
            (Some(sequence), false) => format!("{}, as entry {sequence}", self.outcome),
            (None, _) => self.outcome.to_owned(),
        };
        let row = |budget: &BudgetReport| {
            let value = |value: f64| format!("{} = {}", budget.symbol, shortest(value));
            vec![budget.name.clone(), value(budget.spent), value(budget.left), budget.by.clone()]
        };
        let table = Table::new(&["budget", "spent", "left", "by"], self.budgets.iter().map(row).collect());
        Page {
            headline,
            tables: if self.budgets.is_empty() { vec![] } else { vec![table] },
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let row = |budget: &BudgetReport| {
            let mut fields = vec![("outcome", self.outcome.to_owned()), ("budget", budget.name.clone())];
            fields.extend(budget.numbers.fields());
            fields.extend([
                ("spent", csv::number(Some(budget.spent))),
                ("left", csv::number(Some(budget.left))),
                ("by", budget.by.clone()),
            ]);
            fields
        };
        csv::rows(self.budgets.iter().map(row))
    }
}

/// What is said of a request that has nothing to show but that it was done.
pub(super) fn plain(format: Format, query: &'static str, message: String) -> Outcome {
    #[derive(serde::Serialize)]
    struct Done<'a> {
        query: &'static str,
        outcome: &'a str,
    }
    let text = match format {
        Format::Json => json::document(&Done { query, outcome: &message }),
        Format::Csv => csv::row([("query", query.to_owned()), ("outcome", message)]),
        Format::Text => Page { headline: message, ..Page::default() }.text(Style::of_output()),
        Format::Markdown => Page { facts: vec![Fact::value(query, message)], ..Page::default() }.markdown(),
    };
    Outcome { text, shortfall: None }
}
