//! The budgets that a charge concerns.

use super::{Account, Books};
use crate::error::Error;

/// An account and all above it, each once, itself first.
pub(crate) fn lineage(books: &mut dyn Books, name: &str) -> Result<Vec<Account>, Error> {
    let mut found: Vec<Account> = Vec::new();
    let mut pending = vec![name.to_owned()];
    while let Some(name) = pending.pop() {
        if found.iter().any(|account| account.budget.name == name) {
            continue;
        }
        let account = books.account(&name)?;
        let account = account.ok_or_else(|| Error::damaged(format!("the budget {name:?} is missing")))?;
        pending.extend(account.budget.parents.iter().rev().cloned());
        found.push(account);
    }
    Ok(found)
}
