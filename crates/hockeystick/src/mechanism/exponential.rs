//! The exponential mechanism.

use super::{
    ArgumentError, Arguments, Described, InvalidParameter, Kind, MAX_COUNT, Parameter, Value, check,
};

/// What is known about the scores of an [`Exponential`] mechanism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ExponentialForm {
    /// Nothing but that the log-probabilities of the outcomes move within a range of length ε.
    BoundedRange {
        /// The length of the range.
        epsilon: f64,
    },
    /// The score is a counting query on n records.
    CountingQuery {
        /// The factor of the score in the exponent.
        epsilon_tilde: f64,
        /// The number of records.
        n: u64,
        /// The number of records that are counted.
        m: u64,
    },
}

/// Selects an outcome with probability proportional to the exponential of its score.
///
/// Worst-case pair: that of an ε-bounded-range mechanism, or for a counting query the one of
/// \[Koskela et al. 2021, Section 6.1\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    form: ExponentialForm,
}

impl Exponential {
    /// Any exponential mechanism of bounded range `epsilon`.
    pub fn new(epsilon: f64) -> Result<Self, InvalidParameter> {
        let range = check::of::<Self>("epsilon");
        Ok(Self { form: ExponentialForm::BoundedRange { epsilon: range.positive(epsilon)? } })
    }

    /// The exponential mechanism whose score counts `m` of `n` records.
    pub fn counting_query(epsilon_tilde: f64, n: u64, m: u64) -> Result<Self, InvalidParameter> {
        let factor = check::of::<Self>("epsilon_tilde");
        let records = check::of::<Self>("n");
        let counted = check::of::<Self>("m");
        let epsilon_tilde = factor.positive(epsilon_tilde)?;
        let n = records.whole(n, 1, MAX_COUNT)?;
        let m = counted.whole(m, 0, n)?;
        Ok(Self { form: ExponentialForm::CountingQuery { epsilon_tilde, n, m } })
    }

    /// What is known about the scores.
    pub fn form(&self) -> ExponentialForm {
        self.form
    }
}

impl Described for Exponential {
    const NAME: &'static str = "exponential";
    const MEANING: &'static str = "selects an outcome by its score";
    const PAIR: &'static str = "bounded range, or counting query [Koskela21, 6.1]";
    const EXAMPLE: &'static str = "exponential(epsilon=1)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::alternative("epsilon", Kind::Number, "length of the range of the log-probabilities"),
        Parameter::alternative("epsilon_tilde", Kind::Number, "factor of the score of a counting query"),
        Parameter::alternative("n", Kind::Whole, "number of records of a counting query"),
        Parameter::alternative("m", Kind::Whole, "number of records that a counting query counts"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let epsilon = arguments.given_number("epsilon");
        let factor = arguments.given_number("epsilon_tilde");
        let n = arguments.given_whole("n");
        let m = arguments.given_whole("m");
        match (epsilon, factor, n, m) {
            (Some(epsilon), None, None, None) => Ok(Self::new(epsilon)?),
            (Some(_), Some(_), _, _) => Err(arguments.conflict("epsilon_tilde", "epsilon")),
            (Some(_), None, Some(_), _) => Err(arguments.conflict("n", "epsilon")),
            (Some(_), None, None, Some(_)) => Err(arguments.conflict("m", "epsilon")),
            (None, Some(factor), Some(n), Some(m)) => Ok(Self::counting_query(factor, n, m)?),
            (None, None, None, None) => Err(arguments.missing("epsilon, or epsilon_tilde, n and m")),
            (None, None, _, _) => Err(arguments.missing("epsilon_tilde")),
            (None, Some(_), None, _) => Err(arguments.missing("n")),
            (None, Some(_), Some(_), None) => Err(arguments.missing("m")),
        }
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        match self.form {
            ExponentialForm::BoundedRange { epsilon } => vec![("epsilon", Value::Number(epsilon))],
            ExponentialForm::CountingQuery { epsilon_tilde, n, m } => vec![
                ("epsilon_tilde", Value::Number(epsilon_tilde)),
                ("n", Value::Whole(n)),
                ("m", Value::Whole(m)),
            ],
        }
    }
}
