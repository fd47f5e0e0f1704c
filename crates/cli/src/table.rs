//! Columns of text, aligned.

const GAP: &str = "  ";

/// The rows, each cell padded to its column; no line ends in space.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| length(cell)).max().unwrap_or(0)
        })
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [
            vec!["ε".into(), "1".into()],
            vec!["delta".into(), "22".into(), "x".into()],
            vec!["z".into(), String::new()],
        ];
        assert_eq!(aligned(&rows), "ε      1\ndelta  22  x\nz");
        assert_eq!(aligned(&[]), "");
    }
}
