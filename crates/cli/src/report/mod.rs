//! An answer, ready to be written in any format.

mod comparison;
pub(crate) mod csv;
mod json;
mod page;
mod text;
mod wrap;

pub(crate) use comparison::ComparisonReport;
pub(crate) use page::{Fact, Page, Table};
pub(crate) use text::{expression, shortest};

use crate::{
    decimal::{Bounds, Notation, Shown},
    style::Style,
};
use hockeystick::{
    Answer,
    engine::Budget,
    mechanism::{Mechanism, Relation},
    pair::Direction,
    query::{Guarantee, Unknown},
};
use std::time::Duration;

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people: only digits that are certain
    #[default]
    Text,
    /// One JSON object on one line: shortest doubles that read back the same
    Json,
    /// A header and rows
    Csv,
    /// A table for a document
    Markdown,
}

/// An interval in the digits that are certain.
pub(crate) fn shown(guarantee: Guarantee, lower: Option<f64>, upper: f64, notation: Notation) -> Shown {
    let bounds = match (guarantee, lower) {
        (Guarantee::Estimate, _) => Bounds::About(upper),
        (Guarantee::Certified | Guarantee::UpperBound, Some(lower)) => Bounds::Between(lower, upper),
        (Guarantee::Certified | Guarantee::UpperBound, None) => Bounds::AtMost(upper),
    };
    bounds.shown(notation)
}

/// An interval in a table: without the sign of equality.
pub(crate) fn cell(shown: &Shown) -> String {
    shown.relation.strip_prefix("= ").unwrap_or(&shown.relation).to_owned()
}

/// Whole microseconds: more digits would be noise.
pub(crate) fn milliseconds(elapsed: Duration) -> f64 {
    elapsed.as_micros() as f64 / 1e3
}

/// An answer and its question. The names and the order of the fields are those of the JSON form.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Report {
    query: &'static str,
    expression: String,
    relation: Relation,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epsilon: Option<f64>,
    lower: Option<f64>,
    upper: f64,
    guarantee: Guarantee,
    method: &'static str,
    direction: Direction,
    budget: Budget,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortfall: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Report {
    pub(crate) fn new(mechanism: &Mechanism, relation: Relation, answer: &Answer, elapsed: Duration) -> Self {
        let (query, delta, epsilon) = match answer.unknown() {
            Unknown::Delta { epsilon } => ("delta", None, Some(epsilon)),
            Unknown::Epsilon { delta } => ("epsilon", Some(delta), None),
            // No command asks for it by itself.
            Unknown::TruePositives { .. } => ("true-positives", None, None),
        };
        Self {
            query,
            expression: mechanism.to_string(),
            relation,
            delta,
            epsilon,
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

    pub(crate) fn write(&self, format: Format) -> String {
        match format {
            Format::Text => text::page(self).text(Style::of_output()),
            Format::Json => json::write(self),
            Format::Csv => csv::write(self),
            Format::Markdown => text::page(self).markdown(),
        }
    }
}

#[cfg(test)]
impl Report {
    /// What a method without a lower end would report; none exists yet.
    fn upper_bound(guarantee: Guarantee) -> Self {
        Self {
            query: "epsilon",
            expression: "zcdp(rho=0.5)".to_owned(),
            relation: Relation::AddRemove,
            delta: Some(1e-5),
            epsilon: None,
            lower: None,
            upper: 2.25,
            guarantee,
            method: "rdp",
            direction: Direction::Remove,
            budget: Budget::default(),
            elapsed_ms: 0.5,
            shortfall: None,
            notes: vec![],
        }
    }
}
