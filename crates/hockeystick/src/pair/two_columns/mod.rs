//! Files of two columns of numbers: the one reader of them all.
//!
//! In: the name of a file, or values. Out: two columns of numbers, or the line and what is wrong with it.
//!
//! # Guarantee
//! Numbers are the doubles nearest to what is written. Nothing is skipped silently, and the size of a file is bounded.

mod error;
mod open;

pub use error::{FileContent, FileError, FileProblem};

use crate::mechanism::FileName;
use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
};

/// Longer files are refused, and not read to their end: a pair of a million outcomes takes seconds and half a gigabyte.
const MOST_LINES: u64 = 1_000_000;
/// The longest line, in bytes: two numbers and a remark.
const LONGEST_LINE: u64 = 4096;
/// As much of a cell as a message can hold.
const LONGEST_QUOTE: usize = 24;

/// A number as it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell<'a> {
    /// Its characters.
    pub(super) text: &'a str,
    /// The double nearest to it, perhaps infinite; never NaN.
    pub(super) value: f64,
}

impl<'a> Cell<'a> {
    fn read(text: &'a str) -> Result<Self, FileProblem> {
        match text.parse::<f64>() {
            Ok(value) if !value.is_nan() => Ok(Self { text, value }),
            Ok(_) | Err(_) => Err(FileProblem::NotANumber(quoted(text))),
        }
    }
}

/// A cell for a message: the start of it if it looks like a number, and otherwise nothing, since a file that was not meant for this may
/// hold secrets.
pub(super) fn quoted(text: &str) -> String {
    let is_word = ["nan", "inf", "infinity"]
        .iter()
        .any(|word| text.trim_start_matches(['+', '-']).eq_ignore_ascii_case(word));
    let is_like_number = text.contains(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || "+-.,eE_".contains(c));
    if is_word || is_like_number { text.chars().take(LONGEST_QUOTE).collect() } else { String::new() }
}

/// The two numbers in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row<'a> {
    pub(super) first: Cell<'a>,
    pub(super) second: Cell<'a>,
}

/// The rows of a file, read one by one, and no further than to the first error.
///
/// Columns are separated by commas, semicolons, tabs or blanks. What follows a `#` is a remark; empty lines are skipped; so
/// is a first line without any number, the header. A decimal stands for the double nearest to it, as everywhere.
pub(super) struct Rows {
    file: String,
    content: FileContent,
    reader: BufReader<File>,
    buffer: Vec<u8>,
    line: u64,
    most_lines: u64,
    is_header_allowed: bool,
}

/// The rows of `file`, which should hold `content`; an error if it cannot be opened.
pub(super) fn rows(file: &FileName, content: FileContent) -> Result<Rows, FileError> {
    let reader =
        open::open(file).map(BufReader::new).map_err(|problem| FileError::of(file.as_str(), problem))?;
    Ok(Rows {
        file: file.as_str().to_owned(),
        content,
        reader,
        buffer: Vec::new(),
        line: 0,
        most_lines: MOST_LINES,
        is_header_allowed: true,
    })
}

impl Rows {
    /// What `meaning` makes of every row, in order; an error names the line it was met in.
    pub(super) fn read<T>(
        &mut self,
        meaning: impl Fn(Row<'_>) -> Result<T, FileProblem>,
    ) -> Result<Vec<T>, FileError> {
        let mut meanings = Vec::new();
        loop {
            match self.next_row(&meaning) {
                Ok(Some(row)) => meanings.push(row),
                Ok(None) => return Ok(meanings),
                Err(problem @ FileProblem::Unreadable(_)) => return Err(self.error(problem)),
                Err(problem) => return Err(FileError { line: Some(self.line), ..self.error(problem) }),
            }
        }
    }

    /// An error of the file as a whole.
    pub(super) fn error(&self, problem: FileProblem) -> FileError {
        FileError::of(&self.file, problem)
    }

    /// An error of a file that says nothing.
    pub(super) fn empty(&self) -> FileError {
        self.error(FileProblem::Empty(self.content))
    }

    /// The meaning of the next row, or `None` at the end.
    fn next_row<T>(
        &mut self,
        meaning: &impl Fn(Row<'_>) -> Result<T, FileProblem>,
    ) -> Result<Option<T>, FileProblem> {
        while self.advance()? {
            let text = String::from_utf8_lossy(&self.buffer);
            // Some editors mark the beginning of a file.
            let content = text.trim_start_matches('\u{feff}').split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let cells = cells(content);
            // NaN is no name.
            let is_header = self.is_header_allowed && cells.iter().all(|cell| cell.parse::<f64>().is_err());
            self.is_header_allowed = false;
            if is_header {
                continue;
            }
            let [first, second] = cells[..] else {
                return Err(FileProblem::Columns { found: cells.len(), content: self.content });
            };
            return meaning(Row { first: Cell::read(first)?, second: Cell::read(second)? }).map(Some);
        }
        Ok(None)
    }

    /// Reads the next line; `false` at the end.
    fn advance(&mut self) -> Result<bool, FileProblem> {
        self.buffer.clear();
        let mut limited = (&mut self.reader).take(LONGEST_LINE + 1);
        let length = limited
            .read_until(b'\n', &mut self.buffer)
            .map_err(|error| FileProblem::Unreadable(error.to_string()))?;
        if length == 0 {
            return Ok(false);
        }
        self.line += 1;
        if self.line > self.most_lines {
            return Err(FileProblem::TooLong { most: self.most_lines, content: self.content });
        }
        if length as u64 > LONGEST_LINE {
            return Err(FileProblem::LongLine { most: LONGEST_LINE, content: self.content });
        }
        Ok(true)
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

#[cfg(test)]
pub(super) mod tests;
