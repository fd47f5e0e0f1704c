//! Binomial noise on the integers.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// Adds independent Binomial(n, p) noise to each coordinate of a whole answer.
///
/// Worst-case pair: the noise and the noise moved by the sensitivity \[Koskela et al. 2021, Section 6.2 and
/// Theorem 11\]. Their supports differ, so the privacy loss is infinite with positive probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binomial {
    n: u64,
    p: f64,
    sensitivity: u64,
    dimension: u64,
}

impl Binomial {
    /// The sum of `n` fair coins, on one answer of sensitivity 1.
    pub fn new(n: u64) -> Result<Self, InvalidParameter> {
        let trials = check::of::<Self>("n");
        Ok(Self { n: trials.whole(n, 1, MAX_COUNT)?, p: 0.5, sensitivity: 1, dimension: 1 })
    }

    /// The same with coins that come up with probability `p`.
    pub fn with_probability(self, p: f64) -> Result<Self, InvalidParameter> {
        let coin = check::of::<Self>("p");
        Ok(Self { p: coin.above_zero_below_one(p)?, ..self })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: u64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").whole(sensitivity, 1, MAX_COUNT)?, ..self })
    }

    /// The same noise on every coordinate of an answer with `dimension` of them.
    pub fn with_dimension(self, dimension: u64) -> Result<Self, InvalidParameter> {
        let size = check::of::<Self>("dimension");
        Ok(Self { dimension: size.whole(dimension, 1, MAX_COUNT)?, ..self })
    }

    /// The number of coins.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The probability of each coin.
    pub fn p(&self) -> f64 {
        self.p
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    /// The number of coordinates of the answer.
    pub fn dimension(&self) -> u64 {
        self.dimension
    }
}

impl Described for Binomial {
    const NAME: &'static str = "binomial";
    const MEANING: &'static str = "adds binomial noise on the integers";
    const PAIR: &'static str = "Binomial(n,p) + s / Binomial(n,p) [Koskela21, 6.2, Thm 11]";
    const EXAMPLE: &'static str = "binomial(n=1000)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("n", Kind::Whole, "number of coins that are summed"),
        Parameter::optional("p", Kind::Number, 0.5, "probability of each coin"),
        Parameter::sensitivity(Kind::Whole),
        Parameter::optional("dimension", Kind::Whole, 1.0, "number of coordinates of the answer"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.whole("n")?)?
            .with_probability(arguments.number("p")?)?
            .with_sensitivity(arguments.whole("sensitivity")?)?
            .with_dimension(arguments.whole("dimension")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("n", Value::Whole(self.n)),
            ("p", Value::Number(self.p)),
            ("sensitivity", Value::Whole(self.sensitivity)),
            ("dimension", Value::Whole(self.dimension)),
        ]
    }
}
