//! PostgreSQL: one ledger in the tables of a schema, shared over the network.
//!
//! In: a URL, and SQL within transactions. Out: records, or an error in words.
//!
//! # Guarantee
//! Who writes locks the end of the chain first, so that transactions that write happen one after the other; each statement sees what those
//! before it have committed. Who reads sees one moment. A server that does not wait for its disk is refused.

mod problem;
mod schema;
mod value;

use self::problem::{problem, unreachable};
use super::{Access, Record, Store, StoreError, Value};
use crate::data::Time;
use ::postgres::{
    Client, Config, Error, NoTls, SimpleQueryMessage, Statement, config::Host, error::SqlState,
};
use std::{collections::HashMap, time::Duration};

/// How long to wait for a server that does not answer.
const CONNECTING: Duration = Duration::from_secs(10);
const SILENCE: Duration = Duration::from_secs(30);
/// Of every connection. Who waits for those before it gives up after a minute, and who holds them up for that long is cut off.
const SETTINGS: &str = "SET lock_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s'; SET timezone = 'UTC'; \
                        SET client_min_messages = warning";
/// Of a transaction that writes: the last part waits for its turn.
const BEGIN_TO_WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT sequence FROM head FOR UPDATE";
const BEGIN_TO_READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// Milliseconds since 1970.
const CLOCK: &str = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";
/// A transaction that another program has got into the way of begins once more.
const ATTEMPTS: usize = 5;

/// A ledger in PostgreSQL.
pub struct Postgres {
    config: Config,
    place: String,
    /// `None` after it was lost.
    session: Option<Session>,
    now: Time,
}

struct Session {
    client: Client,
    statements: HashMap<String, Statement>,
    /// A statement of the transaction has failed: then a commit would be a roll-back without a word.
    has_failed: bool,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Postgres {
    /// Makes the tables in the first schema of the search path, unless they are there; a schema that holds something else is refused.
    pub fn create(url: &str) -> Result<Self, StoreError> {
        let mut store = Self::of(url)?;
        let mut session = store.connected()?;
        session.create().map_err(|error| error.at(&store.place))?;
        store.session = Some(session);
        Ok(store)
    }

    /// Opens what [`create`](Self::create) made.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        let mut store = Self::of(url)?;
        let mut session = store.connected()?;
        session.opened().map_err(|error| error.at(&store.place))?;
        store.session = Some(session);
        Ok(store)
    }

    fn of(url: &str) -> Result<Self, StoreError> {
        let mut config: Config = url.parse().map_err(|error: Error| {
            // The URL may hold a password: it is not repeated.
            StoreError::new(
                "of this URL",
                format!("cannot be named: {error}"),
                "write postgres://user@host/database",
            )
        })?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECTING);
        }
        config.tcp_user_timeout(SILENCE).application_name("hockeystick");
        let place = place(&config);
        Ok(Self { config, place, session: None, now: Time(0) })
    }

    fn connected(&self) -> Result<Session, StoreError> {
        let client = self.config.connect(NoTls).map_err(|error| unreachable(&self.place, &error))?;
        let mut session = Session { client, statements: HashMap::new(), has_failed: false };
        session.prepare_session().map_err(|error| error.at(&self.place))?;
        Ok(session)
    }

    /// Begins a transaction and says what time it is.
    fn begun(&mut self, access: Access) -> Result<Time, StoreError> {
        let statements = match access {
            Access::Read => format!("{BEGIN_TO_READ}; {CLOCK}"),
            Access::Write => format!("{BEGIN_TO_WRITE}; {CLOCK}"),
        };
        let mut attempt = 1;
        loop {
            // Nothing was asked for yet: a connection that was lost meanwhile is made anew.
            let is_new = self.session.is_none();
            let session = match self.session.take() {
                Some(session) => session,
                None => self.connected()?,
            };
            let session = self.session.insert(session);
            session.has_failed = false;
            let error = match session.client.simple_query(&statements) {
                Ok(messages) => return time(&messages),
                Err(error) => error,
            };
            let is_lost = session.client.is_closed() || error.is_closed();
            let is_in_the_way = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED]
                .iter()
                .any(|state| error.code() == Some(state));
            if is_lost || session.client.batch_execute("ROLLBACK").is_err() {
                self.session = None;
            }
            if attempt == ATTEMPTS || !(is_in_the_way || is_lost && !is_new) {
                return Err(problem(&self.place, &error));
            }
            attempt += 1;
        }
    }

    fn with<T>(&mut self, work: impl FnOnce(&mut Session) -> Result<T, Error>) -> Result<T, StoreError> {
        let Some(session) = &mut self.session else {
            return Err(StoreError::new(
                &self.place,
                "the connection was lost",
                "try again with the same reference: what was charged is not charged twice",
            ));
        };
        work(session).map_err(|error| {
            session.has_failed = true;
            problem(&self.place, &error)
        })
    }
}

impl Session {
    fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Store for Postgres {
    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.now = self.begun(access)?;
        Ok(())
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        if self.session.as_ref().is_some_and(|session| session.has_failed) {
            return Err(StoreError::new(
                &self.place,
                "a statement has failed",
                "nothing was written: try again with the same reference",
            ));
        }
        self.with(|session| session.client.batch_execute("COMMIT"))
    }

    fn roll_back(&mut self) -> Result<(), StoreError> {
        let is_done = match &mut self.session {
            Some(session) => session.client.batch_execute("ROLLBACK").is_ok(),
            None => true,
        };
        if !is_done {
            // The server rolls back when it sees that the connection is gone.
            self.session = None;
        }
        Ok(())
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        self.with(|session| {
            let statement = session.statement(sql)?;
            let parameters = value::parameters(&statement, values);
            session.client.execute(&statement, &parameters).map(|_| ())
        })
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Record>, StoreError> {
        let rows = self.with(|session| {
            let statement = session.statement(sql)?;
            let parameters = value::parameters(&statement, values);
            session.client.query(&statement, &parameters)
        })?;
        Ok(rows.iter().map(value::record).collect())
    }

    fn now(&mut self) -> Result<Time, StoreError> {
        Ok(self.now)
    }

    fn back_up(&mut self, _to: &str) -> Result<bool, StoreError> {
        Ok(false)
    }
}

/// The last row of an answer in words.
fn time(messages: &[SimpleQueryMessage]) -> Result<Time, StoreError> {
    let last = messages.iter().rev().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0)?.parse().ok(),
        _ => None,
    });
    last.map(Time).ok_or_else(|| StoreError::unexpected("the server does not say what time it is"))
}

/// What to call it, without a password.
fn place(config: &Config) -> String {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => "no host".to_owned(),
    };
    format!("PostgreSQL, database {} at {host}", config.get_dbname().unwrap_or("of the user"))
}
