//! The whole history as text, and back.
//!
//! One line for each row: its hash, and the entry that the hash is of. Adding up the rows again gives the same books.

use super::{Ledger, fold::apply, seen::PAGE, transaction::Transaction};
use crate::{
    books::{Books, Row},
    data::Entry,
    error::Error,
    store::Sqlite,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A row as it is exported.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    hash: String,
    entry: Entry,
}

/// Adds up the rows of one ledger in another that has none.
fn copied(from: &mut Transaction<'_>, to: &mut Transaction<'_>) -> Result<(), Error> {
    loop {
        let last = to.books.head()?.sequence;
        let rows = from.books.rows(last, PAGE, None)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            add(to, &row, &row.entry()?)?;
        }
    }
}

/// Adds a row to the end of the chain.
fn add(to: &mut Transaction<'_>, row: &Row, entry: &Entry) -> Result<(), Error> {
    if let Some(mistake) = to.books.head()?.mistake_in(row) {
        return Err(Error::damaged(mistake));
    }
    to.books.append(row)?;
    apply(&mut to.books, to.costing, entry)
}

impl Ledger {
    /// Shows every row as a line of JSON.
    pub fn export(&mut self, mut show: impl FnMut(&str) -> Result<(), Error>) -> Result<(), Error> {
        self.read(|transaction| {
            let mut last = 0;
            loop {
                let rows = transaction.books.rows(last, PAGE, None)?;
                let Some(row) = rows.last() else { return Ok(()) };
                last = row.sequence;
                for row in rows {
                    let line = Line { hash: row.hash.clone(), entry: row.entry()? };
                    show(&serde_json::to_string(&line).expect("a row has a text form"))?;
                }
            }
        })
    }

    /// Copies the ledger to a new file while others go on using it, in the state of one moment.
    pub fn back_up(&mut self, to: &str) -> Result<(), Error> {
        if Path::new(to).exists() {
            return Err(Error::Argument {
                argument: "the file of the copy",
                value: format!("{to:?}, which exists"),
                allowed: "a new file",
                cure: "choose another name",
            });
        }
        if self.store.back_up(to)? {
            return Ok(());
        }
        let mut copy = Self::on(Box::new(Sqlite::create(to)?));
        self.read(|from| copy.write(|to| Ok((copied(from, to)?, true))))
    }

    /// Reads what [`export`](Self::export) has written into a ledger that has no entries: all of it, or nothing. Returns how many.
    ///
    /// # Errors
    /// If a line cannot be read, the chain is broken, or there are entries already.
    pub fn import<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Result<u64, Error> {
        self.write(|transaction| {
            if transaction.books.head()?.sequence > 0 {
                return Err(Error::Argument {
                    argument: "the ledger",
                    value: "not empty".to_owned(),
                    allowed: "one without entries",
                    cure: "import into a new ledger: one history has one chain",
                });
            }
            for (number, text) in (1..).zip(lines).filter(|(_, text)| !text.trim().is_empty()) {
                let wrong = |what: String| Error::damaged(format!("line {number}: {what}"));
                let line: Line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
                let row = Row { hash: line.hash, ..transaction.books.head()?.row(&line.entry) };
                add(transaction, &row, &line.entry).map_err(|error| wrong(error.to_string()))?;
            }
            Ok((transaction.books.head()?.sequence, true))
        })
    }
}
