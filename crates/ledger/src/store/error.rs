//! What a database says when it does not do as asked.

/// What a database says when it does not do as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store {place}: {problem}; {cure}")]
pub struct StoreError {
    /// Which store.
    pub place: String,
    /// What it says.
    pub problem: String,
    /// What to do.
    pub cure: &'static str,
}

impl StoreError {
    pub(crate) fn new(place: &str, problem: impl Into<String>, cure: &'static str) -> Self {
        Self { place: place.to_owned(), problem: problem.into(), cure }
    }

    pub(super) fn unexpected(problem: impl Into<String>) -> Self {
        Self::new("is damaged", problem, "run verify, and restore a backup")
    }
}
