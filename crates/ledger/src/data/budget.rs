//! What may be spent, by whom, on what.

use super::{InvalidData, Period};
use crate::error::Error;
use hockeystick::{
    mechanism::Relation,
    query::{Filter, SpendingLimit, Theorem},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// A privacy budget. It is fixed when it is made: what may be spent cannot depend on what was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Its name, unique in the ledger.
    pub name: String,
    /// The most that may be spent.
    pub limit: Limit,
    /// How spends add up.
    #[serde(default)]
    pub account: AccountKind,
    /// Which datasets are neighbours.
    #[serde(default)]
    pub relation: Relation,
    /// In words, what a record is: a person, a household, a device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Budgets that must hold, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// When it is full again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renews: Option<Period>,
    /// What it is for: dataset, user, team.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scope: BTreeMap<String, String>,
}

/// The most that may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Limit {
    /// (ε, δ)-differential privacy.
    EpsilonDelta {
        /// The largest ε.
        epsilon: f64,
        /// At this δ.
        delta: f64,
    },
    /// μ-GDP.
    Gaussian {
        /// The largest μ.
        mu: f64,
    },
    /// ρ-zCDP.
    Concentrated {
        /// The largest ρ.
        rho: f64,
    },
}

impl From<Limit> for SpendingLimit {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::EpsilonDelta { epsilon, delta } => Self::EpsilonDelta { epsilon, delta },
            Limit::Gaussian { mu } => Self::Gaussian { mu },
            Limit::Concentrated { rho } => Self::Concentrated { rho },
        }
    }
}

impl Limit {
    /// The number that is not to be exceeded: ε, μ or ρ.
    pub fn value(self) -> f64 {
        SpendingLimit::from(self).value()
    }

    /// What that number is called.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::EpsilonDelta { .. } => "ε",
            Self::Gaussian { .. } => "μ",
            Self::Concentrated { .. } => "ρ",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EpsilonDelta { epsilon, delta: 0.0 } => write!(f, "ε = {epsilon} at δ = 0"),
            Self::EpsilonDelta { epsilon, delta } => write!(f, "ε = {epsilon} at δ = {delta:e}"),
            Self::Gaussian { mu } => write!(f, "μ = {mu}"),
            Self::Concentrated { rho } => write!(f, "ρ = {rho}"),
        }
    }
}

/// How spends add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccountKind {
    /// Mechanisms may depend on earlier outputs: filters.
    #[default]
    Adaptive,
    /// No mechanism depends on an output: exact composition.
    Planned,
}

impl AccountKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adaptive => "adaptive",
            Self::Planned => "planned",
        }
    }
}

impl fmt::Display for AccountKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for AccountKind {
    type Err = InvalidData;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Adaptive, Self::Planned]
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| InvalidData::of("account", text, "adaptive or planned"))
    }
}

/// Names are shown, listed and typed: longer ones are a mistake.
const LONGEST_NAME: usize = 200;

impl Budget {
    /// An adaptive budget of ε at δ for adding or removing one record.
    pub fn new(name: impl Into<String>, epsilon: f64, delta: f64) -> Self {
        Self::of(name, Limit::EpsilonDelta { epsilon, delta })
    }

    /// The same of any limit.
    pub fn of(name: impl Into<String>, limit: Limit) -> Self {
        Self {
            name: name.into(),
            limit,
            account: AccountKind::default(),
            relation: Relation::default(),
            unit: None,
            parents: Vec::new(),
            renews: None,
            scope: BTreeMap::new(),
        }
    }

    /// With this kind of account.
    #[must_use]
    pub fn account(self, account: AccountKind) -> Self {
        Self { account, ..self }
    }

    /// Below this budget, which must hold, too. There may be several.
    #[must_use]
    pub fn below(mut self, parent: impl Into<String>) -> Self {
        self.parents.push(parent.into());
        self
    }

    /// Full again after every such period.
    #[must_use]
    pub fn renews(self, period: Period) -> Self {
        Self { renews: Some(period), ..self }
    }

    /// Is what was charged composed exactly? μ and ρ add up either way.
    pub(crate) fn composes_exactly(&self) -> bool {
        self.account == AccountKind::Planned && matches!(self.limit, Limit::EpsilonDelta { .. })
    }

    /// Refuses numbers and names that make no budget.
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_text("the name of a budget", &self.name)?;
        // The filter knows the ranges; a planned account has the same.
        Filter::new(self.limit.into(), self.relation, Theorem::Sum)?;
        if self.limit.value() > 0.0 {
            return Ok(());
        }
        Err(Error::Argument {
            argument: self.limit.symbol(),
            value: self.limit.value().to_string(),
            allowed: "above 0",
            cure: "a budget of nothing allows nothing",
        })
    }
}

/// Refuses an empty or endless name, and one that would not show.
pub(crate) fn check_text(argument: &'static str, text: &str) -> Result<(), Error> {
    if !text.is_empty() && text.chars().count() <= LONGEST_NAME && !text.chars().any(char::is_control) {
        return Ok(());
    }
    Err(Error::Argument {
        argument,
        value: format!("{:?}", text.chars().take(40).collect::<String>()),
        allowed: "1 to 200 characters on one line",
        cure: "choose a short name",
    })
}
