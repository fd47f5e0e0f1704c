//! The error of a parameter outside its range.

/// A parameter outside its range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{mechanism}: {parameter} is {value}, but must be {allowed}; {cure}")]
#[non_exhaustive]
pub struct InvalidParameter {
    /// The mechanism, by its name in text form.
    pub mechanism: &'static str,
    /// The parameter, by its name in text form.
    pub parameter: &'static str,
    /// The value that was given.
    pub value: String,
    /// What the parameter may be.
    pub allowed: String,
    /// What to do about it.
    pub cure: String,
}
