//! Release by noisy distance to instability.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Releases a stable answer if its distance to instability, with Laplace noise, passes a threshold.
///
/// `epsilon` is the cost of the noisy distance, `delta` the chance that an unstable answer passes
/// \[Zhu, Dong, Wang 2022, Examples 14 and 16\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stability {
    epsilon: f64,
    delta: f64,
}

impl Stability {
    /// The mechanism with these parameters.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, InvalidParameter> {
        Ok(Self {
            epsilon: check::of::<Self>("epsilon").positive(epsilon)?,
            delta: check::of::<Self>("delta").above_zero_below_one(delta)?,
        })
    }

    /// Cost of the noisy distance.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// Chance that an unstable answer passes the threshold.
    pub fn delta(&self) -> f64 {
        self.delta
    }
}

impl Described for Stability {
    const NAME: &'static str = "stability";
    const MEANING: &'static str = "releases an answer if its noisy distance to instability is large";
    const PAIR: &'static str = "distance to instability [Zhu22, Ex. 14, 16]";
    const EXAMPLE: &'static str = "stability(epsilon=1, delta=1e-6)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("epsilon", Kind::Number, "cost of the noisy distance"),
        Parameter::required("delta", Kind::Number, "chance that an unstable answer passes the threshold"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("epsilon")?, arguments.number("delta")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("epsilon", Value::Number(self.epsilon)), ("delta", Value::Number(self.delta))]
    }
}
