//! One of k categories that is sometimes replaced by another.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// Answers with the true one of k categories with probability e^ε / (e^ε + k − 1), and with each other one
/// with probability 1 / (e^ε + k − 1).
///
/// Worst-case pair: the answers for two different true categories, on k outcomes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KRandomizedResponse {
    categories: u64,
    epsilon: f64,
}

impl KRandomizedResponse {
    /// The mechanism on `categories` categories.
    pub fn new(categories: u64, epsilon: f64) -> Result<Self, InvalidParameter> {
        let size = check::of::<Self>("categories");
        let odds = check::of::<Self>("epsilon");
        Ok(Self { categories: size.whole(categories, 2, MAX_COUNT)?, epsilon: odds.positive(epsilon)? })
    }

    /// The number of categories.
    pub fn categories(&self) -> u64 {
        self.categories
    }

    /// The log of the odds of the true answer against any one other.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }
}

impl Described for KRandomizedResponse {
    const NAME: &'static str = "k_randomized_response";
    const MEANING: &'static str = "answers with one of k categories, sometimes a wrong one";
    const PAIR: &'static str = "two true categories, on k outcomes";
    const EXAMPLE: &'static str = "k_randomized_response(categories=10, epsilon=1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("categories", Kind::Whole, "number of possible answers"),
        Parameter::required(
            "epsilon",
            Kind::Number,
            "log of the odds of the true answer against any one other",
        ),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.whole("categories")?, arguments.number("epsilon")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("categories", Value::Whole(self.categories)), ("epsilon", Value::Number(self.epsilon))]
    }
}
