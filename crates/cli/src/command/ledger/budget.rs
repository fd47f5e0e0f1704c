//! `hockeystick ledger budget`.

use super::{
    super::{Outcome, common::number, named},
    outcome,
};
use crate::{failure::Failure, report::Format};
use hockeystick::mechanism::Relation;
use hockeystick_ledger::{AccountKind, Budget, Ledger, Limit, Period};

/// Makes a budget; the same budget again changes nothing
#[derive(Debug, clap::Args)]
pub(super) struct Make {
    /// What it is called
    #[arg(value_name = "NAME")]
    name: String,

    /// The most that may be spent, with --delta
    #[arg(long, short = 'e', value_name = "E", value_parser = number, allow_hyphen_values = true, requires = "delta")]
    epsilon: Option<f64>,

    /// The δ of that; 0 is pure differential privacy
    #[arg(long, short = 'd', value_name = "D", value_parser = number, allow_hyphen_values = true, requires = "epsilon")]
    delta: Option<f64>,

    /// The most that may be spent, as μ of Gaussian differential privacy
    #[arg(long, value_name = "M", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["epsilon", "delta", "rho"])]
    mu: Option<f64>,

    /// The most that may be spent, as ρ of concentrated differential privacy
    #[arg(long, value_name = "R", value_parser = number, allow_hyphen_values = true, conflicts_with_all = ["epsilon", "delta"])]
    rho: Option<f64>,

    /// How spends add up: adaptive if a mechanism may depend on earlier outputs, planned if none does
    #[arg(long, value_name = "KIND", default_value_t)]
    account: AccountKind,

    /// Which datasets are neighbours: add-remove, add, remove or replace (one record)
    #[arg(long, short = 'r', value_name = "R", value_parser = named::relation(), hide_possible_values = true, default_value_t)]
    relation: Relation,

    /// What a record is, in words: "one person", "one device for a day"
    #[arg(long, value_name = "TEXT")]
    unit: Option<String>,

    /// A budget that must hold, too; may be given more than once
    #[arg(long, value_name = "NAME")]
    parent: Vec<String>,

    /// When it is full again: every day, week, month or year (UTC)
    #[arg(long, value_name = "PERIOD")]
    renews: Option<Period>,

    /// What it is for, such as dataset=census or team=maps; may be given more than once
    #[arg(long, value_name = "KEY=VALUE", value_parser = scope)]
    scope: Vec<(String, String)>,
}

fn scope(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() && !value.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("write a key and a value, such as dataset=census".to_owned()),
    }
}

impl Make {
    pub(super) fn run(&self, ledger: &mut Ledger, format: Format) -> Result<Outcome, Failure> {
        let limit = match (self.epsilon, self.delta, self.mu, self.rho) {
            (Some(epsilon), Some(delta), _, _) => Limit::EpsilonDelta { epsilon, delta },
            (_, _, Some(mu), _) => Limit::Gaussian { mu },
            (_, _, _, Some(rho)) => Limit::Concentrated { rho },
            _ => {
                return Err(Failure::Request(
                    "nothing says how much may be spent; write --epsilon 1 --delta 1e-6, or --mu, or --rho"
                        .to_owned(),
                ));
            }
        };
        let budget = Budget {
            account: self.account,
            relation: self.relation,
            unit: self.unit.clone(),
            parents: self.parent.clone(),
            renews: self.renews,
            scope: self.scope.iter().cloned().collect(),
            ..Budget::of(&self.name, limit)
        };
        ledger.budget(&budget)?;
        Ok(outcome::plain(format, "ledger-budget", format!("{} may spend {limit}", self.name)))
    }
}
