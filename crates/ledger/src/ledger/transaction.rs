//! One transaction on the books.

use super::{Ledger, fold::apply};
use crate::{
    account::{Costing, View},
    books::{Account, Books, Stored, lineage},
    data::{Entry, Event, Time},
    error::Error,
    store::Access,
};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

/// The books at one moment, and what computes on them.
pub(super) struct Transaction<'a> {
    pub(super) books: Stored<'a>,
    pub(super) costing: &'a mut Costing,
    /// The store's clock, but never before the last entry: time goes on with the chain.
    pub(super) now: Time,
}

impl Ledger {
    /// Changes the books. What the work returns says whether to keep what it wrote.
    pub(super) fn write<T>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<(T, bool), Error>,
    ) -> Result<T, Error> {
        self.transact(Access::Write, work)
    }

    /// Looks into the books.
    pub(super) fn read<T>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.transact(Access::Read, |transaction| Ok((work(transaction)?, false)))
    }

    fn transact<T>(
        &mut self,
        access: Access,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<(T, bool), Error>,
    ) -> Result<T, Error> {
        self.store.begin(access)?;
        // A question that is stopped unwinds: others do not wait for what it had begun.
        let done = catch_unwind(AssertUnwindSafe(|| self.within(work))).unwrap_or_else(|panic| {
            let _ = self.store.roll_back();
            resume_unwind(panic)
        });
        match done {
            Ok((value, true)) => {
                if let Err(error) = self.store.commit() {
                    // The first error is the one to tell.
                    let _ = self.store.roll_back();
                    return Err(error.into());
                }
                Ok(value)
            }
            Ok((value, false)) => {
                self.store.roll_back()?;
                Ok(value)
            }
            Err(error) => {
                let _ = self.store.roll_back();
                Err(error)
            }
        }
    }

    fn within<T>(&mut self, work: impl FnOnce(&mut Transaction<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let clock = self.store.now()?;
        let mut books = Stored::new(self.store.as_mut());
        let now = clock.max(books.head()?.time);
        work(&mut Transaction { books, costing: &mut self.costing, now })
    }
}

impl Transaction<'_> {
    /// An account that must be there.
    pub(super) fn account(&mut self, name: &str) -> Result<Account, Error> {
        match self.books.account(name)? {
            Some(account) => Ok(account),
            None => Err(Error::NoBudget { name: name.to_owned(), known: self.books.names()? }),
        }
    }

    /// The accounts that a charge concerns, as they stand now: the named one, and all above it.
    pub(super) fn concerned(&mut self, name: &str) -> Result<Vec<View>, Error> {
        self.account(name)?;
        let accounts = lineage(&mut self.books, name)?;
        let now = self.now;
        accounts.into_iter().map(|account| View::at(&mut self.books, account, now)).collect()
    }

    /// Writes down what time has changed for these accounts.
    pub(super) fn catch_up(&mut self, name: &str) -> Result<(), Error> {
        for account in lineage(&mut self.books, name)? {
            for hold in self.books.holds(&account.budget.name)? {
                if hold.expires <= self.now {
                    let event = Event::Expire { budget: hold.budget, reference: hold.reference };
                    self.record(event, BTreeMap::new())?;
                }
            }
            let term = account.term_at(self.now);
            if term > account.term {
                let event = Event::Renew { budget: account.budget.name, term };
                self.record(event, BTreeMap::new())?;
            }
        }
        Ok(())
    }

    /// Adds an entry, and what follows from it.
    pub(super) fn record(&mut self, event: Event, spent: BTreeMap<String, f64>) -> Result<u64, Error> {
        let head = self.books.head()?;
        let entry = Entry { sequence: head.sequence + 1, time: self.now, event, spent };
        self.books.append(&head.row(&entry))?;
        apply(&mut self.books, self.costing, &entry)?;
        Ok(entry.sequence)
    }
}
