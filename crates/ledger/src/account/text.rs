//! Mechanisms in the ledger's text form, and what they are made of.

use crate::error::Error;
use hockeystick::{mechanism::Mechanism, query::Accountant};
use std::collections::BTreeMap;

/// The mechanism of a text that the ledger has written.
pub(crate) fn parsed(text: &str) -> Result<Mechanism, Error> {
    text.parse().map_err(|error| Error::damaged(format!("{text:?} cannot be read: {error}")))
}

/// The distinct parts of a mechanism with their uses.
pub(crate) fn whole_parts(mechanism: &Mechanism) -> Result<BTreeMap<String, u64>, Error> {
    // An accountant merges what is written several times.
    let mut accountant = Accountant::default();
    accountant.add(mechanism)?;
    Ok(accountant.parts().iter().map(|(part, uses)| (part.to_string(), *uses)).collect())
}

/// Is every part of one mechanism a part of the other, at least as often?
pub(crate) fn is_contained(part: &Mechanism, whole: &Mechanism) -> Result<bool, Error> {
    let whole = whole_parts(whole)?;
    Ok(whole_parts(part)?.iter().all(|(text, uses)| whole.get(text).is_some_and(|most| uses <= most)))
}
