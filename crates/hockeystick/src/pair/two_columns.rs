//! Files of two columns of numbers.

use super::{InvalidOrder, shape::InvalidBound};
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
};

/// The largest number of rows that a file may have.
const MAX_ROWS: u64 = 10_000_000;
/// The longest line, in bytes: two numbers and a remark.
const MAX_LINE: u64 = 4096;

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}{}: {problem}", .line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct FileError {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1; `None` if it is the file as a whole.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: FileProblem,
}

/// What can be wrong with a file of two columns.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// It does not exist, may not be opened, or is not a file.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// There is not a single row with two numbers.
    #[error("no rows; write two numbers in each line")]
    Empty,
    /// More rows than anything sensible needs.
    #[error("more than {MAX_ROWS} rows; thin them out")]
    TooManyRows,
    /// Not a file of numbers.
    #[error("the line is longer than {MAX_LINE} bytes; write two numbers in each line")]
    LongLine,
    /// Not two columns.
    #[error("{found} column{} instead of 2; write two numbers in each line", if *.found == 1 { "" } else { "s" })]
    Columns {
        /// How many there are.
        found: usize,
    },
    /// A cell that cannot be read.
    #[error("{text:?} is not a number")]
    NotANumber {
        /// The cell, or the start of it.
        text: String,
    },
    /// Two numbers that bound no privacy profile.
    #[error(transparent)]
    Bound(#[from] InvalidBound),
    /// Two numbers that bound no Rényi divergence.
    #[error(transparent)]
    Order(#[from] InvalidOrder),
}

/// Two numbers in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// The line, counted from 1.
    pub(super) line: u64,
    /// The number in the first column, perhaps infinite.
    pub(super) first: f64,
    /// The number in the second column, perhaps infinite.
    pub(super) second: f64,
}

/// The rows of a file, read one by one.
///
/// Columns are separated by commas, semicolons, tabs or blanks. What follows a `#` is a remark; empty lines are skipped; so
/// is a first line without any number, the header. A decimal stands for the double nearest to it, as everywhere.
pub(super) struct Rows {
    file: String,
    reader: BufReader<File>,
    buffer: Vec<u8>,
    line: u64,
    rows_left: u64,
    is_header_allowed: bool,
}

/// The rows of `file`; an error if it cannot be opened.
pub(super) fn rows(file: &str) -> Result<Rows, FileError> {
    let unreadable = |reason: String| FileError {
        file: file.to_owned(),
        line: None,
        problem: FileProblem::Unreadable(reason),
    };
    let opened = File::open(file).map_err(|error| unreadable(error.to_string()))?;
    Ok(Rows {
        file: file.to_owned(),
        reader: BufReader::new(opened),
        buffer: Vec::new(),
        line: 0,
        rows_left: MAX_ROWS,
        is_header_allowed: true,
    })
}

impl Rows {
    /// An error of this file.
    pub(super) fn error(&self, line: Option<u64>, problem: FileProblem) -> FileError {
        FileError { file: self.file.clone(), line, problem }
    }

    /// Reads the next line; `false` at the end.
    fn advance(&mut self) -> Result<bool, FileProblem> {
        self.buffer.clear();
        self.line += 1;
        let mut limited = (&mut self.reader).take(MAX_LINE + 1);
        let length = limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| FileProblem::Unreadable(error.to_string()))?;
        if length as u64 > MAX_LINE { Err(FileProblem::LongLine) } else { Ok(length > 0) }
    }

    /// The next row, or `None` at the end.
    fn next_row(&mut self) -> Result<Option<Row>, FileProblem> {
        while self.advance()? {
            let text = String::from_utf8_lossy(&self.buffer);
            let content = text.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let cells = cells(content);
            let is_header = self.is_header_allowed && cells.iter().all(|cell| number(cell).is_err());
            self.is_header_allowed = false;
            if is_header {
                continue;
            }
            let [first, second] = cells[..] else {
                return Err(FileProblem::Columns { found: cells.len() });
            };
            let Some(rows_left) = self.rows_left.checked_sub(1) else {
                return Err(FileProblem::TooManyRows);
            };
            self.rows_left = rows_left;
            return Ok(Some(Row { line: self.line, first: number(first)?, second: number(second)? }));
        }
        Ok(None)
    }
}

impl Iterator for Rows {
    type Item = Result<Row, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.next_row();
        let line = |problem: &FileProblem| match problem {
            FileProblem::Unreadable(_) | FileProblem::TooManyRows => None,
            _ => Some(self.line),
        };
        row.map_err(|problem| self.error(line(&problem), problem)).transpose()
    }
}

/// A semicolon separates even where there are commas, which are then part of a number and refused.
fn cells(content: &str) -> Vec<&str> {
    let separator = [';', ','].into_iter().find(|&separator| content.contains(separator));
    match separator {
        Some(separator) => content.split(separator).map(unquoted).collect(),
        None => content.split_whitespace().map(unquoted).collect(),
    }
}

fn unquoted(cell: &str) -> &str {
    cell.trim().trim_matches('"')
}

fn number(cell: &str) -> Result<f64, FileProblem> {
    match cell.parse::<f64>() {
        Ok(number) if !number.is_nan() => Ok(number),
        _ => Err(FileProblem::NotANumber { text: cell.chars().take(40).collect() }),
    }
}

#[cfg(test)]
pub(super) mod tests;
