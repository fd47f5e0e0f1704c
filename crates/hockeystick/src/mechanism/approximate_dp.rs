//! Any mechanism known only by its guarantee.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Any (ε, δ)-differentially private mechanism.
///
/// Worst-case pair: approximate randomised response, which reveals everything with probability δ and
/// otherwise answers truthfully with odds e^ε \[Kairouz, Oh, Viswanath 2015\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ApproximateDp {
    epsilon: f64,
    delta: f64,
}

impl ApproximateDp {
    /// Any (`epsilon`, `delta`)-differentially private mechanism; `delta` is 0 for pure privacy.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, InvalidParameter> {
        let loss = check::of::<Self>("epsilon");
        let slack = check::of::<Self>("delta");
        Ok(Self { epsilon: loss.not_negative(epsilon)?, delta: slack.not_negative_below_one(delta)? })
    }

    /// ε of the guarantee.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// δ of the guarantee.
    pub fn delta(&self) -> f64 {
        self.delta
    }
}

impl Described for ApproximateDp {
    const NAME: &'static str = "dp";
    const MEANING: &'static str = "stands for any (ε, δ)-DP mechanism";
    const PAIR: &'static str = "approximate randomised response";
    const EXAMPLE: &'static str = "dp(epsilon=1, delta=1e-6)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("epsilon", Kind::Number, "ε of the guarantee"),
        Parameter::optional("delta", Kind::Number, 0.0, "δ of the guarantee"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.number("epsilon")?, arguments.number("delta")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("epsilon", Value::Number(self.epsilon)), ("delta", Value::Number(self.delta))]
    }
}
