//! Where the books are kept.
//!
//! In: SQL that every store understands, within transactions. Out: records, or an error in words.
//!
//! # Guarantee
//! Transactions that write happen one after the other, all or nothing, and what was committed survives the end of the process and of the
//! machine.

mod database;
mod error;
mod sqlite;

pub use database::{Access, Cell, Record, Store, Value};
pub use error::StoreError;
pub use sqlite::Sqlite;

/// Makes a new store, or opens one that has no books yet.
pub(crate) fn create(url: &str) -> Result<Box<dyn Store>, StoreError> {
    Ok(Box::new(Sqlite::create(url)?))
}

/// Opens a store.
pub(crate) fn open(url: &str) -> Result<Box<dyn Store>, StoreError> {
    Ok(Box::new(Sqlite::open(url)?))
}
