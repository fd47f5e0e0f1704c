//! Setting aside, and what becomes of it.
//!
//! A reservation counts as spent until it is committed, released, or has run out. Nothing that was computed may leave the program before
//! the commit is acknowledged: then what has run out was never seen by anybody, and has cost nothing.

use super::{
    Ledger, Outcome,
    charge::{Known, checked},
    transaction::Transaction,
};
use crate::{
    account::{Refusal, Why, is_contained, parsed},
    books::Books,
    data::{Event, Span, check_text},
    error::Error,
};
use hockeystick::mechanism::Mechanism;

/// A mechanism that part of a budget is to be set aside for.
#[derive(Clone, Debug, PartialEq)]
pub struct Reserve {
    /// The budget; those above it are concerned, too.
    pub budget: String,
    /// The most that will be run.
    pub mechanism: Mechanism,
    /// What the spender calls it.
    pub reference: String,
    /// For how long.
    pub expires: Span,
    /// In words.
    pub note: Option<String>,
}

impl Ledger {
    /// Sets aside what a mechanism would spend.
    pub fn reserve(&mut self, reserve: &Reserve) -> Result<Outcome, Error> {
        let expression = checked(&reserve.mechanism)?;
        check_text("the reference", &reserve.reference)?;
        let outcome = self.write(|transaction| {
            if let Some(known) = transaction.known(&reserve.reference)? {
                let same = known.kind == "reserve"
                    && known.budget == reserve.budget
                    && known.expression == expression;
                return Ok((transaction.again(&known, same, &reserve.reference)?, false));
            }
            let charged = match transaction.fit(&reserve.budget, &expression, None)? {
                Ok(charged) => charged,
                Err(why) => return Ok((Outcome::Refused(Refusal::of(why)), false)),
            };
            let event = Event::Reserve {
                budget: reserve.budget.clone(),
                reference: reserve.reference.clone(),
                expression: expression.clone(),
                expires: transaction.now.after(reserve.expires),
                note: reserve.note.clone(),
            };
            Ok((transaction.receipt(&reserve.budget, event, charged)?, true))
        })?;
        self.with_fits(outcome, &reserve.budget, &reserve.mechanism)
    }

    /// Charges what was really run, at most what was reserved; all of that, if nothing is said.
    ///
    /// A reservation that has run out is charged like a spend, if it still fits.
    pub fn commit(&mut self, reference: &str, used: Option<&Mechanism>) -> Result<Outcome, Error> {
        let used = used.map(checked).transpose()?;
        self.write(|transaction| {
            let Some(known) = transaction.known(reference)? else {
                return Ok((not_reserved(reference, "there is no such reference"), false));
            };
            if known.kind != "reserve" {
                return Ok((not_reserved(reference, &format!("it is a {}", known.kind)), false));
            }
            let used = used.unwrap_or_else(|| known.expression.clone());
            if let Some(closed) = known.closed {
                match transaction.entry(closed)? {
                    Event::Commit { expression, .. } => {
                        let committed = Known {
                            sequence: closed,
                            kind: "commit".to_owned(),
                            expression: expression.clone(),
                            ..known
                        };
                        return Ok((transaction.again(&committed, expression == used, reference)?, false));
                    }
                    Event::Expire { .. } => {}
                    _ => return Ok((not_reserved(reference, "it was released"), false)),
                }
            }
            if let Some(why) = transaction.exceeds(reference, &known, &used)? {
                return Ok((Outcome::Refused(Refusal::of(why)), false));
            }
            let charged = match transaction.fit(&known.budget, &used, Some(reference))? {
                Ok(charged) => charged,
                Err(why) => return Ok((Outcome::Refused(Refusal::of(why)), false)),
            };
            let event = Event::Commit {
                budget: known.budget.clone(),
                reference: reference.to_owned(),
                expression: used,
            };
            Ok((transaction.receipt(&known.budget, event, charged)?, true))
        })
    }

    /// Gives back what was set aside: nothing of it was used.
    pub fn release(&mut self, reference: &str) -> Result<Outcome, Error> {
        self.write(|transaction| {
            let Some(known) = transaction.known(reference)? else {
                return Ok((not_reserved(reference, "there is no such reference"), false));
            };
            if known.kind != "reserve" {
                return Ok((not_reserved(reference, &format!("it is a {}", known.kind)), false));
            }
            if let Some(closed) = known.closed {
                return Ok(match transaction.entry(closed)? {
                    Event::Commit { .. } => (not_reserved(reference, "it was committed"), false),
                    _ => {
                        let again = Known { sequence: closed, ..known };
                        (transaction.again(&again, true, reference)?, false)
                    }
                });
            }
            transaction.catch_up(&known.budget)?;
            // It may have run out just now.
            let sequence = match transaction.books.opened(reference)?.and_then(|opened| opened.closed) {
                Some(closed) => closed,
                None => {
                    let event =
                        Event::Release { budget: known.budget.clone(), reference: reference.to_owned() };
                    transaction.record(event, Default::default())?
                }
            };
            let outcome = transaction.again(&Known { sequence, ..known }, true, reference)?;
            let Outcome::Charged(receipt) = outcome else { return Ok((outcome, true)) };
            Ok((Outcome::Charged(super::Receipt { repeated: false, ..receipt }), true))
        })
    }
}

impl Transaction<'_> {
    /// Was more used than reserved? Parts of what was reserved are less; so is what comes to less in every account concerned.
    fn exceeds(&mut self, reference: &str, known: &Known, used: &str) -> Result<Option<Why>, Error> {
        if is_contained(&parsed(used)?, &parsed(&known.expression)?)? {
            return Ok(None);
        }
        for view in self.concerned(&known.budget)? {
            let view = view.without(reference);
            let reserved = view.come(true, Some(&known.expression), self.costing)?;
            let instead = view.come(true, Some(used), self.costing)?;
            let is_less = match (&instead.sums, &reserved.sums) {
                (Some(instead), Some(reserved)) => instead.is_at_most(reserved),
                _ => instead.upper <= reserved.upper,
            };
            if !is_less {
                return Ok(Some(Why::MoreThanReserved {
                    reference: reference.to_owned(),
                    reserved: known.expression.clone(),
                }));
            }
        }
        Ok(None)
    }
}

fn not_reserved(reference: &str, because: &str) -> Outcome {
    Outcome::Refused(Refusal::of(Why::NotReserved {
        reference: reference.to_owned(),
        because: because.to_owned(),
    }))
}
