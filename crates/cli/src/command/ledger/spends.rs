//! Spends that were written down elsewhere: the rows of a table.
//!
//! In: a file as CSV or as lines of JSON, with the columns budget, expression and reference, and perhaps note. Out: each row charged by itself, or refused.

use super::{
    super::{
        Outcome,
        sweep::{Cell, Table},
    },
    outcome::plain,
    spend::parsed,
};
use crate::{failure::Failure, report::Format};
use hockeystick_ledger::{Ledger, Outcome as Became, Spend};
use std::{collections::BTreeSet, path::Path};

/// Refused references that are named.
const MOST_NAMED: usize = 5;

/// Charges every row, those that fit; the same file again charges nothing twice. Nothing is written if a row cannot be read.
pub(super) fn charge(ledger: &mut Ledger, file: &Path, format: Format) -> Result<Outcome, Failure> {
    let spends = read(file)?;
    // A budget that is not there is said before anything is charged.
    let budgets: BTreeSet<&str> = spends.iter().map(|spend| spend.budget.as_str()).collect();
    for budget in budgets {
        ledger.status(Some(budget))?;
    }
    let mut refused = Vec::new();
    for spend in &spends {
        if let Became::Refused(_) = ledger.spend(spend)? {
            refused.push(spend.reference.as_str());
        }
    }
    let charged = spends.len() - refused.len();
    let message = format!("{charged} of {} rows are charged", spends.len());
    let shortfall = (!refused.is_empty()).then(|| {
        let more = if refused.len() > MOST_NAMED { ", …" } else { "" };
        let named = &refused[..refused.len().min(MOST_NAMED)];
        format!("what does not fit was not charged: {}{more}; a spend by itself says why", named.join(", "))
    });
    Ok(Outcome { shortfall, ..plain(format, "ledger-import", message) })
}

fn read(file: &Path) -> Result<Vec<Spend>, Failure> {
    let (table, _) = Table::of(file)?;
    let failure = |message: String| Failure::File { name: file.display().to_string(), message };
    let column = |name: &str| table.names.iter().position(|known| known == name);
    let needed = |name: &str| {
        let complaint = || {
            failure(format!("has no column {name}; the columns are budget, expression, reference and note"))
        };
        column(name).ok_or_else(complaint)
    };
    let (budget, expression, reference) = (needed("budget")?, needed("expression")?, needed("reference")?);
    let note = column("note");
    let mut spends = Vec::with_capacity(table.rows.len());
    for (number, (cells, problem)) in (1..).zip(&table.rows) {
        let wrong = |message: &str| failure(format!("row {number}: {message}"));
        if let Some(problem) = problem {
            return Err(wrong(problem));
        }
        let text = |column: usize, name: &str| match &cells[column] {
            Cell::Missing => Err(wrong(&format!("there is no {name}"))),
            cell => Ok(cell.to_string()),
        };
        let mechanism = parsed(&text(expression, "expression")?)?;
        let spend = Spend::new(text(budget, "budget")?, mechanism, text(reference, "reference")?);
        let note = note.and_then(|column| text(column, "note").ok());
        spends.push(Spend { note, ..spend });
    }
    Ok(spends)
}
