//! What a database has to do for a ledger.

use super::StoreError;
use crate::data::Time;

/// A database that keeps books.
pub trait Store: Send {
    /// Begins a transaction. One that writes waits for those before it.
    fn begin(&mut self, access: Access) -> Result<(), StoreError>;

    /// Makes what was written permanent.
    fn commit(&mut self) -> Result<(), StoreError>;

    /// Forgets what was written since the beginning of the transaction.
    fn roll_back(&mut self) -> Result<(), StoreError>;

    /// Carries out a statement with its values, `$1`, `$2`, ….
    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError>;

    /// Asks for records.
    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Record>, StoreError>;

    /// The clock that all who use the store share.
    fn now(&mut self) -> Result<Time, StoreError>;

    /// Copies the store to a new file, in the state of one moment. `false` if it has no way of its own: then all entries are copied.
    fn back_up(&mut self, to: &str) -> Result<bool, StoreError>;
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To see one moment of the books.
    Read,
    /// To change them.
    Write,
}

/// A value in a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A text.
    Text(&'a str),
    /// A whole number.
    Whole(i64),
    /// Nothing.
    Null,
}

/// A value in a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// Nothing.
    Null,
    /// What no ledger writes.
    Other,
}

/// One row of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Record(pub Vec<Cell>);

impl Record {
    pub(crate) fn cell(&self, at: usize) -> Result<&Cell, StoreError> {
        self.0.get(at).ok_or_else(|| StoreError::unexpected("a column is missing"))
    }

    pub(crate) fn text(&self, at: usize) -> Result<&str, StoreError> {
        match self.cell(at)? {
            Cell::Text(text) => Ok(text),
            other => Err(StoreError::unexpected(format!("{other:?} stands where a text should be"))),
        }
    }

    pub(crate) fn whole(&self, at: usize) -> Result<i64, StoreError> {
        match self.cell(at)? {
            Cell::Whole(number) => Ok(*number),
            other => Err(StoreError::unexpected(format!("{other:?} stands where a number should be"))),
        }
    }
}
