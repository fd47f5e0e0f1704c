//! Skellam noise on the integers.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// Adds the difference of two independent Poisson numbers of the same mean to a whole answer (Agarwal, Kairouz and Liu,
/// 2021).
///
/// The noise of several parties adds up to noise of the same kind. Worst-case pair: the noise centred at s, the whole
/// sensitivity, and at 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Skellam {
    variance: f64,
    sensitivity: u64,
}

impl Skellam {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(variance: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { variance: check::of::<Self>("variance").positive(variance)?, sensitivity: 1 })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: u64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").whole(sensitivity, 1, MAX_COUNT)?, ..self })
    }

    /// Variance of the noise: the sum of the means of both Poisson numbers.
    pub fn variance(&self) -> f64 {
        self.variance
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> u64 {
        self.sensitivity
    }
}

impl Described for Skellam {
    const NAME: &'static str = "skellam";
    const MEANING: &'static str = "adds the difference of two Poisson numbers on the integers";
    const PAIR: &'static str = "Skellam at s / at 0, on the integers";
    const EXAMPLE: &'static str = "skellam(variance=4)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("variance", Kind::Number, "variance of the noise, the sum of both Poisson means"),
        Parameter::sensitivity(Kind::Whole),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("variance")?)?;
        Ok(unit.with_sensitivity(arguments.whole("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("variance", Value::Number(self.variance)), ("sensitivity", Value::Whole(self.sensitivity))]
    }
}
