//! One row of the history.

use super::{Budget, Time};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One row of the history. Rows are never changed and never deleted: what is given back is another row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its place in the chain, from 1 on.
    pub sequence: u64,
    /// When it was written, by the store's clock; never before the entry above it.
    pub time: Time,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// What each budget concerned had come to afterwards, as it was computed then.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spent: BTreeMap<String, f64>,
}

/// What can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A budget was made.
    Budget {
        /// The budget.
        definition: Budget,
    },
    /// A mechanism was charged.
    Spend {
        /// To this budget, and those above it.
        budget: String,
        /// What the spender calls it.
        reference: String,
        /// The mechanism.
        expression: String,
        /// In words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// Part of a budget was set aside.
    Reserve {
        /// Of this budget, and those above it.
        budget: String,
        /// What the spender calls it.
        reference: String,
        /// The most that will be run.
        expression: String,
        /// From then on nothing is set aside any more.
        expires: Time,
        /// In words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// What was set aside is charged, as far as it was used.
    Commit {
        /// The budget.
        budget: String,
        /// The reservation.
        reference: String,
        /// What was really run.
        expression: String,
    },
    /// What was set aside was not used.
    Release {
        /// The budget.
        budget: String,
        /// The reservation.
        reference: String,
    },
    /// A reservation has run out.
    Expire {
        /// The budget.
        budget: String,
        /// The reservation.
        reference: String,
    },
    /// A new period has begun.
    Renew {
        /// The budget.
        budget: String,
        /// The number of the period.
        term: i64,
    },
}

impl Event {
    /// The kind of the entry.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Budget { .. } => "budget",
            Self::Spend { .. } => "spend",
            Self::Reserve { .. } => "reserve",
            Self::Commit { .. } => "commit",
            Self::Release { .. } => "release",
            Self::Expire { .. } => "expire",
            Self::Renew { .. } => "renew",
        }
    }

    /// The budget that was asked for.
    pub fn budget(&self) -> &str {
        match self {
            Self::Budget { definition } => &definition.name,
            Self::Spend { budget, .. }
            | Self::Reserve { budget, .. }
            | Self::Commit { budget, .. }
            | Self::Release { budget, .. }
            | Self::Expire { budget, .. }
            | Self::Renew { budget, .. } => budget,
        }
    }

    /// What the spender calls it.
    pub fn reference(&self) -> Option<&str> {
        match self {
            Self::Spend { reference, .. }
            | Self::Reserve { reference, .. }
            | Self::Commit { reference, .. }
            | Self::Release { reference, .. }
            | Self::Expire { reference, .. } => Some(reference),
            Self::Budget { .. } | Self::Renew { .. } => None,
        }
    }

    /// The mechanism, in text form.
    pub fn expression(&self) -> Option<&str> {
        match self {
            Self::Spend { expression, .. }
            | Self::Reserve { expression, .. }
            | Self::Commit { expression, .. } => Some(expression),
            Self::Budget { .. } | Self::Release { .. } | Self::Expire { .. } | Self::Renew { .. } => None,
        }
    }
}

impl Entry {
    /// The text that is stored and hashed.
    pub(crate) fn body(&self) -> String {
        serde_json::to_string(self).expect("an entry has a text form")
    }
}
