//! The text form: the answer in digits that are certain, then what it rests on.

use super::Report;
use crate::{
    decimal::{Bounds, Notation},
    excerpt::clipped,
    table::aligned,
};
use hockeystick::query::Guarantee;

/// A longer expression loses its middle here; JSON and CSV have all of it.
const LONGEST_EXPRESSION: usize = 300;

pub(super) fn write(report: &Report) -> String {
    // δ spans hundreds of orders of magnitude, ε hardly any.
    let (unknown, notation, given) = match (report.delta, report.epsilon) {
        (Some(delta), _) => ("ε", Notation::Plain, format!("δ = {}", shortest(delta))),
        (None, epsilon) => {
            ("δ", Notation::Scientific, format!("ε = {}", shortest(epsilon.unwrap_or_default())))
        }
    };
    let shown = bounds(report.guarantee, report.lower, report.upper).shown(notation);
    let quote = shown.at_most.map(|upper| format!("{unknown} ≤ {upper} at {given}"));
    let question = if quote.is_none() { Some(format!("{unknown} at {given}")) } else { None };
    let expression = clipped(&report.expression, LONGEST_EXPRESSION);
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.extend(question.map(|question| ("question", question)));
    rows.extend(quote.map(|quote| ("quote", quote)));
    rows.push(("guarantee", report.guarantee.name().to_owned()));
    rows.push(("method", report.method.to_owned()));
    rows.push(("direction", report.direction.to_string()));
    rows.push(("relation", report.relation.to_string()));
    rows.push(("expression", expression));
    rows.extend(report.notes.iter().map(|note| ("note", note.clone())));
    rows.extend(report.shortfall.iter().map(|reason| ("not as asked", reason.clone())));
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(name, value)| vec![format!("  {name}"), value]).collect();
    format!("{unknown} {}\n\n{}", shown.relation, aligned(&rows))
}

/// What an answer says of the number that was asked for.
pub(super) fn bounds(guarantee: Guarantee, lower: Option<f64>, upper: f64) -> Bounds {
    match (guarantee, lower) {
        (Guarantee::Estimate, _) => Bounds::About(upper),
        (Guarantee::Certified | Guarantee::UpperBound, Some(lower)) => Bounds::Between(lower, upper),
        (Guarantee::Certified | Guarantee::UpperBound, None) => Bounds::AtMost(upper),
    }
}

/// The fewest digits that read back as the same double.
pub(super) fn shortest(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

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
