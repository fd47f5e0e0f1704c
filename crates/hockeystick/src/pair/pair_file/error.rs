//! What can be wrong with a file of probabilities.

/// A file that is not a pair. The message names the file, and the line if there is one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}{}: {problem}", at(*line))]
#[non_exhaustive]
pub struct FileError {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1, if it is the fault of one.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: FileProblem,
}

/// What is wrong with a file or a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// The file cannot be opened or read.
    #[error("cannot be read ({0}); give the name of a text file with two columns of probabilities")]
    Unreadable(String),
    /// No line holds probabilities.
    #[error("holds no probabilities; write one line per outcome, its probability under P and under Q")]
    Empty,
    /// The file is longer than what is accepted.
    #[error("has more than {0} lines; merge outcomes with the same ratio of probabilities")]
    TooLong(u64),
    /// A line is longer than two numbers can be.
    #[error("the line is longer than {0} characters; write two probabilities per line")]
    LongLine(u64),
    /// A line does not have two columns.
    #[error("{columns} columns, but there must be two: the probability under P and under Q")]
    Columns {
        /// How many there are.
        columns: usize,
    },
    /// A cell is not a number.
    #[error("{0:?} is not a number; write probabilities such as 0.25 or 2.5e-1")]
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
}

fn at(line: Option<u64>) -> String {
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}
