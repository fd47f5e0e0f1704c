//! What is shown of a budget.

use super::{Costing, View, proof::Proof, text::parsed};
use crate::{
    books::{Books, Part},
    data::{AccountKind, Budget, Limit, Time},
    error::Error,
};
use hockeystick::{
    limits::{Limits, within},
    query::Accountant,
};
use std::time::Duration;

/// Two numbers with the truth between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// At most the truth.
    pub lower: f64,
    /// At least the truth.
    pub upper: f64,
}

/// A budget, and what was spent of it in its present period.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The budget.
    pub budget: Budget,
    /// What the mechanisms that were charged have spent, in ε, μ or ρ. The lower end is exact composition's; the upper end is
    /// what counts: exact composition's in a planned account, the filter's in an adaptive one.
    pub spent: Interval,
    /// What a planned account would have come to; `None` if it takes too long to compose, or if there is nothing to compare.
    pub planned: Option<Interval>,
    /// What was spent together with what is set aside.
    pub with_held: f64,
    /// How far that is from the limit, rounded down.
    pub left: f64,
    /// What proves the upper end.
    pub by: String,
    /// What each sum that is kept says, of what was spent and set aside: the best of them counts.
    pub proofs: Vec<Proof>,
    /// Spends and commits, ever.
    pub entries: u64,
    /// What is set aside.
    pub held: Vec<Holding>,
}

/// What is set aside.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// What the spender calls it.
    pub reference: String,
    /// The most that will be run.
    pub expression: String,
    /// From then on nothing is set aside any more.
    pub expires: Time,
}

/// Comparing with a planned account is a courtesy.
const PATIENCE: Duration = Duration::from_secs(2);
const MOST_COMPARED: u64 = 500;

/// How an account stands.
pub(crate) fn standing(books: &mut dyn Books, view: &View, costing: &mut Costing) -> Result<Standing, Error> {
    let budget = view.account.budget.clone();
    let spent = view.come(false, None, costing)?;
    let with_held = if view.holds.is_empty() { spent.upper } else { view.come(true, None, costing)?.upper };
    let planned = match (budget.account, budget.limit) {
        (AccountKind::Adaptive, Limit::EpsilonDelta { delta, .. })
            if view.account.distinct <= MOST_COMPARED =>
        {
            let parts = if view.account.spent.is_some() { books.parts(&budget.name)? } else { Vec::new() };
            composed(&budget, &parts, delta)
        }
        _ => None,
    };
    let lower = spent.lower.or(planned.map(|planned| planned.lower)).unwrap_or(0.0);
    Ok(Standing {
        spent: Interval { lower: lower.min(spent.upper), upper: spent.upper },
        planned,
        with_held,
        left: hockeystick::query::SpendingLimit::from(budget.limit).left(with_held),
        by: spent.by,
        proofs: view.proofs(costing)?,
        entries: view.account.entries,
        held: view.holds.iter().map(holding).collect(),
        budget,
    })
}

fn holding(hold: &crate::books::Hold) -> Holding {
    Holding { reference: hold.reference.clone(), expression: hold.expression.clone(), expires: hold.expires }
}

/// What fixed mechanisms have spent.
fn composed(budget: &Budget, parts: &[Part], delta: f64) -> Option<Interval> {
    let mut accountant = Accountant::new(budget.relation);
    for (text, uses) in parts {
        accountant.add_times(&parsed(text).ok()?, *uses).ok()?;
    }
    let limits = Limits { time: Some(PATIENCE), ..Limits::NONE };
    let answer = within(limits, || accountant.epsilon(delta)).ok()?.ok()?;
    Some(Interval { lower: answer.lower()?, upper: answer.upper() })
}
