//! Any mechanism known by its Gaussian privacy.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Any μ-GDP mechanism.
///
/// Worst-case pair: P = N(μ, 1), Q = N(0, 1) \[Dong, Roth, Su 2022\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gdp {
    mu: f64,
}

impl Gdp {
    /// The mechanism with these parameters.
    pub fn new(mu: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { mu: check::of::<Self>("mu").not_negative(mu)? })
    }

    /// Μ, the distance of the two unit Gaussians.
    pub fn mu(&self) -> f64 {
        self.mu
    }
}

impl Described for Gdp {
    const NAME: &'static str = "gdp";
    const MEANING: &'static str = "stands for any μ-GDP mechanism";
    const PAIR: &'static str = "N(μ,1) / N(0,1)";
    const EXAMPLE: &'static str = "gdp(mu=1)";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("mu", Kind::Number, "μ, the distance of the two unit Gaussians")];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("mu")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("mu", Value::Number(self.mu))]
    }
}
