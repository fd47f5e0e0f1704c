//! The CSV form: a header and rows, quoted after RFC 4180.

use super::Report;

pub(super) fn write(report: &Report) -> String {
    let budget = &report.budget;
    let (given, value) = match (report.delta, report.epsilon) {
        (Some(delta), _) => ("delta", Some(delta)),
        (None, epsilon) => ("epsilon", epsilon),
    };
    let fields = [
        ("query", report.query.to_owned()),
        ("expression", report.expression.clone()),
        ("relation", report.relation.to_string()),
        (given, number(value)),
        ("lower", number(report.lower)),
        ("upper", number(Some(report.upper))),
        ("guarantee", report.guarantee.name().to_owned()),
        ("method", report.method.to_owned()),
        ("direction", report.direction.to_string()),
        ("discretisation", number(Some(budget.discretisation))),
        ("aliasing", number(Some(budget.aliasing))),
        ("truncation", number(Some(budget.truncation))),
        ("quadrature", number(Some(budget.quadrature))),
        ("roundoff", number(Some(budget.roundoff))),
        ("elapsed_ms", number(Some(report.elapsed_ms))),
        ("shortfall", report.shortfall.clone().unwrap_or_default()),
        ("notes", report.notes.join("; ")),
    ];
    let (header, row): (Vec<&str>, Vec<String>) = fields.into_iter().unzip();
    lines(&header, &[row])
}

/// A header and rows.
pub(crate) fn lines(header: &[&str], rows: &[Vec<String>]) -> String {
    let rows = rows.iter().map(|row| row.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(","));
    std::iter::once(header.join(",")).chain(rows).collect::<Vec<_>>().join("\n")
}

/// The same digits as in JSON; `inf` for infinity, which spreadsheets and data frames read, nothing for none.
pub(crate) fn number(value: Option<f64>) -> String {
    match value {
        None => String::new(),
        Some(value) if value.is_infinite() => "inf".to_owned(),
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
    use hockeystick::query::Guarantee;

    #[test]
    fn a_missing_lower_end_is_an_empty_field() {
        let written = write(&Report::upper_bound(Guarantee::UpperBound));
        let row = written.lines().nth(1).unwrap();
        assert!(row.starts_with("epsilon,zcdp(rho=0.5),add-remove,0.00001,,2.25,upper-bound,rdp,"), "{row}");
    }

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(quoted(r#"pair(file="a")"#), r#""pair(file=""a"")""#);
        assert_eq!(quoted("plain"), "plain");
    }

    #[test]
    fn infinity_stays_infinite() {
        assert_eq!(number(Some(f64::INFINITY)), "inf");
    }
}
