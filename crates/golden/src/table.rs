//! The reference files below `testdata/`.

use crate::Decimal;
use std::{path::PathBuf, rc::Rc, str::FromStr};

/// One row of a file, its cells found by the names in the header.
#[derive(Clone, Debug)]
pub struct Row {
    header: Rc<Vec<String>>,
    cells: Vec<String>,
}

/// The rows of `testdata/{name}.csv`.
///
/// # Panics
/// If the file is missing or suspiciously short: a sweep over nothing would pass every test.
pub fn rows(name: &str) -> Vec<Row> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", &format!("{name}.csv")].iter().collect();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let split = |line: &str| line.split(',').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let header = Rc::new(split(lines.next().unwrap_or_else(|| panic!("{} is empty", path.display()))));
    let rows: Vec<Row> = lines.map(|line| Row { header: Rc::clone(&header), cells: split(line) }).collect();
    assert!(rows.len() > 50, "{} holds only {} rows", path.display(), rows.len());
    rows
}

impl Row {
    /// The text in a column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn text(&self, column: &str) -> &str {
        let index = self.header.iter().position(|name| name == column);
        index
            .and_then(|index| self.cells.get(index))
            .unwrap_or_else(|| panic!("no {column} in {:?}", self.header))
    }

    /// The number in a column, as the nearest value of its type: exact for inputs.
    ///
    /// # Panics
    /// If the cell is not a number of that type.
    pub fn number<T: FromStr>(&self, column: &str) -> T {
        let text = self.text(column);
        text.parse().unwrap_or_else(|_| panic!("{column}: cannot read {text:?}"))
    }

    /// The reference value in a column, with all its digits.
    pub fn reference(&self, column: &str) -> Decimal {
        Decimal::parse(self.text(column))
    }
}
