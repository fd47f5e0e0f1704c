//! What keeps an audit from answering.

/// An error that names the argument, its value, what is allowed, and the cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is out of range.
    #[error("{argument} is {value}, but must be {allowed}; {cure}")]
    Argument {
        /// What it is called.
        argument: &'static str,
        /// What was given.
        value: String,
        /// What it may be.
        allowed: &'static str,
        /// What to do.
        cure: &'static str,
    },

    /// The library cannot account for the mechanism that is claimed.
    #[error(transparent)]
    Account(#[from] hockeystick::Error),
}

/// Refuses what does not hold.
pub(crate) fn check(
    holds: bool,
    argument: &'static str,
    value: impl ToString,
    allowed: &'static str,
    cure: &'static str,
) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Argument { argument, value: value.to_string(), allowed, cure }) }
}
