//! What becomes of a command.

/// What a command has to say.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// For standard output.
    pub(crate) text: String,
    /// Why this is not what was asked for, if it is not.
    pub(crate) shortfall: Option<String>,
}
