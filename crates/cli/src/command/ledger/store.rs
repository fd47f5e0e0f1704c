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
    named.into_string().map_err(|name| {
        Failure::Request(format!("the name of the ledger, {}, is not UTF-8; choose another", name.display()))
    })
}

/// A store without its password.
pub(super) fn shown(store: &str) -> String {
    let (scheme, rest) = store.split_once("://").unwrap_or(("", store));
    match rest.split_once('@') {
        Some((user, server)) if !scheme.is_empty() => {
            format!("{scheme}://{}@{server}", user.split(':').next().unwrap_or_default())
        }
        _ => store.to_owned(),
    }
}

impl From<hockeystick_ledger::Error> for Failure {
    fn from(error: hockeystick_ledger::Error) -> Self {
        Self::Request(error.to_string())
    }
}
