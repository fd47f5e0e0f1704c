//! What keeps the ledger from answering. A refused spend is no error: it is an answer.

use crate::data::InvalidData;

/// An error that names the cause and the cure. Nothing was written, unless it says that this is not known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something given is out of range or not understood.
    #[error("{argument} is {value}, but must be {allowed}; {cure}")]
    Argument {
        /// What it is called.
        argument: &'static str,
        /// What was given.
        value: String,
        /// What it may be.
        allowed: &'static str,
        /// What to do.
        cure: &'static str,
    },

    /// There is no such budget.
    #[error("there is no budget {name:?}; {}", listed(known))]
    NoBudget {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },

    /// The budget exists with other numbers.
    #[error(
        "the budget {name:?} exists and differs: {difference}; budgets cannot be changed: choose another name"
    )]
    OtherBudget {
        /// Its name.
        name: String,
        /// The budget as it is kept.
        difference: String,
    },

    /// Something given in words is not understood.
    #[error(transparent)]
    Data(#[from] InvalidData),

    /// The library cannot account for the mechanism.
    #[error(transparent)]
    Account(#[from] hockeystick::Error),

    /// A mechanism that names a file cannot be checked again later.
    #[error(
        "{expression} names a file, whose content may change; a ledger must be able to compute everything again: write the mechanism \
         with its numbers, or spend a dp(epsilon=…, delta=…) that bounds it"
    )]
    NamesFile {
        /// The mechanism.
        expression: String,
    },

    /// The database said no.
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),

    /// What is stored is not what a ledger writes.
    #[error("the ledger is damaged: {what}; run verify, and restore a backup")]
    Damaged {
        /// What is wrong.
        what: String,
    },
}

impl Error {
    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::Damaged { what: what.into() }
    }
}

fn listed(known: &[String]) -> String {
    const MOST: usize = 8;
    match known {
        [] => "there are no budgets yet: make one first".to_owned(),
        [..] => {
            let names: Vec<&str> = known.iter().take(MOST).map(String::as_str).collect();
            let more = if known.len() > MOST { ", …" } else { "" };
            format!("the budgets are {}{more}", names.join(", "))
        }
    }
}
