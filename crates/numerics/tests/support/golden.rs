//! The reference files below `testdata/`.

use std::path::PathBuf;

/// The rows of `testdata/{name}.csv`, without comments and header.
pub fn rows(name: &str) -> Vec<Vec<String>> {
    let path: PathBuf =
        [env!("CARGO_MANIFEST_DIR"), "..", "..", "testdata", &format!("{name}.csv")].iter().collect();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<Vec<String>> = (text.lines())
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .skip(1)
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect();
    assert!(rows.len() > 50, "{} holds only {} rows", path.display(), rows.len());
    rows
}

/// One cell as a number.
pub fn cell<T: std::str::FromStr>(text: &str) -> T {
    text.trim().parse().unwrap_or_else(|_| panic!("cannot read {text:?}"))
}
