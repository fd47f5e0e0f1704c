//! One of the sums of a filter, and the theorem behind it.

use super::{Amounts, orders::orders};
use crate::{engine::moments::Conversion, mechanism::Gdp, query::Query};
use hockeystick_numerics::{enclosure::Enclosure, rounding::sqrt_up};
use std::fmt;

/// A theorem about mechanisms that are chosen adaptively.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Theorem {
    /// `Σε ≤ ε` and `Σδ ≤ δ` ([Rogers, Roth, Ullman, Vadhan 2016]).
    Sum,
    /// `Σμ² ≤ μ²` ([Smith, Thakurta 2022; Koskela, Tobaben, Honkela 2022]).
    Gaussian,
    /// `Σρ ≤ ρ` ([Feldman, Zrnic 2021], at all orders at once).
    Concentrated,
    /// The sum of log moments at one order ([Feldman, Zrnic 2021]).
    Renyi {
        /// `α − 1`.
        lambda: f64,
    },
}

impl Theorem {
    /// The Rényi filter, whatever its orders are.
    pub const RENYI: Self = Self::Renyi { lambda: 1.0 };

    /// Its name, whatever the order.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Gaussian => "gaussian",
            Self::Concentrated => "concentrated",
            Self::Renyi { .. } => "renyi",
        }
    }

    /// The theorem of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Sum, Self::Gaussian, Self::Concentrated, Self::RENYI]
            .into_iter()
            .find(|theorem| theorem.name() == name)
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum => f.write_str("the sum of ε and δ"),
            Self::Gaussian => f.write_str("the Gaussian filter Σμ²"),
            Self::Concentrated => f.write_str("the sum of ρ"),
            Self::Renyi { lambda } => write!(f, "the Rényi filter of order 1 + {lambda}"),
        }
    }
}

/// A theorem with its share of δ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard {
    /// What adds up.
    pub theorem: Theorem,
    /// Its part of the budget's δ, rounded down, and 0 where that is too small for a double; none where the budget is a μ or a ρ.
    pub delta: Option<f64>,
}

/// The part of δ that each theorem keeps that does not lead. Halving it costs the others `log 2/λ` of ε, doubling it costs the leading
/// Gaussian filter 0.05 % of its uses.
const MINOR: f64 = 1.0 / 256.0;

impl Guard {
    /// The guard of a budget that has no δ.
    pub(super) fn alone(theorem: Theorem) -> Self {
        Self { theorem, delta: None }
    }

    /// All guards of a budget; their shares add up to at most δ.
    pub(super) fn of_budget(epsilon: f64, delta: f64, lead: Theorem) -> Vec<Self> {
        if delta == 0.0 || epsilon == 0.0 {
            return vec![Self { theorem: Theorem::Sum, delta: Some(delta) }];
        }
        let share = |theorem: Theorem| {
            let part = if theorem.name() == lead.name() { 1.0 - 2.0 * MINOR } else { MINOR };
            (Enclosure::point(delta) * part).lower()
        };
        let of = |theorem: Theorem| Self { theorem, delta: Some(share(theorem)) };
        let renyi = orders(epsilon, delta).map(|(lambda, part)| Self {
            theorem: Theorem::Renyi { lambda },
            delta: Some((Enclosure::point(share(Theorem::RENYI)) * part).lower()),
        });
        [of(Theorem::Sum), of(Theorem::Gaussian)].into_iter().chain(renyi).collect()
    }

    /// The smallest ε, μ or ρ that the sums come to, at the guard's share of δ; `position` is that of a Rényi guard among those.
    ///
    /// # Guarantee
    /// Rounded up; infinite where there is none.
    pub(super) fn value(&self, spent: &Amounts, position: usize) -> f64 {
        let mu = sqrt_up(spent.mu_squared);
        let value = match (self.theorem, self.delta) {
            (Theorem::Sum, delta) if spent.delta <= delta.unwrap_or(0.0) => spent.epsilon,
            (Theorem::Sum, _) => f64::INFINITY,
            (Theorem::Concentrated, _) => spent.rho,
            (Theorem::Gaussian, None) => mu,
            (Theorem::Gaussian, Some(delta)) => gaussian_epsilon(mu, delta),
            (Theorem::Renyi { lambda }, delta) => match spent.log_moments[position] {
                k if k.is_finite() => Conversion::Standard.epsilon(lambda, k, delta.unwrap_or(0.0)),
                _ => f64::INFINITY,
            },
        };
        if value.is_nan() { f64::INFINITY } else { value.max(0.0) }
    }
}

/// `ε(δ)` of μ-GDP; of nothing it is 0, at every δ.
fn gaussian_epsilon(mu: f64, delta: f64) -> f64 {
    if mu == 0.0 {
        return 0.0;
    }
    let answer = Gdp::new(mu).ok().and_then(|gdp| Query::new(&gdp.into()).epsilon(delta).ok());
    answer.map_or(f64::INFINITY, |answer| answer.upper())
}
