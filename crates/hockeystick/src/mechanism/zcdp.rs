//! Any mechanism known by its zero-concentrated privacy.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Any ρ-zCDP mechanism: its Rényi divergence of every order α > 1 is at most ρα.
///
/// Only these moments are known; no pair of distributions dominates the whole class tightly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zcdp {
    rho: f64,
}

impl Zcdp {
    /// The mechanism with these parameters.
    pub fn new(rho: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { rho: check::of::<Self>("rho").not_negative(rho)? })
    }

    /// Ρ, the bound of the Rényi divergence of order α divided by α.
    pub fn rho(&self) -> f64 {
        self.rho
    }
}

impl Described for Zcdp {
    const NAME: &'static str = "zcdp";
    const MEANING: &'static str = "stands for any ρ-zCDP mechanism";
    const PAIR: &'static str = "moments only: Rényi divergence of order α at most ρα";
    const EXAMPLE: &'static str = "zcdp(rho=0.5)";
    const PARAMETERS: &'static [Parameter] = &[Parameter::required(
        "rho",
        Kind::Number,
        "ρ, the bound of the Rényi divergence of order α divided by α",
    )];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("rho")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("rho", Value::Number(self.rho))]
    }
}
