//! Why a question could not be answered, in words.

use crate::visible::visible;
use hockeystick::mechanism::ParseError;
use std::{fmt, io};

/// What keeps a command from answering. All of it is bad input.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The expression is no mechanism.
    Expression { text: String, error: ParseError },
    /// A workload file cannot be used; the message says where and why.
    File { name: String, message: String },
    /// Something that was asked for on the command line cannot be done.
    Request(String),
    /// The library refuses the question.
    Question(hockeystick::Error),
    /// Standard input is longer than any expression may be.
    StandardInputTooLong { most: usize },
    /// Standard input is no text.
    StandardInputNotText { valid_up_to: usize },
    /// Standard input cannot be read.
    StandardInput(io::Error),
}

impl From<hockeystick_audit::Error> for Failure {
    fn from(error: hockeystick_audit::Error) -> Self {
        match error {
            hockeystick_audit::Error::Account(error) => Self::Question(error),
            other => Self::Request(other.to_string()),
        }
    }
}

impl From<hockeystick::Error> for Failure {
    fn from(error: hockeystick::Error) -> Self {
        Self::Question(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression { text, error } => f.write_str(&error.pointed_out_in(text)),
            Self::File { name, message } => write!(f, "{}: {message}", visible(name)),
            Self::Request(message) => write!(f, "{message}"),
            Self::Question(error) => write!(f, "{error}"),
            Self::StandardInputTooLong { most } => write!(
                f,
                "standard input has more than {most} bytes, the longest expression that is read; \
                 use * for repeated mechanisms"
            ),
            Self::StandardInputNotText { valid_up_to } => {
                write!(
                    f,
                    "standard input is not UTF-8 text after {valid_up_to} bytes; save the expression as UTF-8"
                )
            }
            Self::StandardInput(error) => {
                write!(f, "standard input cannot be read: {error}; give the expression as an argument")
            }
        }
    }
}
