//! Why nothing could be calibrated.

use crate::{error::Error, mechanism::ParseError};

/// Why nothing could be calibrated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// The expression cannot be filled, whatever the number.
    #[error(transparent)]
    Expression(#[from] ParseError),
    /// A question about it has no answer.
    #[error(transparent)]
    Question(#[from] Error),
}
