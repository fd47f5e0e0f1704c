//! The report of δ or ε: the interval, then what it rests on.

use super::{Answered, Asked, Fact, Page, Report, csv, shortest, shown};
use crate::signature::Signature;
use hockeystick::{
    Answer,
    mechanism::{Mechanism, Relation},
    query::{Unknown, Verdict},
};
use hockeystick_digits::Notation;
use std::time::Duration;

/// An answer and its question.
#[derive(Debug, serde::Serialize)]
pub(crate) struct AnswerReport {
    #[serde(flatten)]
    asked: Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    #[serde(flatten)]
    answered: Answered,
    #[serde(flatten)]
    claim: Option<Claim>,
    #[serde(flatten)]
    stated: Option<Stated>,
}

/// What was claimed of the answer, and whether it holds.
#[derive(Debug, serde::Serialize)]
struct Claim {
    at_most: f64,
    verdict: &'static str,
}

/// The guarantee in plain language.
#[derive(Debug, serde::Serialize)]
struct Stated {
    #[serde(flatten)]
    signature: Signature,
    statement: String,
    #[serde(skip)]
    paragraphs: Vec<String>,
}

const HOLDS: &str = "holds";
const FAILS: &str = "does not hold";
const UNDECIDED: &str = "undecided";

impl Claim {
    fn words(&self, place: &str) -> String {
        let claim = format!("ε ≤ {} {place}", shortest(self.at_most));
        match self.verdict {
            HOLDS => format!("{claim} is proven to hold"),
            FAILS => format!("{claim} is proven not to hold"),
            _ => format!("{claim} can be neither proven nor refuted"),
        }
    }
}

impl AnswerReport {
    pub(crate) fn new(mechanism: &Mechanism, relation: Relation, answer: &Answer, elapsed: Duration) -> Self {
        let (query, delta, epsilon) = match answer.unknown() {
            Unknown::Delta { epsilon } => ("delta", None, Some(epsilon)),
            Unknown::Epsilon { delta } => ("epsilon", Some(delta), None),
            // No command asks for it by itself.
            Unknown::TruePositives { .. } => ("true-positives", None, None),
        };
        let asked = Asked::new(query, mechanism, relation);
        let answered = Answered::new(answer, elapsed);
        Self { asked, delta, epsilon, answered, claim: None, stated: None }
    }

    /// With a claim about ε, and what is proven of it.
    pub(crate) fn claiming(self, at_most: f64, verdict: Verdict) -> Self {
        let verdict = match verdict {
            Verdict::Meets => HOLDS,
            Verdict::Misses => FAILS,
            Verdict::Undecided => UNDECIDED,
        };
        Self { claim: Some(Claim { at_most, verdict }), ..self }
    }

    /// Why the claim may not be made, unless it holds.
    pub(crate) fn refutation(&self) -> Option<String> {
        let claim = self.claim.as_ref().filter(|claim| claim.verdict != HOLDS)?;
        Some(claim.words(&self.place()))
    }

    /// With the guarantee in plain language.
    pub(crate) fn stating(self, signature: Signature, paragraphs: Vec<String>) -> Self {
        let statement = paragraphs.join("\n\n");
        Self { stated: Some(Stated { signature, statement, paragraphs }), ..self }
    }

    fn place(&self) -> String {
        self.delta.map_or(String::new(), |delta| format!("at δ = {}", shortest(delta)))
    }
}

impl Report for AnswerReport {
    fn page(&self) -> Page {
        if let Some(stated) = &self.stated {
            return Page { prose: stated.paragraphs.clone(), ..Page::default() };
        }
        // δ spans hundreds of orders of magnitude, ε hardly any.
        let (unknown, notation, given) = match (self.delta, self.epsilon) {
            (Some(delta), _) => ("ε", Notation::Plain, format!("δ = {}", shortest(delta))),
            (None, epsilon) => {
                ("δ", Notation::Scientific, format!("ε = {}", shortest(epsilon.unwrap_or_default())))
            }
        };
        let answered = &self.answered;
        let shown = shown(answered.guarantee, answered.lower, answered.upper, notation);
        let mut facts = vec![match shown.at_most {
            Some(upper) => Fact::value("quote", format!("{unknown} ≤ {upper} at {given}")),
            None => Fact::value("question", format!("{unknown} at {given}")),
        }];
        facts.extend(self.claim.as_ref().map(|claim| Fact::words("claim", claim.words(&self.place()))));
        facts.extend(answered.facts());
        facts.extend(self.asked.facts());
        facts.extend(answered.remarks());
        Page { headline: format!("{unknown} {}", shown.relation), facts, ..Page::default() }
    }

