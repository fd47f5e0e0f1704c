//! Why a figure could not be drawn.

use hockeystick::{engine::lattice::TooLarge, mechanism::ParseError};

/// A figure that could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// An expression is no mechanism.
    #[error("{0}")]
    Expression(#[from] ParseError),
    /// A mechanism was given numbers it does not take.
    #[error("{0}")]
    Parameter(#[from] hockeystick::mechanism::InvalidParameter),
    /// A question has no answer.
    #[error("{0}")]
    Question(#[from] hockeystick::Error),
    /// No number meets a target.
    #[error("{0}")]
    Calibration(#[from] hockeystick::query::CalibrationError),
    /// A lattice would not fit.
    #[error("{0}")]
    Lattice(#[from] TooLarge),
    /// An engine has no answer where the figure needs one.
    #[error("{0} has no value here")]
    Missing(&'static str),
}
