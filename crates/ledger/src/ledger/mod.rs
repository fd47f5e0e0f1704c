//! The verbs of a ledger.
//!
//! In: requests. Out: a receipt, or a refusal that says why and what is left; standings; the history; what verification found.
//!
//! # Guarantee
//! A request is one transaction: all budgets concerned are checked and charged, or none is. The same reference is charged once.

mod charge;
mod exchange;
mod fold;
mod reservation;
mod seen;
mod transaction;
mod verification;

pub use charge::{Charged, Outcome, Receipt, Spend};
pub use reservation::Reserve;
pub use verification::{Finding, Verified};

use crate::{
    account::Costing,
    books::Books,
    data::{Budget, Event},
    error::Error,
    store::{self, Store},
};

/// Budgets and their history in a store.
pub struct Ledger {
    store: Box<dyn Store>,
    costing: Costing,
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ledger").finish_non_exhaustive()
    }
}

impl Ledger {
    /// Makes a ledger, or opens the one that is there. The store is the path of a file, or the URL of a PostgreSQL:
    /// `postgres://user@host/database`.
    pub fn create(store: &str) -> Result<Self, Error> {
        Ok(Self::on(store::create(store)?))
    }

    /// Opens a ledger that [`create`](Self::create) has made.
    pub fn open(store: &str) -> Result<Self, Error> {
        Ok(Self::on(store::open(store)?))
    }

    /// A ledger on a store of one's own.
    pub fn on(store: Box<dyn Store>) -> Self {
        Self { store, costing: Costing::default() }
    }

    /// Makes a budget. The same budget again changes nothing.
    ///
    /// # Errors
    /// If a number is out of range, a parent does not exist, or the name has another budget.
    pub fn budget(&mut self, budget: &Budget) -> Result<(), Error> {
        budget.check()?;
        self.write(|transaction| {
            if let Some(known) = transaction.books.account(&budget.name)? {
                if known.budget == *budget {
                    return Ok(((), false));
                }
                return Err(Error::OtherBudget {
                    name: budget.name.clone(),
                    difference: difference(&known.budget, budget),
                });
            }
            for parent in &budget.parents {
                let parent = transaction.account(parent)?.budget;
                if parent.composes_exactly() && !budget.composes_exactly() {
                    return Err(below_planned(&parent.name));
                }
            }
            transaction.record(Event::Budget { definition: budget.clone() }, Default::default())?;
            Ok(((), true))
        })
    }
}

/// Exact composition holds for mechanisms that depend on no output: those of budgets below are among them.
fn below_planned(parent: &str) -> Error {
    Error::Argument {
        argument: "account",
        value: format!("not planned, below {parent}, which is"),
        allowed: "planned, with ε and δ, below a planned budget",
        cure: "make it planned if no mechanism depends on an output; otherwise the budget above must be adaptive",
    }
}

/// Where two budgets of one name differ.
fn difference(known: &Budget, other: &Budget) -> String {
    let text = |budget: &Budget| serde_json::to_value(budget).unwrap_or_default();
    let (known, other) = (text(known), text(other));
    let keys = ["limit", "account", "relation", "unit", "parents", "renews", "scope"];
    let differs = |key: &&&str| known.get(**key) != other.get(**key);
    let shown = |value: Option<&serde_json::Value>| value.map_or("none".to_owned(), ToString::to_string);
    let found: Vec<String> = (keys.iter().filter(differs))
        .map(|key| format!("{key} is {}, not {}", shown(known.get(key)), shown(other.get(key))))
        .collect();
    found.join(", ")
}
