//! Sampling of a fixed number of records.

use std::borrow::Cow;

use super::nested::Nested;
use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, Mechanism, Parameter, Value, check,
};

/// Runs a mechanism on a sample of fixed size, drawn without replacement; `rate` is its size over the
/// number of records \[Zhu, Dong, Wang 2022, Proposition 30 and Corollary 32\].
#[derive(Debug, Clone, PartialEq)]
pub struct Subset {
    pub(super) mechanism: Nested,
    rate: f64,
}

impl Subset {
    /// Runs `mechanism` on a sample.
    pub fn new(mechanism: impl Into<Mechanism>, rate: f64) -> Result<Self, InvalidParameter> {
        let rate = check::of::<Self>("rate").above_zero_to_one(rate)?;
        Ok(Self { mechanism: Nested::new(mechanism.into()), rate })
    }

    /// The mechanism that runs on the sample.
    pub fn mechanism(&self) -> &Mechanism {
        self.mechanism.get()
    }

    /// Size of the sample over the number of records.
    pub fn rate(&self) -> f64 {
        self.rate
    }
}

impl Described for Subset {
    const NAME: &'static str = "subset";
    const MEANING: &'static str = "runs a mechanism on a sample of fixed size";
    const PAIR: &'static str = "sampled without replacement [Zhu22, Prop. 30, Cor. 32]";
    const EXAMPLE: &'static str = "subset(gaussian(sigma=1), rate=0.01)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("mechanism", Kind::Mechanism, "mechanism that runs on the sample"),
        Parameter::required(
            "rate",
            Kind::Number,
            "fraction of the records in the sample: batch size / records",
        ),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.mechanism("mechanism")?, arguments.number("rate")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("mechanism", Value::Mechanism(Cow::Borrowed(self.mechanism()))),
            ("rate", Value::Number(self.rate)),
        ]
    }
}
