//! A mechanism composed with itself.

use std::borrow::Cow;

use super::nested::Nested;
use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Mechanism, Parameter, Value,
    check,
};

/// One mechanism composed `count` times with itself.
///
/// Any count can be written; [`Mechanism::validate`] refuses those outside 1 to 10¹⁵.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    pub(super) mechanism: Nested,
    count: u64,
}

impl Repeat {
    /// Repeats `mechanism`.
    pub fn new(mechanism: impl Into<Mechanism>, count: u64) -> Self {
        Self { mechanism: Nested::new(mechanism.into()), count }
    }

    /// The mechanism that is repeated.
    pub fn mechanism(&self) -> &Mechanism {
        self.mechanism.get()
    }

    /// How often it is run.
    pub fn count(&self) -> u64 {
        self.count
    }

    pub(super) fn check_count(count: u64) -> Result<u64, InvalidParameter> {
        check::of::<Self>("count").whole(count, 1, MAX_COUNT)
    }
}

/// Used in JSON; in text a repetition is written `A * k`, and `repeat` is no name in the catalogue.
impl Described for Repeat {
    const NAME: &'static str = "repeat";
    const MEANING: &'static str = "composes a mechanism with itself";
    const PAIR: &'static str = "the pair of the mechanism, composed";
    const EXAMPLE: &'static str = "gaussian(sigma=1) * 1000";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("mechanism", Kind::Mechanism, "mechanism that is repeated"),
        Parameter::required("count", Kind::Whole, "number of times the mechanism is run"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let count = Self::check_count(arguments.whole("count")?)?;
        Ok(Self::new(arguments.mechanism("mechanism")?, count))
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("mechanism", Value::Mechanism(Cow::Borrowed(self.mechanism()))),
            ("count", Value::Whole(self.count)),
        ]
    }
}
