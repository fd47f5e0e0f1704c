//! Filters: when an analyst who chooses each mechanism after seeing earlier outputs has to stop.
//!
//! In: a budget, a relation, and what was spent. Out: whether more fits, and the ε, μ or ρ that the filter has come to.
//!
//! Composing what was spent so far and stopping when the curve crosses the budget is *not* valid here. What is valid adds up numbers that
//! bound each mechanism whatever was seen before: ε and δ, μ², and log moments at orders that are fixed beforehand. A filter keeps all
//! of these sums at once, gives each a share of δ, and admits what at least one of them admits. The proofs are in
//! `docs/design/ledger.md`.
//!
//! # Guarantee
//! Whoever only runs what the filter admits has spent at most the budget, however mechanisms were chosen. Sums are rounded up, shares of
//! δ down.

mod amounts;
mod guard;
mod limit;
mod orders;
#[cfg(test)]
mod tests;

pub use amounts::Amounts;
pub use guard::{Guard, Theorem};
pub use limit::SpendingLimit;

use super::arguments::{check, check_delta, check_epsilon};
use crate::{
    error::Error,
    mechanism::{Mechanism, Relation},
    pair::{Direction, LossLaw, Releases, SharedPair},
    plan::Engines,
};
use amounts::amounts_in;

/// A rule that says what still fits into a budget if mechanisms are chosen adaptively.
///
/// ```
/// use hockeystick::{mechanism::{Mechanism, Relation}, query::{Filter, SpendingLimit, Theorem}};
///
/// let limit = SpendingLimit::EpsilonDelta { epsilon: 1.0, delta: 1e-6 };
/// let query: Mechanism = "gaussian(sigma=20)".parse()?;
/// let filter = Filter::new(limit, Relation::AddRemove, Theorem::first(&query)?)?;
/// let one = filter.amounts(&query)?;
/// let mut spent = filter.nothing();
/// let mut uses = 0;
/// while filter.admits(&spent.plus(&one)) {
///     (spent, uses) = (spent.plus(&one), uses + 1);
/// }
/// // As many as if the queries had been fixed beforehand: ε(10⁻⁶) of 23 of them is above 1.
/// assert_eq!(uses, 22);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    limit: SpendingLimit,
    relation: Relation,
    guards: Vec<Guard>,
}

/// What a filter has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The smallest budget of the kind of the limit that the filter would have admitted it under, rounded up.
    pub value: f64,
    /// The guard that says so.
    pub guard: Guard,
}

impl Filter {
    /// The filter of a limit. Most of δ goes to `lead`, which must be known before any output is: say, from the
    /// [first mechanism](Theorem::first).
    ///
    /// # Errors
    /// If a number of the limit is out of range.
    pub fn new(limit: SpendingLimit, relation: Relation, lead: Theorem) -> Result<Self, Error> {
        let guards = match limit {
            SpendingLimit::EpsilonDelta { epsilon, delta } => {
                check_epsilon(epsilon)?;
                check_delta(delta)?;
                Guard::of_budget(epsilon, delta, lead)
            }
            SpendingLimit::Gaussian { mu } => {
                check(mu > 0.0 && mu.is_finite(), "mu", mu, "a finite number above 0", "write μ = 1, say")?;
                vec![Guard::alone(Theorem::Gaussian)]
            }
            SpendingLimit::Concentrated { rho } => {
                check(
                    rho > 0.0 && rho.is_finite(),
                    "rho",
                    rho,
                    "a finite number above 0",
                    "write ρ = 0.1, say",
                )?;
                vec![Guard::alone(Theorem::Concentrated)]
            }
        };
        Ok(Self { limit, relation, guards })
    }

    /// What is to be kept.
    pub fn limit(&self) -> SpendingLimit {
        self.limit
    }

    /// What is kept account of at the same time, with its share of δ.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }

    /// Of nothing.
    pub fn nothing(&self) -> Amounts {
        Amounts::nothing(self.orders().count())
    }

    /// What a mechanism, composed or not, adds to each sum: the larger of both directions.
    ///
    /// # Guarantee
    /// At least the truth, and infinite where a sum says nothing about the mechanism.
    pub fn amounts(&self, mechanism: &Mechanism) -> Result<Amounts, Error> {
        let releases = Releases::of(mechanism)?;
        releases.compose_by(&Engines);
        let orders: Vec<f64> = self.orders().collect();
        let mut largest = Amounts::nothing(orders.len());
        for &direction in Direction::of(self.relation) {
            largest = largest.max(&amounts_in(&releases, direction, &orders)?);
            if releases.pairs(direction).is_ok_and(|pairs| pairs.iter().all(|(pair, _)| pair.is_self_dual()))
            {
                break;
            }
        }
        Ok(largest)
    }

    /// Does the budget hold after all of this?
    pub fn admits(&self, spent: &Amounts) -> bool {
        self.reached(spent).value <= self.limit.value()
    }

    /// What all of this comes to: the best of the guards.
    pub fn reached(&self, spent: &Amounts) -> Reached {
        let values = self.values(spent).into_iter().map(|(guard, value)| Reached { value, guard });
        values.reduce(|best, other| if other.value < best.value { other } else { best }).expect("a guard")
    }

    /// What each guard says.
    pub fn values(&self, spent: &Amounts) -> Vec<(Guard, f64)> {
        let mut renyi = 0;
        let value = |guard: &Guard| {
            let position = renyi;
            renyi += usize::from(matches!(guard.theorem, Theorem::Renyi { .. }));
            (*guard, guard.value(spent, position))
        };
        self.guards.iter().map(value).collect()
    }

    fn orders(&self) -> impl Iterator<Item = f64> + '_ {
        self.guards.iter().filter_map(|guard| match guard.theorem {
            Theorem::Renyi { lambda } => Some(lambda),
            Theorem::Sum | Theorem::Gaussian | Theorem::Concentrated => None,
        })
    }
}

impl Theorem {
    /// The theorem that suits an account whose first mechanism is this one: what is run first depends on no output.
    pub fn first(mechanism: &Mechanism) -> Result<Self, Error> {
        let releases = Releases::of(mechanism)?;
        releases.compose_by(&Engines);
        let Ok(pairs) = releases.pairs(Direction::Remove) else { return Ok(Self::RENYI) };
        let is_normal = |pair: &SharedPair| matches!(pair.loss_law(), Some(LossLaw::Normal { .. }));
        let is_bounded = |pair: &SharedPair| pair.finite_losses().end().upper().is_finite();
        Ok(if pairs.iter().any(|(pair, _)| pair.infinite_mass().value().upper() > 0.0) {
            Self::Sum
        } else if pairs.iter().any(|(pair, _)| is_normal(pair))
            && pairs.iter().all(|(pair, _)| is_normal(pair) || is_bounded(pair))
        {
            Self::Gaussian
        } else {
            Self::RENYI
        })
    }
}
