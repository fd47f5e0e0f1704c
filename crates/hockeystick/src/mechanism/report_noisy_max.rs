//! Selection of the largest of several noisy scores.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Reports which of several scores is largest after adding Laplace or exponential noise, and nothing else.
///
/// ε-DP, and no tighter pair is proven for it: accounted for as any ε-DP mechanism. With Gumbel noise it is the
/// [`Exponential`](super::Exponential) mechanism, whose bounded range is tighter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReportNoisyMax {
    epsilon: f64,
}

impl ReportNoisyMax {
    /// The mechanism with this ε.
    pub fn new(epsilon: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { epsilon: check::of::<Self>("epsilon").positive(epsilon)? })
    }

    /// The ε of one selection.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }
}

impl Described for ReportNoisyMax {
    const NAME: &'static str = "report_noisy_max";
    const MEANING: &'static str = "selects the largest noisy score";
    const PAIR: &'static str = "that of any ε-DP mechanism: randomised response";
    const EXAMPLE: &'static str = "report_noisy_max(epsilon=1)";
    const PARAMETERS: &'static [Parameter] =
        &[Parameter::required("epsilon", Kind::Number, "ε of one selection")];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("epsilon")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("epsilon", Value::Number(self.epsilon))]
    }
}
