//! Axes: where numbers go, and which of them are written down.
//!
//! In: a label, a scale, and the numbers to be shown. Out: a [`Ruler`] that places numbers, and [`Tick`]s.
//!
//! # Guarantee
//! Only finite numbers that the scale can show make an axis longer. Every ruler has a positive length, so that places are finite.

mod ruler;
mod ticks;

pub(crate) use ruler::Ruler;
pub(crate) use ticks::{Tick, plain};

/// How numbers are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    Linear,
    /// Equal ratios have equal lengths; numbers that are not positive cannot be shown.
    Logarithmic,
}

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

    /// The places to be written down, about `labels` of them: names if there are any, and nothing where there is nothing to show.
    pub(crate) fn ticks(&self, ruler: &Ruler, labels: f64) -> Vec<Tick> {
        if self.names.is_empty() {
            return ruler.ticks(labels);
        }
        let named = self.names.iter().enumerate();
        named
            .map(|(position, name)| Tick { at: ruler.share(position as f64), label: Some(name.clone()) })
            .collect()
    }
}

impl Scale {
    /// Can this number be shown?
    pub(crate) fn shows(self, value: f64) -> bool {
        match self {
            Self::Linear => value.is_finite(),
            Self::Logarithmic => value.is_finite() && value > 0.0,
        }
    }

    pub(crate) fn position(self, value: f64) -> f64 {
        match self {
            Self::Linear => value.clamp(-LARGEST, LARGEST),
            Self::Logarithmic => value.log10(),
        }
    }
}

/// Numbers beyond are drawn at this one, so that lengths of axes are finite.
const LARGEST: f64 = f64::MAX / 8.0;
