//! Where the ledger of a test is kept.

use crate::cluster;
use hockeystick_ledger::store::{Postgres, Sqlite, Store};
use postgres::{Client, NoTls};
use rusqlite::Connection;
use std::{
    process,
    sync::atomic::{AtomicUsize, Ordering},
};
use tempfile::TempDir;

/// The stores that there are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// Runs each of these functions of a kind of store as one test for each store.
macro_rules! on_every_store {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite {
            $(#[test] fn $name() { super::$name($crate::place::Kind::Sqlite) })*
        }
        mod on_postgres {
            $(#[test] fn $name() { super::$name($crate::place::Kind::Postgres) })*
        }
    };
}
pub(crate) use on_every_store;

/// A place for one ledger, which is removed with this value.
pub(crate) struct Place {
    pub(crate) folder: TempDir,
    /// The URL of the server and the name of a schema.
    schema: Option<(String, String)>,
}

impl Place {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Sqlite => Self { folder: tempfile::tempdir().unwrap(), schema: None },
            Kind::Postgres => Self::on(cluster::shared()),
        }
    }

    /// On a server of one's own.
    pub(crate) fn on(server: &str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), schema: Some(schema(server)) }
    }

    /// What a ledger is told to find its store.
    pub(crate) fn url(&self) -> String {
        match &self.schema {
            Some((server, name)) => {
                let separator = if server.contains('?') { '&' } else { '?' };
                format!("{server}{separator}options=-csearch_path%3D{name}")
            }
            None => self.folder.path().join("ledger.db").to_str().unwrap().to_owned(),
        }
    }

    pub(crate) fn store(&self) -> Box<dyn Store> {
        match self.schema {
            Some(_) => Box::new(Postgres::create(&self.url()).unwrap()),
            None => Box::new(Sqlite::create(&self.url()).unwrap()),
        }
    }

    /// Past the ledger, to its tables.
    pub(crate) fn raw(&self) -> Raw {
        match self.schema {
            Some(_) => Raw::Postgres(Client::connect(&self.url(), NoTls).unwrap()),
            None => Raw::Sqlite(Connection::open(self.url()).unwrap()),
        }
    }
}

/// A schema that nobody else uses.
fn schema(server: &str) -> (String, String) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("test_{}_{}", process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
    let mut client = Client::connect(server, NoTls).unwrap();
    client.batch_execute(&format!("CREATE SCHEMA {name}")).unwrap();
    (server.to_owned(), name)
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some((server, name)) = &self.schema else { return };
        // A server that was stopped is thrown away as a whole.
        if let Ok(mut client) = Client::connect(server, NoTls) {
            let _ = client.batch_execute(&format!("DROP SCHEMA {name} CASCADE"));
        }
    }
}

/// A connection that knows nothing of ledgers.
pub(crate) enum Raw {
    Sqlite(Connection),
    Postgres(Client),
}

impl Raw {
    /// Statements without values; `false` if the store refuses them.
    pub(crate) fn execute(&mut self, sql: &str) -> bool {
        match self {
            Self::Sqlite(connection) => connection.execute_batch(sql).is_ok(),
            Self::Postgres(client) => client.batch_execute(sql).is_ok(),
        }
    }

    /// A table's columns.
    pub(crate) fn columns(&mut self, table: &str) -> Vec<String> {
        match self {
            Self::Sqlite(connection) => {
                let statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
                statement.column_names().into_iter().map(str::to_owned).collect()
            }
            Self::Postgres(client) => {
                let statement = client.prepare(&format!("SELECT * FROM {table}")).unwrap();
                statement.columns().iter().map(|column| column.name().to_owned()).collect()
            }
        }
    }

    /// What a query of texts finds.
    pub(crate) fn texts(&mut self, sql: &str) -> Vec<Option<String>> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(sql).unwrap();
                statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
            }
            Self::Postgres(client) => client.query(sql, &[]).unwrap().iter().map(|row| row.get(0)).collect(),
        }
    }
}
