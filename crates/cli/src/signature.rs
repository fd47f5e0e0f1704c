//! What a statement is signed with: whom it protects, which version made it, and of which input.

use crate::shortest::shortest;
use hockeystick::mechanism::{Mechanism, Relation};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// A statement, and for whom.
#[derive(Debug, clap::Args)]
pub(crate) struct StatementFlags {
    /// Write the guarantee in plain language, with the version and a digest of the input
    ///
    /// The digest is the SHA-256 of three lines: the canonical expression as JSON shows it, the relation, and the question, such as
    /// `epsilon at delta=1e-5`, each with a line end.
    #[arg(long, help_heading = "Output")]
    pub(crate) statement: bool,

    /// Whom the statement protects, for example "one patient"; without it the statement speaks of one record
    #[arg(long, value_name = "TEXT", requires = "statement", help_heading = "Output")]
    pub(crate) unit: Option<String>,
}

/// The number that was asked for, and what was given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    Epsilon { delta: f64 },
    Delta { epsilon: f64 },
}

impl Question {
    fn words(self) -> String {
        match self {
            Self::Epsilon { delta } => format!("epsilon at delta={}", shortest(delta)),
            Self::Delta { epsilon } => format!("delta at epsilon={}", shortest(epsilon)),
        }
    }
}

/// What makes a statement traceable.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Signature {
    pub(crate) unit: String,
    pub(crate) digest: String,
    #[serde(skip)]
    names_files: bool,
}

impl Signature {
    /// `record` is what a unit is called if nobody says otherwise.
    pub(crate) fn new(
        flags: &StatementFlags,
        record: &str,
        mechanism: &Mechanism,
        relation: Relation,
        question: Question,
    ) -> Self {
        let expression = mechanism.to_string();
        let input = format!("{expression}\n{relation}\n{}\n", question.words());
        let digest = Sha256::digest(input).iter().fold(String::new(), |mut text, byte| {
            // Writing to a text does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        let unit = flags.unit.clone().unwrap_or_else(|| record.to_owned());
        Self { unit, digest, names_files: expression.contains("(file=\"") }
    }

    /// Whom the guarantee is about, and what that takes.
    pub(crate) fn whom(&self, is_stated: bool) -> String {
        let unit = &self.unit;
        if is_stated {
            format!(
                "Whom it protects: the privacy unit is {unit}. This is what whoever made the statement says of the data: the numbers \
                 hold if neighbouring data sets differ by all data of {unit}, and every sensitivity is a bound for that."
            )
        } else {
            format!(
                "Whom it protects: the privacy unit is {unit}. Nothing is known here about how many of them a person has: whoever has \
                 several is protected less."
            )
        }
    }

    /// Version and digest.
    pub(crate) fn origin(&self) -> String {
        let files = if self.names_files {
            " The digest covers the names of files in the expression, and not what they hold."
        } else {
            ""
        };
        format!(
            "Computed by hockeystick {}; SHA-256 of expression, relation and question: {}.{files}",
            env!("CARGO_PKG_VERSION"),
            self.digest
        )
    }
}
