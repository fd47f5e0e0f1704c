//! What an axis shows.

use super::scale::Scale;

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(crate) label: String,
    pub(crate) scale: Scale,
    pub(crate) range: Option<(f64, f64)>,
    pub(crate) included: Option<f64>,
    /// Written at 0, 1, 2, … in place of numbers.
    pub(crate) names: Vec<String>,
}

impl Axis {
    /// A linear axis as long as the data.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: None, included: None, names: vec![] }
    }

    /// A logarithmic axis as long as the data.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { scale: Scale::Logarithmic, ..Self::linear(label) }
    }

    /// Names in place of numbers, at 0, 1, 2, …
    pub fn named(label: impl Into<String>, names: Vec<String>) -> Self {
        let end = names.len() as f64 - 0.5;
        Self { names, ..Self::linear(label).between(-0.5, end) }
    }

    /// The part of the axis that is shown.
    pub fn between(self, from: f64, to: f64) -> Self {
        Self { range: Some((from, to)), ..self }
    }

    /// At least as long as to show this number.
    pub fn including(self, value: f64) -> Self {
        Self { included: Some(value), ..self }
    }
}
