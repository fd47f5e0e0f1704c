//! Laplace noise conditioned on an interval.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Adds Laplace noise conditioned on [−bound, bound] to a real answer.
///
/// Worst-case pair: the noise centred at 0 and at s, the sensitivity. Their supports differ, so the privacy
/// loss is infinite with positive probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TruncatedLaplace {
    scale: f64,
    bound: f64,
    sensitivity: f64,
}

impl TruncatedLaplace {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(scale: f64, bound: f64) -> Result<Self, InvalidParameter> {
        Ok(Self {
            scale: check::of::<Self>("scale").positive(scale)?,
            bound: check::of::<Self>("bound").positive(bound)?,
            sensitivity: 1.0,
        })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").positive(sensitivity)?, ..self })
    }

    /// Scale of the noise before truncation.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Largest absolute value of the noise.
    pub fn bound(&self) -> f64 {
        self.bound
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }
}

impl Described for TruncatedLaplace {
    const NAME: &'static str = "truncated_laplace";
    const MEANING: &'static str = "adds Laplace noise conditioned on [-bound, bound]";
    const PAIR: &'static str = "truncated Laplace at 0 / at s, with mass at infinity";
    const EXAMPLE: &'static str = "truncated_laplace(scale=1, bound=10)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("scale", Kind::Number, "scale of the noise before truncation"),
        Parameter::required("bound", Kind::Number, "largest absolute value of the noise"),
        Parameter::sensitivity(Kind::Number),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("scale")?, arguments.number("bound")?)?;
        Ok(unit.with_sensitivity(arguments.number("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("scale", Value::Number(self.scale)),
            ("bound", Value::Number(self.bound)),
            ("sensitivity", Value::Number(self.sensitivity)),
        ]
    }
}
