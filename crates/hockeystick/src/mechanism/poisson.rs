//! Poisson sampling.

use std::borrow::Cow;

use super::nested::Nested;
use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, Mechanism, Parameter, Value, check,
};

/// Runs a mechanism on a sample that holds each record independently with probability `rate`.
///
/// For the pair (P, Q) of the mechanism, the sampled pairs are ((1−q)Q + qP, Q) for removing a record and
/// (P, (1−q)P + qQ) for adding one, with q the rate \[Zhu, Dong, Wang 2022, Theorem 11\]. If a person has m records, a Gaussian sum moves by a binomial number of
/// sensitivities \[Ganesh 2024, arXiv 2401.10294\]. Batches of fixed
/// size and shuffled batches are not Poisson samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Poisson {
    pub(super) mechanism: Nested,
    rate: f64,
    records: u64,
}

impl Poisson {
    /// The most records of a person: the pair has one part more.
    pub const MOST_RECORDS: u64 = 64;

    /// Runs `mechanism` on a sample.
    pub fn new(mechanism: impl Into<Mechanism>, rate: f64) -> Result<Self, InvalidParameter> {
        let rate = check::of::<Self>("rate").above_zero_to_one(rate)?;
        Ok(Self { mechanism: Nested::new(mechanism.into()), rate, records: 1 })
    }

    /// The same where one person has up to so many records, each in the sample independently, and neighbours differ in all of them.
    pub fn with_records(self, records: u64) -> Result<Self, InvalidParameter> {
        Ok(Self { records: check::of::<Self>("records").whole(records, 1, Self::MOST_RECORDS)?, ..self })
    }

    /// The mechanism that runs on the sample.
    pub fn mechanism(&self) -> &Mechanism {
        self.mechanism.get()
    }

    /// Probability that a record is in the sample.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// How many records one person has at most.
    pub fn records(&self) -> u64 {
        self.records
    }
}

impl Described for Poisson {
    const NAME: &'static str = "poisson";
    const MEANING: &'static str = "runs a mechanism on a Poisson sample";
    const PAIR: &'static str = "(1-q)Q+qP / Q and P / (1-q)P+qQ [Zhu22, Thm 11]";
    const EXAMPLE: &'static str = "poisson(gaussian(sigma=1), rate=0.01)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("mechanism", Kind::Mechanism, "mechanism that runs on the sample"),
        Parameter::required(
            "rate",
            Kind::Number,
            "probability that a record is in the sample: expected batch size / records",
        ),
        Parameter::optional("records", Kind::Whole, 1.0, "number of records that one person has at most"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.mechanism("mechanism")?, arguments.number("rate")?)?
            .with_records(arguments.whole("records")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("mechanism", Value::Mechanism(Cow::Borrowed(self.mechanism()))),
            ("rate", Value::Number(self.rate)),
            ("records", Value::Whole(self.records)),
        ]
    }
}
