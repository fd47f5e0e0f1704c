//! Gaussian noise conditioned on an interval.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Adds Gaussian noise conditioned on [−bound, bound] to a real answer.
///
/// Worst-case pair: the noise centred at s, the sensitivity, and at 0. Their supports differ, so the
/// privacy loss is infinite with positive probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TruncatedGaussian {
    sigma: f64,
    bound: f64,
    sensitivity: f64,
}

impl TruncatedGaussian {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(sigma: f64, bound: f64) -> Result<Self, InvalidParameter> {
        Ok(Self {
            sigma: check::of::<Self>("sigma").positive(sigma)?,
            bound: check::of::<Self>("bound").positive(bound)?,
            sensitivity: 1.0,
        })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").positive(sensitivity)?, ..self })
    }

    /// Standard deviation of the noise before truncation.
    pub fn sigma(&self) -> f64 {
        self.sigma
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

impl Described for TruncatedGaussian {
    const NAME: &'static str = "truncated_gaussian";
    const MEANING: &'static str = "adds Gaussian noise conditioned on [-bound, bound]";
    const PAIR: &'static str = "truncated N(s,σ²) / truncated N(0,σ²), with mass at infinity";
    const EXAMPLE: &'static str = "truncated_gaussian(sigma=1, bound=10)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("sigma", Kind::Number, "standard deviation of the noise before truncation"),
        Parameter::required("bound", Kind::Number, "largest absolute value of the noise"),
        Parameter::sensitivity(Kind::Number),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("sigma")?, arguments.number("bound")?)?;
        Ok(unit.with_sensitivity(arguments.number("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("sigma", Value::Number(self.sigma)),
            ("bound", Value::Number(self.bound)),
            ("sensitivity", Value::Number(self.sensitivity)),
        ]
    }
}
