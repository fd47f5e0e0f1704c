//! SQLite: one file.

use super::{Access, Cell, Record, Store, StoreError, Value, migrations::MIGRATIONS};
use crate::data::Time;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, ToSql,
    types::{ToSqlOutput, ValueRef},
};
use std::{path::Path, time::Duration};

/// "hsl1": tells a ledger from other files of SQLite.
const APPLICATION: i64 = 0x6873_6c31;
/// How long a transaction waits for those before it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A ledger in a file of SQLite.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    place: String,
}

impl Sqlite {
    /// Makes the file, unless it is there; one that holds something else is refused.
    pub fn create(path: &str) -> Result<Self, StoreError> {
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?.migrated()
    }

    /// Opens a file that [`create`](Self::create) made. If it cannot be written, it can still be read.
    pub fn open(path: &str) -> Result<Self, StoreError> {
        if !Path::new(path).is_file() {
            return Err(StoreError::new(
                path,
                "there is no such file",
                "make it with `ledger init`, or name the file that has the ledger",
            ));
        }
        Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?.migrated()
    }

    fn connect(path: &str, flags: OpenFlags) -> Result<Self, StoreError> {
        let opened = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = opened.map_err(|error| problem(path, &error))?;
        let store = Self { connection, place: path.to_owned() };
        store.told(store.connection.busy_timeout(PATIENCE))?;
        // Text that is not a number stays out of columns of numbers; a broken page is an error.
        store.told(store.connection.pragma_update(None, "cell_size_check", true))?;
        store.told(store.connection.pragma_update(None, "synchronous", "FULL"))?;
        store.told(store.connection.pragma_update(None, "foreign_keys", true))?;
        Ok(store)
    }

    fn number(&self, pragma: &str) -> Result<i64, StoreError> {
        self.told(self.connection.pragma_query_value(None, pragma, |row| row.get(0)))
    }

    /// Brings the file to the version of this program.
    fn migrated(mut self) -> Result<Self, StoreError> {
        let (version, application) = (self.number("user_version")?, self.number("application_id")?);
        if version > MIGRATIONS.len() as i64 {
            return Err(StoreError::new(
                &self.place,
                format!("it was made by a newer version of hockeystick (its format is {version})"),
                "use that version",
            ));
        }
        if version == MIGRATIONS.len() as i64 && application == APPLICATION {
            return Ok(self);
        }
        let is_empty: bool =
            self.told(
                self.connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get(0)),
            )?;
        if application != APPLICATION && !is_empty {
            return Err(StoreError::new(
                &self.place,
                "it is a file of SQLite, but no ledger",
                "choose another name",
            ));
        }
        // Whoever reads does not wait for whoever writes. The mode stays with the file.
        self.told(self.connection.pragma_update(None, "journal_mode", "WAL"))?;
        self.begin(Access::Write)?;
        // Two processes may make one file at the same time: the second finds it made.
        let version = self.number("user_version")?;
        for (at, migration) in (1..).zip(MIGRATIONS) {
            if at > version {
                self.told(self.connection.execute_batch(migration))?;
            }
        }
        self.told(self.connection.pragma_update(None, "application_id", APPLICATION))?;
        self.told(self.connection.pragma_update(None, "user_version", MIGRATIONS.len()))?;
        self.commit()?;
        Ok(self)
    }

    fn told<T>(&self, result: rusqlite::Result<T>) -> Result<T, StoreError> {
        result.map_err(|error| problem(&self.place, &error))
    }
}

impl Store for Sqlite {
    fn begin(&mut self, access: Access) -> Result<(), StoreError> {
        self.told(self.connection.execute_batch(match access {
            Access::Read => "BEGIN DEFERRED",
            Access::Write => "BEGIN IMMEDIATE",
        }))
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.told(self.connection.execute_batch("COMMIT"))
    }

    fn roll_back(&mut self) -> Result<(), StoreError> {
        // Some errors have rolled back by themselves.
        if self.connection.is_autocommit() {
            Ok(())
        } else {
            self.told(self.connection.execute_batch("ROLLBACK"))
        }
    }

    fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<(), StoreError> {
        let mut statement = self.told(self.connection.prepare_cached(sql))?;
        self.told(statement.execute(rusqlite::params_from_iter(values)))?;
        Ok(())
    }

    fn query(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Record>, StoreError> {
        let mut statement = self.told(self.connection.prepare_cached(sql))?;
        let columns = statement.column_count();
        let records = statement
            .query_map(rusqlite::params_from_iter(values), |row| {
                (0..columns)
                    .map(|column| Ok(cell(row.get_ref(column)?)))
                    .collect::<rusqlite::Result<Vec<_>>>()
            })
            .and_then(|rows| rows.map(|cells| Ok(Record(cells?))).collect());
        self.told(records)
    }

    fn now(&mut self) -> Result<Time, StoreError> {
        Ok(Time::now())
    }

    fn back_up(&mut self, to: &str) -> Result<bool, StoreError> {
        self.told(self.connection.execute("VACUUM INTO ?1", [to]))?;
        Ok(true)
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Whole(number),
        ValueRef::Text(bytes) => {
            std::str::from_utf8(bytes).map_or(Cell::Other, |text| Cell::Text(text.to_owned()))
        }
        ValueRef::Real(_) | ValueRef::Blob(_) => Cell::Other,
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Whole(number) => ValueRef::Integer(*number),
            Self::Null => ValueRef::Null,
        }))
    }
}

fn problem(place: &str, error: &rusqlite::Error) -> StoreError {
    let cure = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "nothing was written: make room and try again with the same reference",
        Some(ErrorCode::SystemIoFailure) => {
            "the disk may be full or failing: make room and try again with the same reference"
        }
        Some(ErrorCode::ReadOnly) => {
            "nothing was written: give this user the right to write the file and its folder"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process has been writing for a minute: try again with the same reference"
        }
        Some(ErrorCode::CannotOpen) => "name a file in a folder that exists and that this user may write",
        Some(ErrorCode::NotADatabase) => "it is no file of SQLite: choose another name",
        Some(ErrorCode::DatabaseCorrupt) => "the file is damaged: restore a backup",
        _ => "try again with the same reference: what was charged is not charged twice",
    };
    StoreError::new(place, error.to_string(), cure)
}
