//! The CSV form: a header and rows, quoted after RFC 4180.
//!
//! A cell that a spreadsheet would take for a formula begins with an apostrophe; numbers are left alone. Control characters are escaped.

use crate::visible::visible;

/// A header and one row.
pub(crate) fn row(fields: impl IntoIterator<Item = (&'static str, String)>) -> String {
    rows([fields.into_iter().collect()])
}

/// A header and rows that have the same columns.
pub(crate) fn rows(all: impl IntoIterator<Item = Vec<(&'static str, String)>>) -> String {
    let (headers, rows): (Vec<Vec<&str>>, Vec<Vec<String>>) =
        all.into_iter().map(|fields| fields.into_iter().unzip()).unzip();
    lines(headers.first().map_or(&[], Vec::as_slice), &rows)
}

/// A header and rows.
pub(crate) fn lines(header: &[&str], rows: &[Vec<String>]) -> String {
    let rows = rows.iter().map(|row| line(row));
    let header = header.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
    std::iter::once(header).chain(rows).collect::<Vec<_>>().join("\n")
}

/// A line without its end.
pub(crate) fn line(cells: &[String]) -> String {
    cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",")
}

/// The same as in JSON: `inf` for infinity, which spreadsheets and data frames read; but nothing for none.
pub(crate) fn number(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if !value.is_finite() => super::json::not_finite(value).to_owned(),
        Some(value) => serde_json::to_string(&value).unwrap_or_default(),
    }
}

/// What begins a formula, perhaps after blanks, in one spreadsheet or another.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

fn quoted(value: &str) -> String {
    let is_formula = value.trim_start().starts_with(FORMULA) && value.parse::<f64>().is_err();
    let value = visible(value);
    let value = if is_formula { format!("'{value}") } else { value };
    if value.contains([',', '"', '\n', '\r']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(quoted(r#"pair(file="a")"#), r#""pair(file=""a"")""#);
        assert_eq!(quoted("plain"), "plain");
    }

    #[test]
    fn no_cell_is_a_formula() {
        for formula in ["=1+2", "+1+2", "-2+3", "@SUM(A1)", " =1", "\t=1", "\r=1", "\n-x", "＝1", "-"] {
            let cell = quoted(formula);
            let shown = cell.trim_start_matches('"');
            assert!(shown.starts_with('\'') || shown.starts_with('\\'), "{formula:?}: {cell}");
        }
        for number in ["-1", "+1", "-1e-5", "-inf", "0.5"] {
            assert_eq!(quoted(number), number);
        }
        assert_eq!(quoted("=HYPERLINK(\"x\", 1)"), "\"'=HYPERLINK(\"\"x\"\", 1)\"");
        assert_eq!(quoted("a\u{1b}[1m\nb"), "a\\u{1b}[1m\\nb");
    }

    #[test]
    fn infinity_stays_infinite() {
        assert_eq!(number(Some(f64::INFINITY)), "inf");
        assert_eq!(number(Some(f64::NEG_INFINITY)), "-inf");
    }
}
