//! The whole history as text, and back.
//!
//! One line for each row: its hash, and the entry that the hash is of. Adding up the rows again gives the same books.

use super::{Ledger, fold::apply, seen::PAGE};
use crate::{
    books::{Books, Row},
    data::Entry,
    error::Error,
};
use serde::{Deserialize, Serialize};

/// A row as it is exported.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    hash: String,
    entry: Entry,
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
                let head = transaction.books.head()?;
                let row = Row { hash: line.hash, ..head.row(&line.entry) };
                if let Some(mistake) = head.mistake_in(&row) {
                    return Err(wrong(mistake));
                }
                transaction.books.append(&row)?;
                apply(&mut transaction.books, transaction.costing, &line.entry)?;
            }
            Ok((transaction.books.head()?.sequence, true))
        })
    }
}
