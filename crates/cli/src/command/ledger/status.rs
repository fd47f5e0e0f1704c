//! `hockeystick ledger status`.

use super::{super::Outcome, outcome::Numbers, spend::parsed, spending};
use crate::{
    failure::Failure,
    plot::PlotFile,
    report::{Between, Fact, Format, Page, Report, Table, csv, shortest},
};
use hockeystick_digits::Notation;
use hockeystick_ledger::{Ledger, Standing};

/// What was spent of each budget, and what is left
#[derive(Debug, clap::Args)]
pub(super) struct Status {
    /// One budget; all of them, if none is named
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Say how often this mechanism could still be run
    #[arg(long, value_name = "EXPR")]
    uses_of: Option<String>,

    #[command(flatten)]
    plot: PlotFile,
}

/// More uses are not counted.
const MOST: u64 = 1_000_000_000;

#[derive(serde::Serialize)]
struct StatusReport {
    query: &'static str,
    budgets: Vec<BudgetReport>,
    #[serde(skip)]
    drawing: Option<String>,
}

#[derive(serde::Serialize)]
struct BudgetReport {
    name: String,
    #[serde(flatten)]
    numbers: Numbers,
    account: &'static str,
    relation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parents: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    renews: Option<&'static str>,
    #[serde(skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    scope: std::collections::BTreeMap<String, String>,
    spent: Between,
    #[serde(skip_serializing_if = "Option::is_none")]
    planned: Option<Between>,
    with_reserved: f64,
    left: f64,
    by: String,
    entries: u64,
    reserved: Vec<Reservation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uses_left: Option<UsesLeft>,
    #[serde(skip)]
    limit: String,
    #[serde(skip)]
    symbol: &'static str,
}

#[derive(serde::Serialize)]
struct Reservation {
    reference: String,
    expression: String,
    expires: String,
}

#[derive(serde::Serialize)]
struct UsesLeft {
    expression: String,
    uses: u64,
}

impl Status {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        self.plot.check(format)?;
        let mechanism = self.uses_of.as_deref().map(parsed).transpose()?;
        let standings = ledger.status(self.name.as_deref())?;
        let mut uses_left = Vec::new();
        for standing in &standings {
            uses_left.push(match &mechanism {
                Some(mechanism) => Some(UsesLeft {
                    expression: mechanism.to_string(),
                    uses: ledger.uses_that_fit(&standing.budget.name, mechanism, MOST)?,
                }),
                None => None,
            });
        }
        let drawing = match standings.as_slice() {
            [one] => self.plot.draw(|| spending::chart(ledger, &one.budget.name, one.budget.limit))?,
            _ => self.plot.draw(|| {
                Err(Failure::Request("a chart shows one budget; name it before --plot".to_owned()))
            })?,
        };
        let budgets =
            standings.into_iter().zip(uses_left).map(|(standing, left)| BudgetReport::of(standing, left));
        let report = StatusReport { query: "ledger-status", budgets: budgets.collect(), drawing };
        Ok(Outcome { text: report.written(format), shortfall: None })
    }
}

impl BudgetReport {
    fn of(standing: Standing, uses_left: Option<UsesLeft>) -> Self {
        let between =
            |interval: hockeystick_ledger::Interval| Between { lower: interval.lower, upper: interval.upper };
        let budget = standing.budget;
        Self {
            numbers: budget.limit.into(),
            account: budget.account.name(),
            relation: budget.relation.name(),
            unit: budget.unit,
            parents: budget.parents,
            renews: budget.renews.map(hockeystick_ledger::Period::name),
            scope: budget.scope,
            spent: between(standing.spent),
            planned: standing.planned.map(between),
            with_reserved: standing.with_held,
            left: standing.left,
            by: standing.by,
            entries: standing.entries,
            reserved: standing
                .held
                .into_iter()
                .map(|hold| Reservation {
                    reference: hold.reference,
                    expression: hold.expression,
                    expires: hold.expires.to_string(),
                })
                .collect(),
            uses_left,
            limit: budget.limit.to_string(),
            symbol: budget.limit.symbol(),
            name: budget.name,
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![
            Fact::value("budget", format!("{}, {}", self.limit, self.account)),
            Fact::value("left", format!("{} = {}", self.symbol, shortest(self.left))),
            Fact::value("proved by", self.by.clone()),
            Fact::value("entries", self.entries.to_string()),
        ];
        if let Some(planned) = self.planned {
            facts.push(Fact::value("if planned", format!("{} ≤ {}", self.symbol, shortest(planned.upper))));
        }
        facts.extend(self.reserved.iter().map(|hold| {
            Fact::value(
                "reserved",
                format!("{} for {} until {}", hold.expression, hold.reference, hold.expires),
            )
        }));
        facts.extend(
            self.uses_left
                .iter()
                .map(|left| Fact::value("room for", format!("{} uses of {}", left.uses, left.expression))),
        );
        facts
    }
}

impl Report for StatusReport {
    /// One budget in detail, several in a table.
    fn page(&self) -> Page {
        if let [budget] = self.budgets.as_slice() {
            let spent = budget.spent.shown(Notation::Plain);
            let headline = format!("{} has spent {} = {spent}", budget.name, budget.symbol);
            return Page {
                headline,
                drawing: self.drawing.clone(),
                facts: budget.facts(),
                ..Page::default()
            };
        }
        let row = |budget: &BudgetReport| {
            let left = format!("{} = {}", budget.symbol, shortest(budget.left));
            let upper = format!("{} ≤ {}", budget.symbol, shortest(budget.spent.upper));
            let uses = budget.uses_left.as_ref().map(|left| left.uses.to_string());
            let mut cells =
                vec![budget.name.clone(), budget.limit.clone(), budget.account.to_owned(), upper, left];
            cells.extend(uses);
            cells
        };
        let mut names = vec!["budget", "may spend", "account", "spent", "left"];
        if self.budgets.iter().any(|budget| budget.uses_left.is_some()) {
            names.push("uses");
        }
        let headline = format!("{} budgets", self.budgets.len());
        Page {
            headline,
            tables: vec![Table::new(&names, self.budgets.iter().map(row).collect())],
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let row = |budget: &BudgetReport| {
            let mut fields = vec![("budget", budget.name.clone())];
            fields.extend(budget.numbers.fields());
            fields.extend([
                ("account", budget.account.to_owned()),
                ("relation", budget.relation.to_owned()),
                ("spent_lower", csv::number(Some(budget.spent.lower))),
                ("spent_upper", csv::number(Some(budget.spent.upper))),
                ("with_reserved", csv::number(Some(budget.with_reserved))),
                ("left", csv::number(Some(budget.left))),
                ("entries", budget.entries.to_string()),
            ]);
            fields
        };
        csv::rows(self.budgets.iter().map(row))
    }
}
