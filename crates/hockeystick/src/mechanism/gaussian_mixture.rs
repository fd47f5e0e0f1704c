//! Gaussian noise on a sum that moves by a random amount.

use std::borrow::Cow;

use super::decimal::Shortest;
use super::{ArgumentError, Arguments, Described, InvalidParameter, Kind, Parameter, Value, check};

/// How far the sum of the weights may be from 1: decimal weights rarely sum to 1 exactly.
const WEIGHT_TOLERANCE: f64 = 1e-9;

/// Adds noise N(0, σ²) to a sum that one change of the data moves by a random amount, as when groups of
/// records are sampled.
///
/// Worst-case pair: P = Σ wᵢ N(sᵢ, σ²), Q = N(0, σ²), with shifts sᵢ ≥ 0 that have the weights wᵢ.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianMixture {
    sigma: f64,
    shifts: Box<[f64]>,
    weights: Box<[f64]>,
}

impl GaussianMixture {
    /// The mechanism whose sum moves by `shifts[i]` with probability `weights[i]`.
    pub fn new(
        sigma: f64,
        shifts: impl Into<Vec<f64>>,
        weights: impl Into<Vec<f64>>,
    ) -> Result<Self, InvalidParameter> {
        let noise = check::of::<Self>("sigma");
        let shift = check::of::<Self>("shifts");
        let weight = check::of::<Self>("weights");
        let sigma = noise.positive(sigma)?;
        let shifts = each(shifts.into(), |value| shift.not_negative(value))?;
        let weights = each(weights.into(), |value| weight.not_negative(value))?;
        if shifts.is_empty() {
            return Err(shift.refuse("empty", "one or more numbers"));
        }
        if weights.len() != shifts.len() {
            let found = format!("a list of {}", weights.len());
            return Err(weight.refuse(found, format!("as long as shifts, which has {}", shifts.len())));
        }
        let total: f64 = weights.iter().sum();
        if (total - 1.0).abs() > WEIGHT_TOLERANCE {
            let found = format!("a list with sum {}", Shortest(total));
            return Err(weight.refuse(found, "a list with sum 1 (within 1e-9)"));
        }
        Ok(Self { sigma, shifts, weights })
    }

    /// The standard deviation of the noise.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The distances by which the sum can move.
    pub fn shifts(&self) -> &[f64] {
        &self.shifts
    }

    /// The probabilities of the shifts; their sum is 1 within 1e-9.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

fn each(
    values: Vec<f64>,
    check: impl Fn(f64) -> Result<f64, InvalidParameter>,
) -> Result<Box<[f64]>, InvalidParameter> {
    values.into_iter().map(check).collect()
}

impl Described for GaussianMixture {
    const NAME: &'static str = "gaussian_mixture";
    const MEANING: &'static str = "adds Gaussian noise to a sum that moves by a random amount";
    const PAIR: &'static str = "Σ wᵢ N(sᵢ,σ²) / N(0,σ²), sampled sums";
    const EXAMPLE: &'static str = r#"gaussian_mixture(sigma=1, shifts="0,1,2", weights="0.9,0.05,0.05")"#;
    const PARAMETERS: &'static [Parameter] = &[
        Parameter::required("sigma", Kind::Number, "standard deviation of the noise"),
        Parameter::required("shifts", Kind::Numbers, "distances by which the sum can move"),
        Parameter::required("weights", Kind::Numbers, "probabilities of the shifts"),
    ];

    fn from_arguments(arguments: &mut Arguments) -> Result<Self, ArgumentError> {
        let sigma = arguments.number("sigma")?;
        Ok(Self::new(sigma, arguments.numbers("shifts")?, arguments.numbers("weights")?)?)
    }

    fn arguments(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![
            ("sigma", Value::Number(self.sigma)),
            ("shifts", Value::Numbers(Cow::Borrowed(&self.shifts))),
            ("weights", Value::Numbers(Cow::Borrowed(&self.weights))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_must_fit_the_shifts_and_sum_to_one() {
        assert!(GaussianMixture::new(1.0, [0.0, 1.0, 2.0], [0.9, 0.05, 0.05]).is_ok());
        let refused = |shifts: &[f64], weights: &[f64]| {
            GaussianMixture::new(1.0, shifts, weights).unwrap_err().parameter
        };
        assert_eq!(refused(&[], &[]), "shifts");
        assert_eq!(refused(&[-1.0], &[1.0]), "shifts");
        assert_eq!(refused(&[0.0, 1.0], &[1.0]), "weights");
        assert_eq!(refused(&[0.0, 1.0], &[0.5, 0.4]), "weights");
        assert_eq!(refused(&[0.0, 1.0], &[1.5, -0.5]), "weights");
        assert_eq!(refused(&[0.0, 1.0], &[f64::NAN, 0.5]), "weights");
    }
}
