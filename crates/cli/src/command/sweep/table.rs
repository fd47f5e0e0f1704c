//! The rows of a file, as CSV or as lines of JSON.
//!
//! In: a text. Out: names and cells. A line that cannot be read is a row that says why.

use crate::{failure::Failure, input::STANDARD_INPUT, report::shortest};
use serde_json::Value;
use std::{
    fmt, fs,
    io::{self, Read},
    path::Path,
};

/// The most rows of a file.
pub(super) const MOST_ROWS: usize = 1_000_000;

/// What stands in a column of a row.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub(in crate::command) enum Cell {
    Number(f64),
    Text(String),
    Missing,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => f.write_str(&shortest(*number)),
            Self::Text(text) => f.write_str(text),
            Self::Missing => Ok(()),
        }
    }
}

/// The cells of a row, and what is wrong with it.
type Line = (Vec<Cell>, Option<String>);

/// Rows with a cell for each name.
#[derive(Debug, PartialEq)]
pub(in crate::command) struct Table {
    pub(in crate::command) names: Vec<String>,
    pub(in crate::command) rows: Vec<Line>,
}

impl Table {
    /// Reads a file, or standard input if its name is `-`; also returns the text.
    pub(in crate::command) fn of(path: &Path) -> Result<(Self, String), Failure> {
        let failure = |message: String| Failure::File { name: path.display().to_string(), message };
        let mut bytes = Vec::new();
        let read = if path == Path::new(STANDARD_INPUT) {
            io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
        } else {
            fs::read(path).map(|read| bytes = read)
        };
        read.map_err(|error| failure(format!("cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|_| failure("is not UTF-8 text".to_owned()))?;
        let table = Self::read(&text).map_err(failure)?;
        Ok((table, text))
    }

    fn read(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let table =
            if text.trim_start().starts_with('{') { Self::of_json(text) } else { Self::of_csv(text)? };
        if table.rows.is_empty() {
            return Err(
                "has no rows; write a line with the names of the columns, and a line for each row".to_owned()
            );
        }
        if table.rows.len() > MOST_ROWS {
            return Err(format!("has {} rows, but at most {MOST_ROWS} are answered", table.rows.len()));
        }
        Ok(table)
    }

    fn of_csv(text: &str) -> Result<Self, String> {
        let mut records = records(text).into_iter();
        let names: Vec<String> =
            records.next().unwrap_or_default().into_iter().map(|name| name.trim().to_owned()).collect();
        if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            return Err(format!("has two columns called {:?}; rename one", twice.1));
        }
        let rows = records.map(|record| {
            let (found, wanted) = (record.len(), names.len());
            let problem = (found != wanted).then(|| {
                format!(
                    "the row has {found} cells, but there are {wanted} columns; quote cells that hold commas"
                )
            });
            let mut cells: Vec<Cell> = (record.into_iter().map(|cell| cell.trim().to_owned()))
                .map(|cell| if cell.is_empty() { Cell::Missing } else { Cell::Text(cell) })
                .collect();
            cells.resize(wanted, Cell::Missing);
            (cells, problem)
        });
        let rows = rows.collect();
        Ok(Self { names, rows })
    }

    fn of_json(text: &str) -> Self {
        let (mut names, mut rows): (Vec<String>, Vec<Line>) = Default::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let (mut cells, mut problem) = (vec![Cell::Missing; names.len()], None);
            match serde_json::from_str(line) {
                Ok(Value::Object(object)) => {
                    for (name, value) in object {
                        let cell = match value {
                            Value::Null => Cell::Missing,
                            Value::Number(number) => number.as_f64().map_or(Cell::Missing, Cell::Number),
                            Value::String(text) => Cell::Text(text),
                            Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
                                problem =
                                    Some(format!("{name} is {value}, but must be a number, a text or null"));
                                Cell::Missing
                            }
                        };
                        let at = names.iter().position(|known| *known == name).unwrap_or(names.len());
                        if at == names.len() {
                            names.push(name);
                            cells.push(Cell::Missing);
                        }
                        cells[at] = cell;
                    }
                }
                Ok(_) => problem = Some("the line is no JSON object".to_owned()),
                Err(error) => problem = Some(format!("the line is no JSON: {error}")),
            }
            rows.push((cells, problem));
        }
        for (cells, _) in &mut rows {
            cells.resize(names.len(), Cell::Missing);
        }
        Self { names, rows }
    }
}

/// The records of a CSV text ([RFC 4180]); lines with nothing in them are none.
fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut characters) = (false, text.chars().peekable());
    while let Some(character) = characters.next() {
        match character {
            '"' if is_quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                is_quoted = true;
            }
            ',' if !is_quoted => record.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            _ => cell.push(character),
        }
    }
    record.push(cell);
    records.push(record);
    records.retain(|record| record.len() > 1 || record.iter().any(|cell| !cell.trim().is_empty()));
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(cell: &str) -> Cell {
        Cell::Text(cell.to_owned())
    }

    #[test]
    fn tables_are_csv_or_lines_of_json() {
        let csv =
            "\u{feff}who, sigma,expression\r\na,1,\"dp(epsilon=1, delta=0)\"\r\n\r\n\"b \"\"x\"\"\",,\n1\n";
        let table = Table::read(csv).unwrap();
        assert_eq!(table.names, ["who", "sigma", "expression"]);
        assert_eq!(table.rows[0], (vec![text("a"), text("1"), text("dp(epsilon=1, delta=0)")], None));
        assert_eq!(table.rows[1], (vec![text("b \"x\""), Cell::Missing, Cell::Missing], None));
        assert!(table.rows[2].1.as_ref().unwrap().contains("1 cells, but there are 3 columns"));
        let json =
            "{\"sigma\": 1, \"who\": \"a\"}\n\n{\"k\": 2.5, \"sigma\": null}\n[1]\n{\"sigma\": [1]}\n{\"k\"";
        let table = Table::read(json).unwrap();
        assert_eq!(table.names, ["sigma", "who", "k"]);
        assert_eq!(table.rows[0], (vec![Cell::Number(1.0), text("a"), Cell::Missing], None));
        assert_eq!(table.rows[1], (vec![Cell::Missing, Cell::Missing, Cell::Number(2.5)], None));
        assert!(table.rows[2..].iter().all(|row| row.1.is_some()) && table.rows.len() == 5);
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for (text, reason) in [("", "no rows"), ("sigma\n", "no rows"), ("a,a\n1,2\n", "two columns called")]
        {
            assert!(Table::read(text).unwrap_err().contains(reason), "{text:?}");
        }
    }
}
