//! Rows, and the hashes that chain them.

use crate::{
    data::{Entry, Time},
    error::Error,
};
use sha2::{Digest, Sha256};

/// `SHA-256` of a text, in hexadecimal digits.
pub(super) fn hash(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The end of the chain.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    /// Rows so far.
    pub(crate) sequence: u64,
    /// When the last was written.
    pub(crate) time: Time,
    /// Its hash.
    pub(crate) hash: String,
}

/// A row as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) sequence: u64,
    pub(crate) time: String,
    pub(crate) kind: String,
    pub(crate) budget: String,
    pub(crate) reference: Option<String>,
    /// All of the entry, in JSON.
    pub(crate) body: String,
    pub(crate) hash: String,
}

impl Head {
    /// Before the first row.
    pub(crate) fn first() -> Self {
        Self { sequence: 0, time: Time(0), hash: String::new() }
    }

    /// The row of an entry that is to follow.
    pub(crate) fn row(&self, entry: &Entry) -> Row {
        let body = entry.body();
        Row {
            sequence: entry.sequence,
            time: entry.time.to_string(),
            kind: entry.event.kind().to_owned(),
            budget: entry.event.budget().to_owned(),
            reference: entry.event.reference().map(str::to_owned),
            hash: self.hash_of(&body),
            body,
        }
    }

    /// `SHA-256(hash of the row before, a line feed, body)`.
    fn hash_of(&self, body: &str) -> String {
        hash(&format!("{}\n{body}", self.hash))
    }

    /// The end of the chain after a row.
    pub(crate) fn after(row: &Row, time: Time) -> Self {
        Self { sequence: row.sequence, time, hash: row.hash.clone() }
    }

    /// What is wrong with a row that is to follow, if anything is.
    pub(crate) fn mistake_in(&self, row: &Row) -> Option<String> {
        if row.sequence != self.sequence + 1 {
            return Some(format!("entry {} is missing: the next is {}", self.sequence + 1, row.sequence));
        }
        if row.hash != self.hash_of(&row.body) {
            return Some(format!("entry {} was changed, or the one before it", row.sequence));
        }
        let entry = match row.entry() {
            Ok(entry) => entry,
            Err(error) => return Some(error.to_string()),
        };
        if entry.time < self.time {
            return Some(format!("entry {} is older than the one before it", row.sequence));
        }
        (self.row(&entry) != *row)
            .then(|| format!("the columns of entry {} are not what its body says", row.sequence))
    }
}

impl Row {
    /// The entry.
    pub(crate) fn entry(&self) -> Result<Entry, Error> {
        serde_json::from_str(&self.body)
            .map_err(|error| Error::damaged(format!("entry {} cannot be read: {error}", self.sequence)))
    }
}
