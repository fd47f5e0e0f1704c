//! Staircase noise on a real answer.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Adds noise whose density is a staircase with steps as long as the sensitivity of the answer (Geng and
/// Viswanath, 2014).
///
/// In units of the sensitivity the density is symmetric, constant up to γ, and falls by the factor e^{−ε} at γ,
/// γ + 1, γ + 2, …
///
/// Worst-case pair: the noise centred at 0 and at 1, on three losses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Staircase {
    epsilon: f64,
    gamma: f64,
}

impl Staircase {
    /// The mechanism that loses at most `epsilon`, with its first step at the share `gamma` of the sensitivity.
    pub fn new(epsilon: f64, gamma: f64) -> Result<Self, InvalidParameter> {
        let (fall, first) = (check::of::<Self>("epsilon"), check::of::<Self>("gamma"));
        Ok(Self { epsilon: fall.positive(epsilon)?, gamma: first.zero_to_one(gamma)? })
    }

    /// The log of the factor by which the density falls from step to step.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Where the first step ends, as a share of the sensitivity.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }
}

impl Described for Staircase {
    const NAME: &'static str = "staircase";
    const MEANING: &'static str = "adds staircase noise, with steps as long as the sensitivity";
    const PAIR: &'static str = "staircase at 0 / staircase at 1, on three losses (Geng and Viswanath 2014)";
    const EXAMPLE: &'static str = "staircase(epsilon=1, gamma=0.4)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("epsilon", Kind::Number, "log of the factor by which the density falls per step"),
        Parameter::required("gamma", Kind::Number, "share of the sensitivity at which the first step ends"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("epsilon")?, arguments.number("gamma")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("epsilon", Value::Number(self.epsilon)), ("gamma", Value::Number(self.gamma))]
    }
}
