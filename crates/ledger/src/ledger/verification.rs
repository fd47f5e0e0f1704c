//! Verification: everything is computed again from the entries.

use super::{Ledger, fold::apply, seen::PAGE};
use crate::{
    account::{Costing, View},
    books::{Books, Head, Memory, Stored, Table},
    data::Time,
    error::Error,
};

/// What verification found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// Entries that were read.
    pub entries: u64,
    /// The hash of the last: kept elsewhere, it proves later that nothing before it was changed or left out.
    pub head: String,
    /// What is wrong: nothing, of a clean ledger.
    pub findings: Vec<Finding>,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The entry, if it is about one.
    pub sequence: Option<u64>,
    /// What is wrong.
    pub what: String,
}

/// More are not listed.
const MOST: usize = 100;

impl Ledger {
    /// Reads all entries, checks the chain of their hashes, adds them up once more, compares the books with that, and proves again that
    /// no budget is exceeded. With a hash that was noted earlier, checks that the chain still goes through it.
    pub fn verify(&mut self, noted: Option<&str>) -> Result<Verified, Error> {
        self.read(|transaction| {
            let now = transaction.now;
            Check { books: &mut transaction.books, costing: Costing::default(), findings: Vec::new() }
                .run(noted, now)
        })
    }
}

struct Check<'a, 'b> {
    books: &'a mut Stored<'b>,
    costing: Costing,
    findings: Vec<Finding>,
}

impl Check<'_, '_> {
    fn found(&mut self, sequence: Option<u64>, what: impl Into<String>) {
        if self.findings.len() < MOST {
            self.findings.push(Finding { sequence, what: what.into() });
        }
    }

    fn run(mut self, noted: Option<&str>, now: Time) -> Result<Verified, Error> {
        let mut again = Memory::new();
        let (mut head, mut entries, mut is_noted) = (Head::first(), 0, noted.is_none());
        'rows: loop {
            let rows = match self.books.rows(head.sequence, PAGE, None) {
                Ok(rows) => rows,
                Err(error) => {
                    self.found(
                        Some(head.sequence + 1),
                        format!("the rows from here on cannot be read: {error}"),
                    );
                    break;
                }
            };
            if rows.is_empty() {
                break;
            }
            for row in rows {
                entries += 1;
                is_noted |= noted == Some(row.hash.as_str());
                if let Some(mistake) = head.mistake_in(&row) {
                    self.found(Some(row.sequence), mistake);
                    break 'rows;
                }
                let entry = row.entry()?;
                head = Head::after(&row, entry.time);
                again.append(&row)?;
                if let Err(error) = apply(&mut again, &mut self.costing, &entry) {
                    self.found(Some(row.sequence), error.to_string());
                    break 'rows;
                }
            }
        }
        if !is_noted {
            self.found(
                None,
                "the chain does not go through the hash that was noted: entries were changed or removed",
            );
        }
        // After a broken chain the books differ for that reason.
        if self.findings.is_empty() {
            self.compare(&mut again, &head)?;
            self.prove(&mut again, now)?;
        }
        Ok(Verified { entries, head: head.hash, findings: self.findings })
    }

    /// The tables against what the entries add up to.
    fn compare(&mut self, again: &mut Memory, head: &Head) -> Result<(), Error> {
        match self.books.head() {
            Ok(stored) if stored == *head => {}
            Ok(stored) => self.found(
                Some(stored.sequence),
                format!(
                    "the chain should end with entry {}, and ends with {}",
                    stored.sequence, head.sequence
                ),
            ),
            Err(error) => self.found(None, error.to_string()),
        }
        let names = again.names()?;
        match self.books.names() {
            Ok(stored) if stored == names => {}
            Ok(stored) => self.found(None, format!("the budgets are {stored:?}, and should be {names:?}")),
            Err(error) => self.found(None, error.to_string()),
        }
        let (mut parts, mut holds) = (0, 0);
        for name in &names {
            let own = again.parts(name)?;
            parts += own.len() as u64;
            holds += again.holds(name)?.len() as u64;
            let is_same = (
                self.books
                    .account(name)
                    .is_ok_and(|stored| again.account(name).is_ok_and(|own| own == stored)),
                self.books.parts(name).is_ok_and(|stored| stored == own),
                self.books.holds(name).is_ok_and(|stored| again.holds(name).is_ok_and(|own| own == stored)),
            );
            for (same, what) in [
                (is_same.0, "the definition or the sums"),
                (is_same.1, "the uses of mechanisms"),
                (is_same.2, "the reservations"),
            ] {
                if !same {
                    self.found(None, format!("{what} of {name} are not what its entries say"));
                }
            }
        }
        self.compare_references(again)?;
        for (table, expected, what) in [
            (Table::Parts, parts, "uses of mechanisms"),
            (Table::Holds, holds, "reservations"),
            (Table::References, again.references().count() as u64, "references"),
        ] {
            let count = self.books.count(table)?;
            if count != expected {
                self.found(None, format!("there are {count} {what}, and should be {expected}"));
            }
        }
        Ok(())
    }

    fn compare_references(&mut self, again: &Memory) -> Result<(), Error> {
        for (reference, opened) in again.references() {
            if !self.books.opened(reference).is_ok_and(|stored| stored == Some(*opened)) {
                self.found(
                    Some(opened.opened),
                    format!("the reference {reference:?} does not lead to its entry"),
                );
            }
        }
        Ok(())
    }

    /// No budget is exceeded.
    fn prove(&mut self, again: &mut Memory, now: Time) -> Result<(), Error> {
        for name in again.names()? {
            let Some(account) = again.account(&name)? else { continue };
            let limit = account.budget.limit;
            let view = View::at(again, account, now)?;
            let come = view.come(true, None, &mut self.costing)?;
            if come.upper > limit.value() {
                self.found(None, format!("{name} allows {limit} and has come to {}", come.upper));
            }
        }
        Ok(())
    }
}
