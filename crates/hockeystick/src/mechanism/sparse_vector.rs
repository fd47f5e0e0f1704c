//! Answers to a stream of threshold questions, paying for the positive ones.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Says for each of a stream of queries whether it is above a noisy threshold, until a set number were.
///
/// ε-DP as a whole, however many queries stay below \[Dwork, Roth 2014, Thm 3.25\]: accounted for as any ε-DP mechanism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SparseVector {
    epsilon: f64,
}

impl SparseVector {
    /// The mechanism with this ε.
    pub fn new(epsilon: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { epsilon: check::of::<Self>("epsilon").positive(epsilon)? })
    }

    /// The ε of the whole stream.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }
}

impl Described for SparseVector {
    const NAME: &'static str = "sparse_vector";
    const MEANING: &'static str = "answers threshold questions until a set number were positive";
    const PAIR: &'static str = "that of any ε-DP mechanism: randomised response";
    const EXAMPLE: &'static str = "sparse_vector(epsilon=1)";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("epsilon", Kind::Number, "ε of the whole stream")];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("epsilon")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("epsilon", Value::Number(self.epsilon))]
    }
}
