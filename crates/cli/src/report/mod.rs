//! Answers, ready to be written in any format.

mod answer;
mod answered;
mod comparison;
pub(crate) mod csv;
mod expression;
pub(crate) mod json;
mod page;
mod wrap;

pub(crate) use crate::shortest::shortest;
pub(crate) use answer::AnswerReport;
pub(crate) use answered::{Answered, Asked, Traced, causes};
pub(crate) use comparison::ComparisonReport;
pub(crate) use expression::expression;
pub(crate) use page::{Fact, Page, Table};

use crate::style::Style;
use hockeystick::query::Guarantee;
use hockeystick_digits::{Bounds, Notation, Shown};
use hockeystick_numerics::enclosure::Enclosure;
use std::time::Duration;

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people: intervals in as few digits as will do
    #[default]
    Text,
    /// One JSON object on one line: shortest doubles that read back the same, "inf" for infinity
    Json,
    /// A header and rows
    Csv,
    /// A table for a document
    Markdown,
}

/// What a command has to say, in every format. The names and the order of the fields are those of the JSON form.
pub(crate) trait Report: serde::Serialize {
    /// For people.
    fn page(&self) -> Page;

    /// A header and rows.
    fn csv(&self) -> String;

    fn written(&self, format: Format) -> String {
        match format {
            Format::Text => self.page().text(Style::of_output()),
            Format::Markdown => self.page().markdown(),
            Format::Json => json::document(self),
            Format::Csv => self.csv(),
        }
    }
}

/// Bounds of a number.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Between {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

impl Between {
    pub(crate) fn of(bounds: Enclosure) -> Self {
        Self { lower: bounds.lower(), upper: bounds.upper() }
    }

    /// The interval in a table.
    pub(crate) fn shown(self, notation: Notation) -> String {
        cell(&shown(Guarantee::Certified, Some(self.lower), self.upper, notation))
    }
}

/// An interval in words.
pub(crate) fn shown(guarantee: Guarantee, lower: Option<f64>, upper: f64, notation: Notation) -> Shown {
    Bounds::of(guarantee == Guarantee::Estimate, lower, upper).shown(notation)
}

/// An interval in a table: without the sign of equality.
pub(crate) fn cell(shown: &Shown) -> String {
    shown.relation.strip_prefix("= ").unwrap_or(&shown.relation).to_owned()
}

/// Whole microseconds: more digits would be noise.
pub(crate) fn milliseconds(elapsed: Duration) -> f64 {
    elapsed.as_micros() as f64 / 1e3
}