    fn csv(&self) -> String {
        let (given, value) = match (self.delta, self.epsilon) {
            (Some(delta), _) => ("delta", Some(delta)),
            (None, epsilon) => ("epsilon", epsilon),
        };
        let given = [(given, csv::number(value))];
        let mut fields: Vec<_> =
            self.asked.fields().into_iter().chain(given).chain(self.answered.fields()).collect();
        if let Some(claim) = &self.claim {
            fields.push(("at_most", csv::number(Some(claim.at_most))));
            fields.push(("verdict", claim.verdict.to_owned()));
        }
        if let Some(stated) = &self.stated {
            fields.push(("unit", stated.signature.unit.clone()));
            fields.push(("digest", stated.signature.digest.clone()));
            fields.push(("statement", stated.statement.clone()));
        }
        csv::row(fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Format;
    use hockeystick::{engine::Budget, pair::Direction, query::Guarantee};

    /// What a method without a lower end reports.
    fn upper_bound(guarantee: Guarantee) -> AnswerReport {
        AnswerReport {
            asked: Asked {
                query: "epsilon",
                expression: "zcdp(rho=0.5)".to_owned(),
                relation: Relation::AddRemove,
            },
            delta: Some(1e-5),
            epsilon: None,
            answered: Answered {
                lower: None,
                upper: 2.25,
                guarantee,
                method: "rdp",
                direction: Direction::Remove,
                budget: Budget::default(),
                elapsed_ms: 0.5,
                shortfall: None,
                notes: vec![],
            },
            claim: None,
            stated: None,
        }
    }

    #[test]
    fn an_estimate_offers_nothing_to_quote() {
        let written = upper_bound(Guarantee::Estimate).written(Format::Text);
        assert!(written.starts_with("ε ≈ 2.250000000\n") && !written.contains('≤'), "{written}");
    }

    #[test]
    fn an_upper_bound_is_not_an_equation() {
        let written = upper_bound(Guarantee::UpperBound).written(Format::Text);
        assert!(written.starts_with("ε ≤ 2.25\n") && !written.contains("ε ="), "{written}");
    }

    #[test]
    fn a_very_long_expression_is_clipped() {
        let mut report = upper_bound(Guarantee::UpperBound);
        report.asked.expression = "gdp(mu=1) + ".repeat(10_000);
        assert!(report.written(Format::Text).len() < 1000);
    }

    #[test]
    fn an_answer_without_a_lower_end_says_null() {
        assert_eq!(
            upper_bound(Guarantee::UpperBound).written(Format::Json),
            concat!(
                r#"{"schema_version":1,"hockeystick_version":""#,
                env!("CARGO_PKG_VERSION"),
                r#"","query":"epsilon","expression":"zcdp(rho=0.5)","relation":"add-remove","delta":0.00001,"lower":null,"upper":2.25,"guarantee":"upper-bound","method":"rdp","direction":"remove","budget":{"discretisation":0.0,"aliasing":0.0,"truncation":0.0,"quadrature":0.0,"roundoff":0.0},"elapsed_ms":0.5}"#
            )
        );
    }

    #[test]
    fn a_missing_lower_end_is_an_empty_field() {
        let written = upper_bound(Guarantee::UpperBound).written(Format::Csv);
        let row = written.lines().nth(1).unwrap();
        assert!(row.starts_with("epsilon,zcdp(rho=0.5),add-remove,0.00001,,2.25,upper-bound,rdp,"), "{row}");
    }
}
