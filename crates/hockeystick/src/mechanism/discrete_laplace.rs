//! Laplace noise on the integers.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// Adds whole noise x with probability proportional to exp(−|x|/b) to a whole answer: the two-sided geometric
/// mechanism.
///
/// Worst-case pair: the noise centred at 0 and at s, the whole sensitivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscreteLaplace {
    scale: f64,
    sensitivity: u64,
}

impl DiscreteLaplace {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(scale: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { scale: check::of::<Self>("scale").positive(scale)?, sensitivity: 1 })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: u64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").whole(sensitivity, 1, MAX_COUNT)?, ..self })
    }

    /// Scale b of the probabilities exp(-|x|/b), up to a factor.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }
}

impl Described for DiscreteLaplace {
    const NAME: &'static str = "discrete_laplace";
    const MEANING: &'static str = "adds Laplace (two-sided geometric) noise on the integers";
    const PAIR: &'static str = "discrete Laplace at 0 / at s, on the integers";
    const EXAMPLE: &'static str = "discrete_laplace(scale=1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required(
            "scale",
            Kind::Number,
            "scale b of the probabilities exp(-|x|/b), up to a factor",
        ),
        Parameter::sensitivity(Kind::Whole),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("scale")?)?;
        Ok(unit.with_sensitivity(arguments.whole("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("scale", Value::Number(self.scale)), ("sensitivity", Value::Whole(self.sensitivity))]
    }
}
