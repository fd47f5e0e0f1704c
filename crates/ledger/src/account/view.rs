//! An account as it stands at one moment.

use super::{Costing, proof::Proof, text::parsed};
use crate::{
    books::{Account, Books, Hold, Part},
    data::{Limit, Time},
    error::Error,
};
use hockeystick::{
    limits::{Limits, within},
    query::{Accountant, Amounts, Filter, Guard, Theorem},
};
use std::time::Duration;

/// A planned account takes no longer to compose: everybody else waits meanwhile.
const PATIENCE: Duration = Duration::from_secs(20);
/// More distinct mechanisms take too long to compose, again and again.
const MOST_PLANNED: u64 = 2000;

/// An account in its present period, with what is set aside of it.
pub(crate) struct View {
    pub(crate) account: Account,
    /// What was charged, of a planned account.
    parts: Vec<Part>,
    pub(crate) holds: Vec<Hold>,
}

/// What an account comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Come {
    /// At least this, of exact composition.
    pub(crate) lower: Option<f64>,
    /// At most this.
    pub(crate) upper: f64,
    /// What proves it.
    pub(crate) by: String,
    /// The sums of the filter.
    pub(crate) sums: Option<Amounts>,
}

impl View {
    /// Of an account at a time: a period that has ended counts no more, nor does what has run out.
    pub(crate) fn at(books: &mut dyn Books, account: Account, now: Time) -> Result<Self, Error> {
        let name = account.budget.name.clone();
        let term = account.term_at(now);
        let is_over = term > account.term;
        let holds: Vec<Hold> = books.holds(&name)?.into_iter().filter(|hold| hold.expires > now).collect();
        let account = if is_over { renewed(account, term, &holds)? } else { account };
        let parts =
            if account.budget.composes_exactly() && !is_over { books.parts(&name)? } else { Vec::new() };
        Ok(Self { account, parts, holds })
    }

    /// Without what is set aside under a reference.
    pub(crate) fn without(mut self, reference: &str) -> Self {
        self.holds.retain(|hold| hold.reference != reference);
        self
    }

    /// What was charged comes to, together with what is set aside, if that counts, and with more.
    pub(crate) fn come(
        &self,
        with_holds: bool,
        more: Option<&str>,
        costing: &mut Costing,
    ) -> Result<Come, Error> {
        let held = self.holds.iter().filter(|_| with_holds).map(|hold| hold.expression.as_str());
        let added: Vec<&str> = held.chain(more).collect();
        match self.account.budget.limit {
            Limit::EpsilonDelta { delta, .. } if self.account.budget.composes_exactly() => {
                self.composed(delta, &added)
            }
            _ => self.filtered(&added, costing),
        }
    }

    /// By exact composition.
    fn composed(&self, delta: f64, added: &[&str]) -> Result<Come, Error> {
        let mut accountant = Accountant::new(self.account.budget.relation);
        for (text, uses) in &self.parts {
            accountant.add_times(&parsed(text)?, *uses)?;
        }
        for text in added {
            accountant.add(&parsed(text)?)?;
        }
        let limits = Limits { time: Some(PATIENCE), ..Limits::NONE };
        let answer = within(limits, || accountant.epsilon(delta))
            .unwrap_or_else(|why| Err(hockeystick::Error::Stopped { why }))?;
        Ok(Come {
            lower: answer.lower(),
            upper: answer.upper(),
            by: format!("exact composition, {}", answer.method()),
            sums: None,
        })
    }

    /// By a filter.
    fn filtered(&self, added: &[&str], costing: &mut Costing) -> Result<Come, Error> {
        let filter = filter(&self.account, added.first().copied())?;
        let mut sums = self.account.spent.as_ref().map_or_else(|| filter.nothing(), Amounts::from);
        for text in added {
            sums = sums.plus(&costing.amounts(&filter, text)?);
        }
        let reached = filter.reached(&sums);
        let by = if reached.value.is_finite() {
            reached.guard.theorem.to_string()
        } else {
            "no theorem about adaptively chosen mechanisms bounds all of this".to_owned()
        };
        Ok(Come { lower: None, upper: reached.value, by, sums: Some(sums) })
    }

    /// What each sum says of all that was spent and set aside; nothing, of an account that composes exactly.
    pub(crate) fn proofs(&self, costing: &mut Costing) -> Result<Vec<Proof>, Error> {
        if self.account.budget.composes_exactly() {
            return Ok(Vec::new());
        }
        let filter = filter(&self.account, None)?;
        let Some(sums) = self.come(true, None, costing)?.sums else { return Ok(Vec::new()) };
        let proof = |(guard, value): (Guard, f64)| Proof {
            theorem: guard.theorem.to_string(),
            delta: guard.delta,
            value,
        };
        Ok(filter.values(&sums).into_iter().map(proof).collect())
    }

    /// Would a planned account have to compose too many distinct mechanisms?
    pub(crate) fn is_crowded(&self) -> bool {
        self.account.budget.composes_exactly() && self.account.distinct >= MOST_PLANNED
    }
}

/// The account after a charge: its sums and its lead. Its parts are kept beside it.
pub(crate) fn charged(account: &Account, expression: &str, costing: &mut Costing) -> Result<Account, Error> {
    let mut account = led(account, expression)?;
    account.entries += 1;
    if !account.budget.composes_exactly() {
        let filter = filter(&account, None)?;
        let sums = account.spent.as_ref().map_or_else(|| filter.nothing(), Amounts::from);
        account.spent = Some((&sums.plus(&costing.amounts(&filter, expression)?)).into());
    }
    Ok(account)
}

/// The account at the beginning of a period. What is still set aside was chosen before any output of the period, and leads.
pub(crate) fn renewed(account: Account, term: i64, holds: &[Hold]) -> Result<Account, Error> {
    let account = account.renewed(term);
    holds.first().map_or_else(|| Ok(account.clone()), |hold| led(&account, &hold.expression))
}

/// The account with the theorem that leads: the first charge of a period decides.
pub(crate) fn led(account: &Account, expression: &str) -> Result<Account, Error> {
    let mut account = account.clone();
    if account.lead.is_none() && !account.budget.composes_exactly() {
        account.lead = Some(Theorem::first(&parsed(expression)?)?.name().to_owned());
    }
    Ok(account)
}

/// The filter of an account; before its first charge that of the mechanism that would be the first.
fn filter(account: &Account, first: Option<&str>) -> Result<Filter, Error> {
    let lead = match (&account.lead, first) {
        (Some(name), _) => {
            Theorem::of_name(name).ok_or_else(|| Error::damaged(format!("there is no theorem {name:?}")))?
        }
        (None, Some(text)) => Theorem::first(&parsed(text)?)?,
        (None, None) => Theorem::Sum,
    };
    Ok(Filter::new(account.budget.limit.into(), account.budget.relation, lead)?)
}
