//! What people read of an answer: digits that are certain, then what they rest on.

use super::{Fact, Page, Report, shown};
use crate::{decimal::Notation, excerpt::clipped};

/// A longer expression loses its middle here; JSON and CSV have all of it.
const LONGEST_EXPRESSION: usize = 300;

pub(super) fn page(report: &Report) -> Page {
    // δ spans hundreds of orders of magnitude, ε hardly any.
    let (unknown, notation, given) = match (report.delta, report.epsilon) {
        (Some(delta), _) => ("ε", Notation::Plain, format!("δ = {}", shortest(delta))),
        (None, epsilon) => {
            ("δ", Notation::Scientific, format!("ε = {}", shortest(epsilon.unwrap_or_default())))
        }
    };
    let shown = shown(report.guarantee, report.lower, report.upper, notation);
    let mut facts = vec![match shown.at_most {
        Some(upper) => Fact::value("quote", format!("{unknown} ≤ {upper} at {given}")),
        None => Fact::value("question", format!("{unknown} at {given}")),
    }];
    facts.push(Fact::value("guarantee", report.guarantee.name()));
    facts.push(Fact::value("method", report.method));
    facts.push(Fact::value("direction", report.direction.to_string()));
    facts.push(Fact::value("relation", report.relation.to_string()));
    facts.push(expression(&report.expression));
    facts.extend(report.notes.iter().map(|note| Fact::words("note", note)));
    facts.extend(report.shortfall.iter().map(|reason| Fact::warning("not as asked", reason)));
    Page { headline: format!("{unknown} {}", shown.relation), facts, ..Page::default() }
}

/// The expression that was answered.
pub(crate) fn expression(text: &str) -> Fact {
    Fact::value("expression", clipped(text, LONGEST_EXPRESSION))
}

/// The fewest digits that read back as the same double.
pub(crate) fn shortest(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Style;
    use hockeystick::query::Guarantee;

    fn write(report: &Report) -> String {
        page(report).text(Style::PLAIN)
    }

    #[test]
    fn an_estimate_offers_nothing_to_quote() {
        let written = write(&Report::upper_bound(Guarantee::Estimate));
        assert!(written.starts_with("ε ≈ 2.250000000\n") && !written.contains('≤'), "{written}");
    }

    #[test]
    fn an_upper_bound_is_not_an_equation() {
        let written = write(&Report::upper_bound(Guarantee::UpperBound));
        assert!(written.starts_with("ε ≤ 2.25\n") && !written.contains("ε ="), "{written}");
    }

    #[test]
    fn a_very_long_expression_is_clipped() {
        let mut report = Report::upper_bound(Guarantee::UpperBound);
        report.expression = "gdp(mu=1) + ".repeat(10_000);
        assert!(write(&report).len() < 1000);
    }
}
