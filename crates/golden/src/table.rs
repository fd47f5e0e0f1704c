//! The reference files below `testdata/`.

use crate::Decimal;
use std::{
    ops::Index,
    path::{Path, PathBuf},
    rc::Rc,
    str::FromStr,
};

/// One row of a file, its cells found by the names in the header.
#[derive(Clone, Debug)]
pub struct Row {
    header: Rc<Vec<String>>,
    cells: Vec<String>,
}

/// The names of all files in `testdata/{folder}`, in alphabetical order, without their ending.
///
/// # Panics
/// If there are none.
pub fn files(folder: &str) -> Vec<String> {
    let path = root().join(folder);
    let listing = path.read_dir().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut names: Vec<String> = listing
        .map(|entry| entry.expect("a listed file").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "csv"))
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert!(!names.is_empty(), "{} holds no references", path.display());
    names.sort();
    names
}

fn root() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata"].iter().collect()
}

/// The rows of `testdata/{name}.csv`.
///
/// # Panics
/// If the file is missing or suspiciously short: a sweep over nothing would pass every test.
pub fn rows(name: &str) -> Vec<Row> {
    let path = root().join(format!("{name}.csv"));
    let rows = rows_of(&path);
    assert!(rows.len() > 50, "{} holds only {} rows", path.display(), rows.len());
    rows
}

/// The rows of any file of that format.
///
/// # Panics
/// If the file is missing or has no header.
pub fn rows_of(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let header = Rc::new(split(lines.next().unwrap_or_else(|| panic!("{} is empty", path.display()))));
    lines.map(|line| Row { header: Rc::clone(&header), cells: split(line) }).collect()
}

/// The cells of a line; commas between double quotes do not separate, and a doubled quote stands for itself.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cells.last_mut().expect("never empty").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().expect("never empty").push(other),
        }
    }
    cells
}

/// One cell as a number.
///
/// # Panics
/// If it is not one.
pub fn cell<T: FromStr>(text: &str) -> T {
    text.trim().parse().unwrap_or_else(|_| panic!("cannot read {text:?}"))
}

impl Index<usize> for Row {
    type Output = String;
    fn index(&self, column: usize) -> &String {
        &self.cells[column]
    }
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
        cell(self.text(column))
    }

    /// The reference value in a column, with all its digits.
    pub fn reference(&self, column: &str) -> Decimal {
        Decimal::parse(self.text(column))
    }
}

#[test]
fn quoted_cells_keep_their_commas() {
    assert_eq!(split(r#""f(a=1, b=2)",3"#), ["f(a=1, b=2)", "3"]);
    assert_eq!(split(r#""a ""b"", c",,d"#), [r#"a "b", c"#, "", "d"]);
}
