//! What follows from an entry.

use crate::{
    account::{Costing, charged, led, parsed, renewed, whole_parts},
    books::{Account, Books, Hold, Opened, lineage},
    data::{Entry, Event},
    error::Error,
};

/// Adds up one more entry.
///
/// Writing and verification both come through here: the books are a function of the entries.
pub(super) fn apply(books: &mut dyn Books, costing: &mut Costing, entry: &Entry) -> Result<(), Error> {
    let sequence = entry.sequence;
    match &entry.event {
        Event::Budget { definition } => books.put_account(&Account::new(definition.clone(), entry.time)),
        Event::Spend { budget, reference, expression, .. } => {
            books.put_opened(reference, Opened { opened: sequence, closed: Some(sequence) })?;
            charge(books, costing, budget, expression)
        }
        Event::Reserve { budget, reference, expression, expires, .. } => {
            books.put_opened(reference, Opened { opened: sequence, closed: None })?;
            let accounts = lineage(books, budget)?;
            for account in &accounts {
                books.put_account(&led(account, expression)?)?;
            }
            let hold = Hold {
                reference: reference.clone(),
                budget: budget.clone(),
                expression: expression.clone(),
                expires: *expires,
            };
            let names: Vec<String> = accounts.into_iter().map(|account| account.budget.name).collect();
            books.put_hold(&hold, &names)
        }
        Event::Commit { budget, reference, expression } => {
            close(books, reference, sequence)?;
            charge(books, costing, budget, expression)
        }
        Event::Release { reference, .. } | Event::Expire { reference, .. } => {
            close(books, reference, sequence)
        }
        Event::Renew { budget, term } => {
            let account = books.account(budget)?;
            let account =
                account.ok_or_else(|| Error::damaged(format!("the budget {budget:?} is missing")))?;
            books.clear_parts(budget)?;
            let holds = books.holds(budget)?;
            books.put_account(&renewed(account, *term, &holds)?)
        }
    }
}

fn close(books: &mut dyn Books, reference: &str, sequence: u64) -> Result<(), Error> {
    let opened = books.opened(reference)?;
    let opened = opened.ok_or_else(|| Error::damaged(format!("the reference {reference:?} is missing")))?;
    books.remove_hold(reference)?;
    books.put_opened(reference, Opened { closed: Some(sequence), ..opened })
}

fn charge(books: &mut dyn Books, costing: &mut Costing, budget: &str, expression: &str) -> Result<(), Error> {
    let parts = whole_parts(&parsed(expression)?)?;
    for account in lineage(books, budget)? {
        let name = account.budget.name.clone();
        let mut account = charged(&account, expression, costing)?;
        for (text, uses) in &parts {
            let known = books.uses(&name, text)?;
            account.distinct += u64::from(known == 0);
            let total = known.checked_add(*uses).filter(|&total| i64::try_from(total).is_ok());
            let total =
                total.ok_or_else(|| Error::damaged(format!("{text} was used too often to be counted")))?;
            books.put_uses(&name, text, total)?;
        }
        books.put_account(&account)?;
    }
    Ok(())
}
