//! What can be wrong with a file of two columns.

use super::super::{InvalidOrder, shape::InvalidBound};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{}: {problem}", shown(.file), .line.map(|line| format!(", line {line}")).unwrap_or_default())]
#[non_exhaustive]
pub struct FileError {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1; `None` if it is the file as a whole.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: FileProblem,
}

impl FileError {
    /// An error of the file as a whole.
    pub(in crate::pair) fn of(file: &str, problem: FileProblem) -> Self {
        Self { file: file.to_owned(), line: None, problem }
    }
}

/// The name of a file without characters that act on a terminal or end a line.
fn shown(name: &str) -> String {
    let mut shown = String::new();
    for character in name.chars() {
        if character.is_control() { shown.extend(character.escape_default()) } else { shown.push(character) }
    }
    shown
}

/// A cell that may be quoted, or words for one that may not.
fn cell(quoted: &str) -> String {
    if quoted.is_empty() { "what is written here".to_owned() } else { format!("{quoted:?}") }
}

/// What the two columns of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContent {
    /// The probabilities of an outcome under `P` and under `Q`.
    Probabilities,
    /// `ε` and a bound of `δ(ε)`.
    Profile,
    /// An order and a bound of the Rényi divergence.
    RenyiCurve,
}

impl FileContent {
    /// What belongs into a line.
    fn line(self) -> &'static str {
        match self {
            Self::Probabilities => "the probability of an outcome under P and under Q",
            Self::Profile => "an ε and the δ there",
            Self::RenyiCurve => "an order above 1 and the Rényi divergence there",
        }
    }

    /// How to make do with fewer lines.
    fn fewer(self) -> &'static str {
        match self {
            Self::Probabilities => "merge outcomes with the same ratio of probabilities",
            Self::Profile | Self::RenyiCurve => "thin them out",
        }
    }
}

/// What can be wrong with a file or a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// It does not exist, may not be opened, or is not a file.
    #[error("cannot be read ({0}); give the name of a text file with two columns of numbers")]
    Unreadable(String),
    /// It is not where files may be.
    #[error("is not inside of the folder {}, and only files in there may be read; put a copy there", shown(.folder))]
    Outside {
        /// The folder.
        folder: String,
    },
    /// There is not a single line with two numbers.
    #[error("holds no numbers; write in each line {}", .0.line())]
    Empty(FileContent),
    /// More lines than are accepted.
    #[error("has more than {most} lines; {}", .content.fewer())]
    TooLong {
        /// How many are accepted.
        most: u64,
        /// What the file should hold.
        content: FileContent,
    },
    /// A line is longer than two numbers and a remark can be.
    #[error("the line is longer than {most} bytes; write in each line {}", .content.line())]
    LongLine {
        /// How long it may be.
        most: u64,
        /// What the file should hold.
        content: FileContent,
    },
    /// Not two columns.
    #[error(
        "{found} column{} instead of 2; write in each line {}",
        if *.found == 1 { "" } else { "s" }, .content.line()
    )]
    Columns {
        /// How many there are.
        found: usize,
        /// What the file should hold.
        content: FileContent,
    },
    /// A cell is not a number: what it holds, if that looks like one.
    #[error("{} is not a number; write it as 0.25 or 2.5e-1", cell(.0))]
    NotANumber(String),
    /// A cell is not a probability.
    #[error("{0} is not a probability; it must be from 0 to 1")]
    NotAProbability(String),
    /// A number that doubles cannot hold with all their digits.
    #[error(
        "{0} is positive but below 1e-300, too small for doubles; write 0 or merge the outcome with another"
    )]
    TooSmall(String),
    /// A column does not add up to 1.
    #[error(
        "the probabilities under {column} add up to {sum}, which differs from 1 by more than 1e-9; normalise them"
    )]
    Sum {
        /// `"P"` or `"Q"`.
        column: &'static str,
        /// What they add up to.
        sum: f64,
    },
    /// Two numbers that bound no privacy profile.
    #[error(transparent)]
    Bound(#[from] InvalidBound),
    /// Two numbers that bound no Rényi divergence.
    #[error(transparent)]
    Order(#[from] InvalidOrder),
}
