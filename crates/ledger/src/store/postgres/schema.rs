//! The tables of a ledger in PostgreSQL.

use super::{
    super::{StoreError, migrations::MIGRATIONS},
    SETTINGS, Session,
    problem::problem,
};
use ::postgres::{Error, SimpleQueryMessage};

/// Two programs may make one ledger at the same time: the second waits, and finds it made.
const LOCK: &str = "SELECT pg_advisory_xact_lock(7522537965574647666)";
/// What else tells the tables from others: their version.
const VERSION: &str = "CREATE TABLE ledger (format BIGINT NOT NULL)";

/// What is wrong, before it is known where.
pub(super) enum Wrong {
    Told(Error),
    Found { what: String, cure: &'static str },
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Self::Told(error)
    }
}

impl Wrong {
    pub(super) fn at(self, place: &str) -> StoreError {
        match self {
            Self::Told(error) => problem(place, &error),
            Self::Found { what, cure } => StoreError::new(place, what, cure),
        }
    }

    fn found(what: impl Into<String>, cure: &'static str) -> Self {
        Self::Found { what: what.into(), cure }
    }
}

fn current(version: usize) -> Result<(), Wrong> {
    if version == MIGRATIONS.len() {
        return Ok(());
    }
    Err(Wrong::found(
        format!("it was made by a newer version of hockeystick (its format is {version})"),
        "use that version",
    ))
}

impl Session {
    /// Settings, and a server that keeps what it was given.
    pub(super) fn prepare_session(&mut self) -> Result<(), Wrong> {
        self.client.batch_execute(SETTINGS)?;
        for (name, allowed) in [("fsync", "on"), ("full_page_writes", "on"), ("server_encoding", "UTF8")] {
            let value = self.text(&format!("SHOW {name}"))?;
            if value != allowed {
                return Err(Wrong::found(
                    format!("its setting {name} is {value}, with which what was acknowledged could be lost"),
                    "use a server that has fsync and full_page_writes, and a database in UTF8",
                ));
            }
        }
        // `remote_apply` waits for even more.
        if self.text("SHOW synchronous_commit")? != "remote_apply" {
            self.client.batch_execute("SET synchronous_commit = on")?;
        }
        Ok(())
    }

    /// Makes the tables, or brings them to the version of this program.
    pub(super) fn create(&mut self) -> Result<(), Wrong> {
        self.client.batch_execute(&format!("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; {LOCK}"))?;
        let done = self.migrated();
        let ended = self.client.batch_execute(if done.is_ok() { "COMMIT" } else { "ROLLBACK" });
        done?;
        Ok(ended?)
    }

    fn migrated(&mut self) -> Result<(), Wrong> {
        let version = self.version()?;
        if version.is_none() {
            let others = "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()";
            if self.text(others)? != "0" {
                return Err(Wrong::found(
                    "there are tables, but no ledger",
                    "name an empty database, or an empty schema with ?options=-csearch_path%3DNAME",
                ));
            }
            self.client.batch_execute(&format!("{VERSION}; INSERT INTO ledger VALUES (0)"))?;
        }
        for (at, migration) in (1..).zip(MIGRATIONS).filter(|(at, _)| *at > version.unwrap_or(0)) {
            // Names sort by their bytes, as they do everywhere else.
            self.client.batch_execute(&migration.replace(" TEXT", " TEXT COLLATE \"C\""))?;
            self.client.batch_execute(&format!("UPDATE ledger SET format = {at}"))?;
        }
        current(self.version()?.unwrap_or(0))
    }

    /// Refuses what is no ledger, or one of a later version.
    pub(super) fn opened(&mut self) -> Result<(), Wrong> {
        match self.version()? {
            Some(version) if version < MIGRATIONS.len() => self.create(),
            Some(version) => current(version),
            None => Err(Wrong::found(
                "there is no ledger",
                "make it with `ledger init`, or name the database and the schema that have it",
            )),
        }
    }

    /// The version of the tables, if there are any.
    fn version(&mut self) -> Result<Option<usize>, Wrong> {
        let named = "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'ledger'";
        if self.text(named)? == "0" {
            return Ok(None);
        }
        let version = self.text("SELECT max(format) FROM ledger")?;
        Ok(Some(version.parse().map_err(|_| Wrong::found("its version is damaged", "restore a backup"))?))
    }

    /// The first cell of an answer, in words.
    fn text(&mut self, sql: &str) -> Result<String, Error> {
        let messages = self.client.simple_query(sql)?;
        let cell = messages.iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        Ok(cell.unwrap_or_default())
    }
}
