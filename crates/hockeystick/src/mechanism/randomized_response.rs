//! A yes or no that is sometimes flipped.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// How the noise of a [`RandomizedResponse`] was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ResponseParameter {
    /// The probability of answering truthfully.
    Truth(f64),
    /// ε, with truthful answers of probability e^ε / (1 + e^ε).
    Epsilon(f64),
}

/// Answers a yes-or-no question truthfully with probability p, and with the opposite otherwise.
///
/// Worst-case pair: the two outcomes with probabilities (p, 1−p) and (1−p, p). The parameter stays the one
/// that was given, so that no rounding enters on the way from one to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomizedResponse {
    parameter: ResponseParameter,
}

impl RandomizedResponse {
    /// Truthful answers have probability `p`.
    pub fn new(p: f64) -> Result<Self, InvalidParameter> {
        let subject = check::of::<Self>("p");
        Ok(Self { parameter: ResponseParameter::Truth(subject.above_zero_below_one(p)?) })
    }

    /// The odds of a truthful answer are e^`epsilon`.
    pub fn from_epsilon(epsilon: f64) -> Result<Self, InvalidParameter> {
        let subject = check::of::<Self>("epsilon");
        Ok(Self { parameter: ResponseParameter::Epsilon(subject.not_negative(epsilon)?) })
    }

    /// The parameter as it was given.
    pub fn parameter(&self) -> ResponseParameter {
        self.parameter
    }
}

impl Described for RandomizedResponse {
    const NAME: &'static str = "randomized_response";
    const MEANING: &'static str = "answers yes or no, sometimes flipped";
    const PAIR: &'static str = "(p, 1-p) / (1-p, p) on two outcomes";
    const EXAMPLE: &'static str = "randomized_response(p=0.75)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::alternative("p", Kind::Number, "probability of answering truthfully"),
        Parameter::alternative("epsilon", Kind::Number, "log of the odds of a truthful answer"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        match (arguments.given_number("p"), arguments.given_number("epsilon")) {
            (Some(p), None) => Ok(Self::new(p)?),
            (None, Some(epsilon)) => Ok(Self::from_epsilon(epsilon)?),
            (Some(_), Some(_)) => Err(arguments.conflict("epsilon", "p")),
            (None, None) => Err(arguments.missing("p or epsilon")),
        }
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        match self.parameter {
            ResponseParameter::Truth(p) => vec![("p", Value::Number(p))],
            ResponseParameter::Epsilon(epsilon) => vec![("epsilon", Value::Number(epsilon))],
        }
    }
}
