//! Random allocation: "balls and bins".

use std::borrow::Cow;

use super::nested::Nested;
use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, Mechanism, Parameter, Value, check,
};

/// Runs a mechanism in each of `steps` steps; a record takes part in exactly one of them, chosen uniformly at random, independently of all others.
///
/// That is what becomes of a data set that is cut into batches by assigning each record to a batch at random, once an epoch
/// \[Chua et al. 2024, arXiv 2412.16802; Feldman & Shenfeld 2025, arXiv 2502.08202\]. Which step it was is not published.
#[derive(Debug, Clone, PartialEq)]
pub struct Allocation {
    pub(super) mechanism: Nested,
    steps: u64,
}

impl Allocation {
    /// Runs `mechanism` in each of so many steps.
    pub fn new(mechanism: impl Into<Mechanism>, steps: u64) -> Result<Self, InvalidParameter> {
        let steps = check::of::<Self>("steps").whole(steps, 1, MOST_STEPS)?;
        Ok(Self { mechanism: Nested::new(mechanism.into()), steps })
    }

    /// The mechanism of one step.
    pub fn mechanism(&self) -> &Mechanism {
        self.mechanism.get()
    }

    /// The number of steps of which a record takes part in one.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}

/// With more steps δ has no digits left.
const MOST_STEPS: u64 = 1_000_000_000;

impl Described for Allocation {
    const NAME: &'static str = "allocation";
    const MEANING: &'static str = "runs a mechanism in many steps, a record in one of them at random";
    const PAIR: &'static str = "(1/t) sum of Q x ... x P x ... x Q / Q^t [Feldman25]";
    const EXAMPLE: &'static str = "allocation(gaussian(sigma=1), steps=100)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("mechanism", Kind::Mechanism, "mechanism of each step"),
        Parameter::required("steps", Kind::Whole, "number of steps, of which a record takes part in one"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        Ok(Self::new(arguments.mechanism("mechanism")?, arguments.whole("steps")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("mechanism", Value::Mechanism(Cow::Borrowed(self.mechanism()))),
            ("steps", Value::Whole(self.steps)),
        ]
    }
}
