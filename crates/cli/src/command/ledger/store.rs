//! Which ledger is meant.

use crate::failure::Failure;
use std::path::Path;

/// Names the ledger where no flag does.
const VARIABLE: &str = "HOCKEYSTICK_STORE";

/// The store of a flag, or of the variable.
pub(super) fn name(given: Option<&Path>) -> Result<String, Failure> {
    let named = given.map(|path| path.as_os_str().to_owned()).or_else(|| std::env::var_os(VARIABLE));
    let named = named.filter(|name| !name.is_empty()).ok_or_else(|| {
        Failure::Request(format!("no ledger is named; write --store budgets.db, or set {VARIABLE}"))
    })?;
    let name = named.into_string().map_err(|name| {
        Failure::Request(format!("the name of the ledger, {}, is not UTF-8; choose another", name.display()))
    })?;
    if name.starts_with("postgres://") || name.starts_with("postgresql://") {
        return Err(Failure::Request(
            "ledgers are kept in files so far, not in PostgreSQL; name a file, such as budgets.db".to_owned(),
        ));
    }
    Ok(name)
}

impl From<hockeystick_ledger::Error> for Failure {
    fn from(error: hockeystick_ledger::Error) -> Self {
        Self::Request(error.to_string())
    }
}
