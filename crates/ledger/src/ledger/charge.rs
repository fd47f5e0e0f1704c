//! Spending: a mechanism is charged to a budget and to all above it, or refused.

use super::{Ledger, transaction::Transaction};
use crate::{
    account::{Refusal, View, Why, parsed, whole_parts},
    books::Books,
    data::{Event, Limit, check_text},
    error::Error,
};
use hockeystick::{
    mechanism::{Algebra, Mechanism, Value},
    query::SpendingLimit,
};
use std::collections::BTreeMap;

/// A mechanism that is to be charged to a budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Spend {
    /// The budget; those above it are charged, too.
    pub budget: String,
    /// The mechanism.
    pub mechanism: Mechanism,
    /// What the spender calls it. Under one reference one mechanism is charged, once.
    pub reference: String,
    /// In words.
    pub note: Option<String>,
    /// Only say what would happen.
    pub dry_run: bool,
}

impl Spend {
    /// Of a mechanism, under a reference.
    pub fn new(budget: impl Into<String>, mechanism: Mechanism, reference: impl Into<String>) -> Self {
        Self { budget: budget.into(), mechanism, reference: reference.into(), note: None, dry_run: false }
    }
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It was charged, or set aside.
    Charged(Receipt),
    /// Nothing was written.
    Refused(Refusal),
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// The entry; `None` of a dry run.
    pub sequence: Option<u64>,
    /// Was it there before, under this reference?
    pub repeated: bool,
    /// Every budget concerned, the named one first.
    pub budgets: Vec<Charged>,
}

/// A budget that was charged.
#[derive(Clone, Debug, PartialEq)]
pub struct Charged {
    /// Its name.
    pub budget: String,
    /// The most that may be spent.
    pub limit: Limit,
    /// What was spent and set aside, in ε, μ or ρ.
    pub spent: f64,
    /// How far that is from the limit, rounded down.
    pub left: f64,
    /// What proves it.
    pub by: String,
}

impl Ledger {
    /// Charges a mechanism to a budget and to those above it: to all of them, or to none.
    pub fn spend(&mut self, spend: &Spend) -> Result<Outcome, Error> {
        let expression = checked(&spend.mechanism)?;
        check_text("the reference", &spend.reference)?;
        let outcome = self.write(|transaction| {
            if let Some(known) = transaction.known(&spend.reference)? {
                let same =
                    known.kind == "spend" && known.budget == spend.budget && known.expression == expression;
                return Ok((transaction.again(&known, same, &spend.reference)?, false));
            }
            let charged = match transaction.fit(&spend.budget, &expression, None)? {
                Ok(charged) => charged,
                Err(why) => return Ok((Outcome::Refused(Refusal::of(why)), false)),
            };
            if spend.dry_run {
                let receipt = Receipt { sequence: None, repeated: false, budgets: charged };
                return Ok((Outcome::Charged(receipt), false));
            }
            let event = Event::Spend {
                budget: spend.budget.clone(),
                reference: spend.reference.clone(),
                expression: expression.clone(),
                note: spend.note.clone(),
            };
            Ok((transaction.receipt(&spend.budget, event, charged)?, true))
        })?;
        self.with_fits(outcome, &spend.budget, &spend.mechanism)
    }

    /// Says of a refused repetition how often it fits.
    pub(super) fn with_fits(
        &mut self,
        outcome: Outcome,
        budget: &str,
        mechanism: &Mechanism,
    ) -> Result<Outcome, Error> {
        let Outcome::Refused(refusal @ Refusal { why: Why::OverBudget { .. }, .. }) = outcome else {
            return Ok(outcome);
        };
        let fits = match whole_parts(mechanism)?.into_iter().collect::<Vec<_>>().as_slice() {
            [(part, uses)] if *uses > 1 => Some(self.uses_that_fit(budget, &parsed(part)?, *uses)?),
            _ => None,
        };
        Ok(Outcome::Refused(Refusal { fits, ..refusal }))
    }

    /// How many uses of a mechanism, at most so many, fit into a budget and all above it.
    pub fn uses_that_fit(&mut self, budget: &str, mechanism: &Mechanism, most: u64) -> Result<u64, Error> {
        checked(mechanism)?;
        self.read(|transaction| {
            let mut fits = |uses: u64| {
                let repeated = mechanism.clone().repeat(uses).to_string();
                Ok::<bool, Error>(transaction.fit(budget, &repeated, None)?.is_ok())
            };
            // `low` fits; `high` does not, or is one too many.
            let (mut low, mut high) = (0, 1);
            while high <= most && fits(high)? {
                (low, high) = (high, high.saturating_mul(2));
            }
            high = high.min(most.saturating_add(1));
            while low + 1 < high {
                let middle = low + (high - low) / 2;
                *(if fits(middle)? { &mut low } else { &mut high }) = middle;
            }
            Ok(low)
        })
    }
}

