//! What PostgreSQL says when it does not do as asked, and what to do then.

use super::super::StoreError;
use ::postgres::{Error, error::SqlState};

/// There is no connection.
pub(super) fn unreachable(place: &str, error: &Error) -> StoreError {
    let cure = match error.code() {
        Some(state)
            if *state == SqlState::INVALID_PASSWORD
                || *state == SqlState::INVALID_AUTHORIZATION_SPECIFICATION =>
        {
            "nothing was written: write the user and its password into the URL"
        }
        Some(state) if *state == SqlState::INVALID_CATALOG_NAME => {
            "nothing was written: create the database, or name another in the URL"
        }
        Some(state) if *state == SqlState::TOO_MANY_CONNECTIONS => {
            "nothing was written: wait until other programs are done, or allow the server more connections"
        }
        _ => {
            "nothing was written: start the server, or correct the URL, and try again with the same reference"
        }
    };
    StoreError::new(place, format!("there is no connection: {}", told(error)), cure)
}

/// A statement has failed.
pub(super) fn problem(place: &str, error: &Error) -> StoreError {
    let state = error.code();
    let is = |states: &[&SqlState]| state.is_some_and(|state| states.contains(&state));
    let cure = if is(&[&SqlState::DISK_FULL, &SqlState::OUT_OF_MEMORY, &SqlState::INSUFFICIENT_RESOURCES]) {
        "nothing was written: make room on the server and try again with the same reference"
    } else if is(&[&SqlState::READ_ONLY_SQL_TRANSACTION, &SqlState::INSUFFICIENT_PRIVILEGE]) {
        "nothing was written: name a server that may be written, and a user who may write the ledger's tables"
    } else if is(&[&SqlState::LOCK_NOT_AVAILABLE]) {
        "another program has been writing for a minute: try again with the same reference"
    } else if is(&[&SqlState::UNDEFINED_TABLE]) {
        "there is no ledger: make it, or name the database and the schema that have it"
    } else if is(&[&SqlState::DATA_CORRUPTED, &SqlState::INDEX_CORRUPTED]) {
        "the database is damaged: restore a backup"
    } else {
        "try again with the same reference: what was charged is not charged twice"
    };
    let is_ended = is(&[
        &SqlState::ADMIN_SHUTDOWN,
        &SqlState::CRASH_SHUTDOWN,
        &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ]);
    let lost =
        if is_ended || error.is_closed() || state.is_none() { "the connection was lost: " } else { "" };
    StoreError::new(place, format!("{lost}{}", told(error)), cure)
}

/// The server's own words, if it has said any.
fn told(error: &Error) -> String {
    match error.as_db_error() {
        Some(told) => told.message().to_owned(),
        None => {
            let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
            format!("{error}{}", cause.unwrap_or_default())
        }
    }
}
