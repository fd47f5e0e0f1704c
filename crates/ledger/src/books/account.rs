//! What is kept of a budget besides its definition.

use crate::data::{Budget, Time};
use hockeystick::query::Amounts;
use serde::{Deserialize, Serialize};

/// A budget with what was charged to it in its period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Account {
    /// As it was made.
    pub(crate) budget: Budget,
    /// The theorem that most of δ goes to, from the first charge of the period on.
    pub(crate) lead: Option<String>,
    /// The sums of its filter.
    pub(crate) spent: Option<Sums>,
    /// The period.
    pub(crate) term: i64,
    /// Distinct mechanisms charged in it.
    pub(crate) distinct: u64,
    /// Spends and commits, ever.
    pub(crate) entries: u64,
}

impl Account {
    /// Of a new budget.
    pub(crate) fn new(budget: Budget, now: Time) -> Self {
        let mut account = Self { budget, lead: None, spent: None, term: 0, distinct: 0, entries: 0 };
        account.term = account.term_at(now);
        account
    }

    /// The number of the period at a time; an account whose budget does not renew has one.
    pub(crate) fn term_at(&self, now: Time) -> i64 {
        self.budget.renews.map_or(0, |period| period.term(now))
    }

    /// At the beginning of a period.
    pub(crate) fn renewed(self, term: i64) -> Self {
        Self { lead: None, spent: None, distinct: 0, term, ..self }
    }
}

/// The sums of a filter as they are stored: JSON has no infinity, which is nothing here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sums {
    epsilon: Option<f64>,
    delta: Option<f64>,
    mu_squared: Option<f64>,
    rho: Option<f64>,
    log_moments: Vec<Option<f64>>,
}

impl From<&Amounts> for Sums {
    fn from(amounts: &Amounts) -> Self {
        let known = |amount: f64| amount.is_finite().then_some(amount);
        Self {
            epsilon: known(amounts.epsilon),
            delta: known(amounts.delta),
            mu_squared: known(amounts.mu_squared),
            rho: known(amounts.rho),
            log_moments: amounts.log_moments.iter().map(|&amount| known(amount)).collect(),
        }
    }
}

impl From<&Sums> for Amounts {
    fn from(sums: &Sums) -> Self {
        let amount = |known: Option<f64>| known.unwrap_or(f64::INFINITY);
        Self {
            epsilon: amount(sums.epsilon),
            delta: amount(sums.delta),
            mu_squared: amount(sums.mu_squared),
            rho: amount(sums.rho),
            log_moments: sums.log_moments.iter().map(|&known| amount(known)).collect(),
        }
    }
}

/// What is set aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hold {
    pub(crate) reference: String,
    /// The budget that it was reserved from.
    pub(crate) budget: String,
    /// The most that will be run.
    pub(crate) expression: String,
    pub(crate) expires: Time,
}
