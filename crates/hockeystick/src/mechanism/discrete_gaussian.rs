//! Gaussian noise on the integers.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// Adds whole noise x with probability proportional to exp(−x²/2σ²) to a whole answer.
///
/// Worst-case pair: the noise centred at s, the whole sensitivity, and at 0. Note that σ is a parameter; the
/// standard deviation of the noise is slightly smaller.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscreteGaussian {
    sigma: f64,
    sensitivity: u64,
}

impl DiscreteGaussian {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(sigma: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sigma: check::of::<Self>("sigma").positive(sigma)?, sensitivity: 1 })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: u64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").whole(sensitivity, 1, MAX_COUNT)?, ..self })
    }

    /// Sigma of the probabilities exp(-x²/2σ²), up to a factor.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }
}

impl Described for DiscreteGaussian {
    const NAME: &'static str = "discrete_gaussian";
    const MEANING: &'static str = "adds Gaussian noise on the integers";
    const PAIR: &'static str = "discrete Gaussian at s / at 0, on the integers";
    const EXAMPLE: &'static str = "discrete_gaussian(sigma=1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("sigma", Kind::Number, "sigma of the probabilities exp(-x²/2σ²), up to a factor"),
        Parameter::sensitivity(Kind::Whole),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("sigma")?)?;
        Ok(unit.with_sensitivity(arguments.whole("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("sigma", Value::Number(self.sigma)), ("sensitivity", Value::Whole(self.sensitivity))]
    }
}
