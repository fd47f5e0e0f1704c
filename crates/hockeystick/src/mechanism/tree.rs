//! Tree aggregation: running sums with noise on a tree.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// Publishes all running sums of `steps` numbers by a binary tree: noise N(0, σ²) is added once to the sum of each dyadic block that is complete
/// \[Dwork, Naor, Pitassi, Rothblum 2010; Chan, Shi, Song 2011; Kairouz et al. 2021, arXiv 2103.00039\].
///
/// A record changes one step, and so at most ⌊log₂ steps⌋ + 1 blocks. The tree is begun anew by repeating the mechanism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tree {
    sigma: f64,
    steps: u64,
    sensitivity: f64,
}

impl Tree {
    /// A tree over so many steps, each of which a record changes by at most 1.
    pub fn new(sigma: f64, steps: u64) -> Result<Self, InvalidParameter> {
        let sigma = check::of::<Self>("sigma").positive(sigma)?;
        let steps = check::of::<Self>("steps").whole(steps, 1, MAX_COUNT)?;
        Ok(Self { sigma, steps, sensitivity: 1.0 })
    }

    /// The same for steps of another sensitivity.
    pub fn with_sensitivity(self, sensitivity: f64) -> Result<Self, InvalidParameter> {
        Ok(Self { sensitivity: check::of::<Self>("sensitivity").positive(sensitivity)?, ..self })
    }

    /// Standard deviation of the noise of each block.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The number of steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The largest change of a step under one change of the data, in the Euclidean norm.
    pub fn sensitivity(&self) -> f64 {
        self.sensitivity
    }
}

impl Described for Tree {
    const NAME: &'static str = "tree";
    const MEANING: &'static str = "publishes running sums with Gaussian noise on a binary tree";
    const PAIR: &'static str = "N(s sqrt(h),σ²) / N(0,σ²), h = floor(log2 steps) + 1";
    const EXAMPLE: &'static str = "tree(sigma=5, steps=1000)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("sigma", Kind::Number, "standard deviation of the noise of each block"),
        Parameter::required("steps", Kind::Whole, "number of steps, of which a record changes one"),
        Parameter::sensitivity(Kind::Number),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let unit = Self::new(arguments.number("sigma")?, arguments.whole("steps")?)?;
        Ok(unit.with_sensitivity(arguments.number("sensitivity")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("sigma", Value::Number(self.sigma)),
            ("steps", Value::Whole(self.steps)),
            ("sensitivity", Value::Number(self.sensitivity)),
        ]
    }
}
