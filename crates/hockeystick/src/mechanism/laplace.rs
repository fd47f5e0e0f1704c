//! Laplace noise on a real answer.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Adds noise of density exp(−|x|/b) / 2b to a real answer.
///
/// Worst-case pair: Laplace noise centred at 0 and at s, the sensitivity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Laplace {
    scale: f64,
    sensitivity: f64,
}

impl Laplace {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(scale: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { scale: check::of::<Self>("scale").positive(scale)?, sensitivity: 1.0 })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").positive(sensitivity)?, ..self })
    }

    /// Scale b of the noise density exp(-|x|/b) / 2b.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }
}

impl Described for Laplace {
    const NAME: &'static str = "laplace";
    const MEANING: &'static str = "adds Laplace noise";
    const PAIR: &'static str = "Laplace at 0 / Laplace at s";
    const EXAMPLE: &'static str = "laplace(scale=1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("scale", Kind::Number, "scale b of the noise density exp(-|x|/b) / 2b"),
        Parameter::sensitivity(Kind::Number),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("scale")?)?;
        Ok(unit.with_sensitivity(arguments.number("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("scale", Value::Number(self.scale)), ("sensitivity", Value::Number(self.sensitivity))]
    }
}
