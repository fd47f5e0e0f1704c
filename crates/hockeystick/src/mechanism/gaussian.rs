//! Gaussian noise on a real answer.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Adds noise N(0, σ²) to a real answer.
///
/// Worst-case pair: P = N(s, σ²), Q = N(0, σ²), with s the sensitivity in the Euclidean norm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gaussian {
    sigma: f64,
    sensitivity: f64,
}

impl Gaussian {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(sigma: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sigma: check::of::<Self>("sigma").positive(sigma)?, sensitivity: 1.0 })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").positive(sensitivity)?, ..self })
    }

    /// Standard deviation of the noise.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }
}

impl Described for Gaussian {
    const NAME: &'static str = "gaussian";
    const MEANING: &'static str = "adds Gaussian noise";
    const PAIR: &'static str = "N(s,σ²) / N(0,σ²)";
    const EXAMPLE: &'static str = "gaussian(sigma=1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("sigma", Kind::Number, "standard deviation of the noise"),
        Parameter::sensitivity(Kind::Number),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("sigma")?)?;
        Ok(unit.with_sensitivity(arguments.number("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("sigma", Value::Number(self.sigma)), ("sensitivity", Value::Number(self.sensitivity))]
    }
}
