//! Books in memory.

use super::{Account, Books, Head, Hold, Opened, Part, Row};
use crate::error::Error;
use std::collections::BTreeMap;

/// Books in memory, without their rows: as many entries as there may be.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    head: Head,
    accounts: BTreeMap<String, Account>,
    parts: BTreeMap<String, BTreeMap<String, u64>>,
    /// Each with the accounts that it concerns.
    holds: BTreeMap<String, (Hold, Vec<String>)>,
    opened: BTreeMap<String, Opened>,
}

impl Memory {
    /// Of nothing.
    pub(crate) fn new() -> Self {
        Self {
            head: Head::first(),
            accounts: BTreeMap::new(),
            parts: BTreeMap::new(),
            holds: BTreeMap::new(),
            opened: BTreeMap::new(),
        }
    }

    /// References that are known.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&String, &Opened)> {
        self.opened.iter()
    }
}

impl Books for Memory {
    fn head(&mut self) -> Result<Head, Error> {
        Ok(self.head.clone())
    }

    fn append(&mut self, row: &Row) -> Result<(), Error> {
        self.head = Head::after(row, row.entry()?.time);
        Ok(())
    }

    fn row(&mut self, _sequence: u64) -> Result<Option<Row>, Error> {
        Ok(None)
    }

    fn names(&mut self) -> Result<Vec<String>, Error> {
        Ok(self.accounts.keys().cloned().collect())
    }

    fn account(&mut self, name: &str) -> Result<Option<Account>, Error> {
        Ok(self.accounts.get(name).cloned())
    }

    fn put_account(&mut self, account: &Account) -> Result<(), Error> {
        self.accounts.insert(account.budget.name.clone(), account.clone());
        Ok(())
    }

    fn parts(&mut self, account: &str) -> Result<Vec<Part>, Error> {
        let parts = self.parts.get(account).into_iter().flatten();
        Ok(parts.map(|(text, uses)| (text.clone(), *uses)).collect())
    }

    fn uses(&mut self, account: &str, mechanism: &str) -> Result<u64, Error> {
        Ok(self.parts.get(account).and_then(|parts| parts.get(mechanism)).copied().unwrap_or(0))
    }

    fn put_uses(&mut self, account: &str, mechanism: &str, uses: u64) -> Result<(), Error> {
        self.parts.entry(account.to_owned()).or_default().insert(mechanism.to_owned(), uses);
        Ok(())
    }

    fn clear_parts(&mut self, account: &str) -> Result<(), Error> {
        self.parts.remove(account);
        Ok(())
    }

    fn holds(&mut self, account: &str) -> Result<Vec<Hold>, Error> {
        let concerned = |(_, accounts): &&(Hold, Vec<String>)| accounts.iter().any(|name| name == account);
        Ok(self.holds.values().filter(concerned).map(|(hold, _)| hold.clone()).collect())
    }

    fn put_hold(&mut self, hold: &Hold, accounts: &[String]) -> Result<(), Error> {
        self.holds.insert(hold.reference.clone(), (hold.clone(), accounts.to_vec()));
        Ok(())
    }

    fn remove_hold(&mut self, reference: &str) -> Result<(), Error> {
        self.holds.remove(reference);
        Ok(())
    }

    fn opened(&mut self, reference: &str) -> Result<Option<Opened>, Error> {
        Ok(self.opened.get(reference).copied())
    }

    fn put_opened(&mut self, reference: &str, opened: Opened) -> Result<(), Error> {
        self.opened.insert(reference.to_owned(), opened);
        Ok(())
    }
}
