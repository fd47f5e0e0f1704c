//! Words that are not understood.

/// Words that are not understood, and what they might have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} is {found:?}, but must be {allowed}")]
pub struct InvalidData {
    /// What was to be read.
    pub what: &'static str,
    /// What was found.
    pub found: String,
    /// What would be understood.
    pub allowed: &'static str,
}

impl InvalidData {
    pub(super) fn of(what: &'static str, found: &str, allowed: &'static str) -> Self {
        Self { what, found: found.to_owned(), allowed }
    }
}
