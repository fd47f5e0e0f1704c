//! What every report has in common, under the names of the JSON form.

use super::{Fact, csv, milliseconds};
use hockeystick::{
    Answer,
    engine::Budget,
    mechanism::{Mechanism, Relation},
    pair::Direction,
    query::{Curves, Guarantee},
};
use std::time::Duration;

/// What was asked about.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Asked {
    pub(crate) query: &'static str,
    pub(crate) expression: String,
    pub(crate) relation: Relation,
}

impl Asked {
    pub(crate) fn new(query: &'static str, mechanism: &Mechanism, relation: Relation) -> Self {
        Self { query, expression: mechanism.to_string(), relation }
    }

    /// Its columns.
    pub(crate) fn fields(&self) -> Vec<(&'static str, String)> {
        vec![
            ("query", self.query.to_owned()),
            ("expression", self.expression.clone()),
            ("relation", self.relation.to_string()),
        ]
    }

    /// Relation and expression.
    pub(crate) fn facts(&self) -> [Fact; 2] {
        [Fact::value("relation", self.relation.to_string()), super::expression(&self.expression)]
    }
}

/// The answer to a question about one number.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Answered {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: f64,
    pub(crate) guarantee: Guarantee,
    pub(crate) method: &'static str,
    pub(crate) direction: Direction,
    pub(crate) budget: Budget,
    pub(crate) elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shortfall: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl Answered {
    pub(crate) fn new(answer: &Answer, elapsed: Duration) -> Self {
        Self {
            lower: answer.lower(),
            upper: answer.upper(),
            guarantee: answer.guarantee(),
            method: answer.method().name(),
            direction: answer.direction(),
            budget: answer.budget(),
            elapsed_ms: milliseconds(elapsed),
            shortfall: answer.shortfall().map(|shortfall| shortfall.to_string()),
            notes: answer.notes().to_vec(),
        }
    }

    /// Its columns.
    pub(crate) fn fields(&self) -> Vec<(&'static str, String)> {
        let number = |x: f64| csv::number(Some(x));
        let mut fields = vec![
            ("lower", csv::number(self.lower)),
            ("upper", number(self.upper)),
            ("guarantee", self.guarantee.name().to_owned()),
            ("method", self.method.to_owned()),
            ("direction", self.direction.to_string()),
        ];
        fields.extend(causes(self.budget).map(|(cause, part)| (cause, number(part))));
        fields.extend([
            ("elapsed_ms", number(self.elapsed_ms)),
            ("shortfall", self.shortfall.clone().unwrap_or_default()),
            ("notes", self.notes.join("; ")),
        ]);
        fields
    }

    /// What the numbers rest on.
    pub(crate) fn facts(&self) -> [Fact; 3] {
        [
            Fact::value("guarantee", self.guarantee.name()),
            Fact::value("method", self.method),
            Fact::value("direction", self.direction.to_string()),
        ]
    }

    /// What the reader should know.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = Fact> {
        let notes = self.notes.iter().map(|note| Fact::words("note", note));
        notes.chain(self.shortfall.iter().map(|reason| Fact::warning("not as asked", reason)))
    }
}

/// The parts of a half-width, by cause.
pub(crate) fn causes(budget: Budget) -> [(&'static str, f64); 5] {
    [
        ("discretisation", budget.discretisation),
        ("aliasing", budget.aliasing),
        ("truncation", budget.truncation),
        ("quadrature", budget.quadrature),
        ("roundoff", budget.roundoff),
    ]
}

/// What is said of a whole curve.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Traced {
    pub(crate) guarantee: Guarantee,
    pub(crate) method: &'static str,
    pub(crate) elapsed_ms: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl Traced {
    pub(crate) fn new(curves: &Curves<'_>, elapsed: Duration) -> Self {
        Self {
            guarantee: Guarantee::Certified,
            method: curves.method().name(),
            elapsed_ms: milliseconds(elapsed),
            notes: curves.notes(),
        }
    }

    /// The same where attacks are spoken of.
    pub(crate) fn of_attacks(curves: &Curves<'_>, elapsed: Duration) -> Self {
        Self { notes: curves.notes_on_attacks(), ..Self::new(curves, elapsed) }
    }

    /// What a curve and its question rest on.
    pub(crate) fn facts(&self, asked: &Asked) -> Vec<Fact> {
        let mut facts =
            vec![Fact::value("guarantee", self.guarantee.name()), Fact::value("method", self.method)];
        facts.extend(asked.facts());
        facts.extend(self.notes.iter().map(|note| Fact::words("note", note)));
        facts
    }
}
