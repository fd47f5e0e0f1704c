//! Uniform noise on a real answer.

use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// Adds noise that is uniform on an interval of the given width to a real answer.
///
/// Worst-case pair: the uniform densities on [0, width] and [s, s + width], with s the sensitivity. Where
/// only one of them is positive the privacy loss is infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Uniform {
    width: f64,
    sensitivity: f64,
}

impl Uniform {
    /// The mechanism for an answer of sensitivity 1.
    pub fn new(width: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { width: check::of::<Self>("width").positive(width)?, sensitivity: 1.0 })
    }

    /// The same noise on an answer of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").positive(sensitivity)?, ..self })
    }

    /// Width of the interval of the noise.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The largest change of the answer under one change of the data.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }
}

impl Described for Uniform {
    const NAME: &'static str = "uniform";
    const MEANING: &'static str = "adds uniform noise";
    const PAIR: &'static str = "uniform on [0,w] / uniform on [s,s+w], with mass at infinity";
    const EXAMPLE: &'static str = "uniform(width=10)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("width", Kind::Number, "width of the interval of the noise"),
        Parameter::sensitivity(Kind::Number),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("width")?)?;
        Ok(unit.with_sensitivity(arguments.number("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("width", Value::Number(self.width)), ("sensitivity", Value::Number(self.sensitivity))]
    }
}
