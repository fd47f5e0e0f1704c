//! Where the books are kept.
//!
//! In: SQL that every store understands, within transactions. Out: records, or an error in words.
//!
//! # Guarantee
//! Transactions that write happen one after the other, all or nothing, and what was committed survives the end of the process and of the
//! machine.

mod database;
mod error;
mod migrations;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;

pub use database::{Access, Cell, Record, Store, Value};
pub use error::StoreError;
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
pub use sqlite::Sqlite;

/// Makes a new store, or opens one that has no books yet.
pub(crate) fn create(url: &str) -> Result<Box<dyn Store>, StoreError> {
    if is_server(url) { server::create(url) } else { Ok(Box::new(Sqlite::create(url)?)) }
}

/// Opens a store.
pub(crate) fn open(url: &str) -> Result<Box<dyn Store>, StoreError> {
    if is_server(url) { server::open(url) } else { Ok(Box::new(Sqlite::open(url)?)) }
}

fn is_server(url: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme))
}

#[cfg(feature = "postgres")]
mod server {
    use super::{Postgres, Store, StoreError};

    pub(super) fn create(url: &str) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(Postgres::create(url)?))
    }

    pub(super) fn open(url: &str) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(Postgres::open(url)?))
    }
}

#[cfg(not(feature = "postgres"))]
mod server {
    use super::{Store, StoreError};

    pub(super) fn create(_url: &str) -> Result<Box<dyn Store>, StoreError> {
        Err(StoreError::new(
            "in PostgreSQL",
            "this program was built without PostgreSQL",
            "build it with the feature postgres: `cargo install --path crates/cli --features postgres`",
        ))
    }

    pub(super) fn open(url: &str) -> Result<Box<dyn Store>, StoreError> {
        create(url)
    }
}