/// What a reference stands for.
pub(super) struct Known {
    pub(super) sequence: u64,
    pub(super) closed: Option<u64>,
    pub(super) kind: String,
    pub(super) budget: String,
    pub(super) expression: String,
}

impl Transaction<'_> {
    /// What a reference stands for, if it was used.
    pub(super) fn known(&mut self, reference: &str) -> Result<Option<Known>, Error> {
        let Some(opened) = self.books.opened(reference)? else { return Ok(None) };
        let entry = self.entry(opened.opened)?;
        Ok(Some(Known {
            sequence: opened.opened,
            closed: opened.closed,
            kind: entry.kind().to_owned(),
            budget: entry.budget().to_owned(),
            expression: entry.expression().unwrap_or_default().to_owned(),
        }))
    }

    /// What happened in an entry.
    pub(super) fn entry(&mut self, sequence: u64) -> Result<Event, Error> {
        let row = self.books.row(sequence)?;
        Ok(row.ok_or_else(|| Error::damaged(format!("entry {sequence} is missing")))?.entry()?.event)
    }

    /// The answer to a request whose reference was used before.
    pub(super) fn again(&mut self, known: &Known, same: bool, reference: &str) -> Result<Outcome, Error> {
        if same {
            let budgets = self.come_to(&known.budget)?;
            return Ok(Outcome::Charged(Receipt { sequence: Some(known.sequence), repeated: true, budgets }));
        }
        let difference = format!("a {} of {} from {}", known.kind, known.expression, known.budget);
        Ok(Outcome::Refused(Refusal::of(Why::ReferenceTaken {
            reference: reference.to_owned(),
            sequence: known.sequence,
            difference,
        })))
    }

    /// What all accounts concerned have come to.
    pub(super) fn come_to(&mut self, budget: &str) -> Result<Vec<Charged>, Error> {
        let views = self.concerned(budget)?;
        views.iter().map(|view| self.charged(view, None)).collect()
    }

    fn charged(&mut self, view: &View, more: Option<&str>) -> Result<Charged, Error> {
        let come = view.come(true, more, self.costing)?;
        let budget = &view.account.budget;
        Ok(Charged {
            budget: budget.name.clone(),
            limit: budget.limit,
            spent: come.upper,
            left: SpendingLimit::from(budget.limit).left(come.upper),
            by: come.by,
        })
    }

    /// What all accounts concerned would come to, or why one of them refuses. What `instead_of` has set aside does not count.
    pub(super) fn fit(
        &mut self,
        budget: &str,
        expression: &str,
        instead_of: Option<&str>,
    ) -> Result<Result<Vec<Charged>, Why>, Error> {
        let mut all = Vec::new();
        for view in self.concerned(budget)? {
            let view = match instead_of {
                Some(reference) => view.without(reference),
                None => view,
            };
            let name = view.account.budget.name.clone();
            if view.is_crowded() {
                let distinct = view.account.distinct;
                return Ok(Err(Why::Crowded { budget: name, distinct }));
            }
            let charged = self.charged(&view, Some(expression))?;
            if charged.spent > charged.limit.value() {
                let before = self.charged(&view, None)?;
                return Ok(Err(Why::OverBudget {
                    budget: name,
                    limit: charged.limit,
                    spent: before.spent,
                    would_be: charged.spent,
                    left: before.left,
                    by: charged.by,
                }));
            }
            all.push(charged);
        }
        Ok(Ok(all))
    }

    /// Writes an entry that charges.
    pub(super) fn receipt(
        &mut self,
        budget: &str,
        event: Event,
        budgets: Vec<Charged>,
    ) -> Result<Outcome, Error> {
        self.catch_up(budget)?;
        let spent: BTreeMap<String, f64> =
            budgets.iter().map(|charged| (charged.budget.clone(), charged.spent)).collect();
        let sequence = self.record(event, spent)?;
        Ok(Outcome::Charged(Receipt { sequence: Some(sequence), repeated: false, budgets }))
    }
}

/// The text of a mechanism that a ledger can compute again.
pub(super) fn checked(mechanism: &Mechanism) -> Result<String, Error> {
    // Counts that are too large are seen here.
    whole_parts(mechanism)?;
    let text = mechanism.to_string();
    if names_file(mechanism) {
        return Err(Error::NamesFile { expression: text });
    }
    Ok(text)
}

/// Does the mechanism name a file?
fn names_file(mechanism: &Mechanism) -> bool {
    mechanism.arguments().iter().any(|(name, value)| *name == "file" && matches!(value, Value::Text(_)))
        || mechanism.parts().iter().any(names_file)
}
