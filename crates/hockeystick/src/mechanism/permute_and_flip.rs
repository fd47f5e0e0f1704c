//! Selection by flipping a coin for one candidate after the other.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Goes through the candidates in random order and stops at the first whose coin, biased by its score, comes up heads.
///
/// ε-DP \[McKenna, Sheldon 2020\], but not of bounded range ε: accounted for as any ε-DP mechanism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PermuteAndFlip {
    epsilon: f64,
}

impl PermuteAndFlip {
    /// The mechanism with this ε.
    pub fn new(epsilon: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { epsilon: check::of::<Self>("epsilon").positive(epsilon)? })
    }

    /// The ε of one selection.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }
}

impl Described for PermuteAndFlip {
    const NAME: &'static str = "permute_and_flip";
    const MEANING: &'static str = "selects a candidate by permute-and-flip";
    const PAIR: &'static str = "that of any ε-DP mechanism: randomised response";
    const EXAMPLE: &'static str = "permute_and_flip(epsilon=1)";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("epsilon", Kind::Number, "ε of one selection")];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("epsilon")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("epsilon", Value::Number(self.epsilon))]
    }
}
