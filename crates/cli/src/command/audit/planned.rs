//! How many trials an audit needs, in every format.

use crate::report::{Fact, Page, Report, csv, expression, shortest};
use hockeystick::mechanism::{Mechanism, Relation};
use hockeystick_audit::power::Expected;
use hockeystick_digits::{Notation, few_digits_down};

const DIGITS: i32 = 4;

#[derive(serde::Serialize)]
pub(super) struct PlanReport {
    query: &'static str,
    expression: String,
    relation: Relation,
    delta: f64,
    confidence: f64,
    /// The ε that is to be shown.
    wanted: f64,
    /// Trials on either side; left out if 2²⁴ are too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    trials: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fpr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
}

impl PlanReport {
    pub(super) fn new(
        claim: &Mechanism,
        relation: Relation,
        wanted: f64,
        delta: f64,
        confidence: f64,
        planned: Option<Expected>,
    ) -> Self {
        Self {
            query: "audit-plan",
            expression: claim.to_string(),
            relation,
            delta,
            confidence,
            wanted,
            trials: planned.map(|planned| planned.trials),
            fpr: planned.map(|planned| planned.false_positive_rate),
            expected: planned.map(|planned| planned.epsilon),
        }
    }

    pub(super) fn shortfall(&self) -> Option<String> {
        let reason = "no attack on the claim is expected to show this ε with 2²⁴ trials on either side; ask for a smaller one";
        self.trials.is_none().then(|| reason.to_owned())
    }
}

impl Report for PlanReport {
    fn page(&self) -> Page {
        let headline = match self.trials {
            Some(trials) => format!("about {trials} trials with the record and as many without it"),
            None => "no number of trials will do".to_owned(),
        };
        let mut facts = vec![
            Fact::value("to show", format!("ε ≥ {} at δ = {}", shortest(self.wanted), shortest(self.delta))),
            Fact::value("confidence", shortest(self.confidence)),
        ];
        if let (Some(rate), Some(expected)) = (self.fpr, self.expected) {
            facts.push(Fact::value(
                "attack",
                format!("the best one with FPR = {}", few_digits_down(rate, DIGITS, Notation::Plain)),
            ));
            facts.push(Fact::value(
                "expected",
                format!("ε ≥ {}", few_digits_down(expected, DIGITS, Notation::Plain)),
            ));
        }
        facts.push(Fact::value("guarantee", "estimate"));
        facts.push(Fact::value("relation", self.relation.to_string()));
        facts.push(expression(&self.expression));
        Page { headline, facts, ..Page::default() }
    }

    fn csv(&self) -> String {
        csv::row([
            ("query", self.query.to_owned()),
            ("expression", self.expression.clone()),
            ("relation", self.relation.to_string()),
            ("delta", csv::number(Some(self.delta))),
            ("confidence", csv::number(Some(self.confidence))),
            ("wanted", csv::number(Some(self.wanted))),
            ("trials", self.trials.map(|trials| trials.to_string()).unwrap_or_default()),
            ("fpr", csv::number(self.fpr)),
            ("expected", csv::number(self.expected)),
        ])
    }
}
