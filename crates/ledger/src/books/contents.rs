//! What books hold, wherever they are kept.

use super::{Account, Head, Hold, Row};
use crate::error::Error;

/// A mechanism in text form, and how often it was used.
pub(crate) type Part = (String, u64);

/// The entries of a reference: the spend or the reservation, and what ended the reservation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Opened {
    pub(crate) opened: u64,
    pub(crate) closed: Option<u64>,
}

/// What the verbs read and write.
pub(crate) trait Books {
    /// The end of the chain.
    fn head(&mut self) -> Result<Head, Error>;
    /// Adds a row at the end of the chain.
    fn append(&mut self, row: &Row) -> Result<(), Error>;
    /// The row at a place in the chain.
    fn row(&mut self, sequence: u64) -> Result<Option<Row>, Error>;

    /// The names of all budgets, in order of their names.
    fn names(&mut self) -> Result<Vec<String>, Error>;
    fn account(&mut self, name: &str) -> Result<Option<Account>, Error>;
    fn put_account(&mut self, account: &Account) -> Result<(), Error>;

    /// What an account was charged in its period, in order of the texts.
    fn parts(&mut self, account: &str) -> Result<Vec<Part>, Error>;
    /// How often it was charged one mechanism.
    fn uses(&mut self, account: &str, mechanism: &str) -> Result<u64, Error>;
    fn put_uses(&mut self, account: &str, mechanism: &str, uses: u64) -> Result<(), Error>;
    fn clear_parts(&mut self, account: &str) -> Result<(), Error>;

    /// What is set aside of an account, in order of the references.
    fn holds(&mut self, account: &str) -> Result<Vec<Hold>, Error>;
    fn put_hold(&mut self, hold: &Hold, accounts: &[String]) -> Result<(), Error>;
    fn remove_hold(&mut self, reference: &str) -> Result<(), Error>;

    fn opened(&mut self, reference: &str) -> Result<Option<Opened>, Error>;
    fn put_opened(&mut self, reference: &str, opened: Opened) -> Result<(), Error>;
}
