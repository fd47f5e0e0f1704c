//! Gaussian noise whose variance depends on the data.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Releases a Gaussian whose variance, not its mean, differs between neighbours, as when noise is
/// calibrated to the smooth sensitivity.
///
/// Worst-case pair: P = N(0, σ₁²), Q = N(0, σ₂²) \[Zhu, Dong, Wang 2022, Example 15\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GaussianVariance {
    sigma1: f64,
    sigma2: f64,
}

impl GaussianVariance {
    /// The mechanism with these parameters.
    pub fn new(sigma1: f64, sigma2: f64) -> Result<Self, InvalidParameter> {
        Ok(Self {
            sigma1: check::of::<Self>("sigma1").positive(sigma1)?,
            sigma2: check::of::<Self>("sigma2").positive(sigma2)?,
        })
    }

    /// Standard deviation on one dataset.
    pub fn sigma1(&self) -> f64 {
        self.sigma1
    }

    /// Standard deviation on its neighbour.
    pub fn sigma2(&self) -> f64 {
        self.sigma2
    }
}

impl Described for GaussianVariance {
    const NAME: &'static str = "gaussian_variance";
    const MEANING: &'static str = "adds Gaussian noise whose variance depends on the data";
    const PAIR: &'static str = "N(0,σ₁²) / N(0,σ₂²) [Zhu22, Ex. 15]";
    const EXAMPLE: &'static str = "gaussian_variance(sigma1=1, sigma2=1.1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("sigma1", Kind::Number, "standard deviation on one dataset"),
        Parameter::required("sigma2", Kind::Number, "standard deviation on its neighbour"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("sigma1")?, arguments.number("sigma2")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("sigma1", Value::Number(self.sigma1)), ("sigma2", Value::Number(self.sigma2))]
    }
}
