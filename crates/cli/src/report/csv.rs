//! The CSV form: a header and rows, quoted after RFC 4180.

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
    let rows = rows.iter().map(|row| row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(","));
    std::iter::once(header.join(",")).chain(rows).collect::<Vec<_>>().join("\n")
}

/// The same as in JSON: `inf` for infinity, which spreadsheets and data frames read; but nothing for none.
pub(crate) fn number(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if !value.is_finite() => super::json::not_finite(value).to_owned(),
        Some(value) => serde_json::to_string(&value).unwrap_or_default(),
    }
}

fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
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
    fn infinity_stays_infinite() {
        assert_eq!(number(Some(f64::INFINITY)), "inf");
        assert_eq!(number(Some(f64::NEG_INFINITY)), "-inf");
    }
}
