//! What mechanisms add to the sums of a filter.

use crate::{
    engine::moments::RenyiCurve,
    error::Error,
    mechanism::Mechanism,
    pair::{Direction, LossLaw, Releases, SharedPair, loss_law::normal},
};
use hockeystick_numerics::{
    ball::Ball,
    enclosure::Enclosure,
    probability::Probability,
    rounding::{add_up, mul_up},
    special::normal_quantile,
};

/// The sums of a filter: an upper bound of each, infinite where the theorem says nothing about what was added.
#[derive(Clone, Debug, PartialEq)]
pub struct Amounts {
    /// Largest losses, ε.
    pub epsilon: f64,
    /// Probabilities of an infinite loss, δ.
    pub delta: f64,
    /// `μ²` of Gaussian differential privacy.
    pub mu_squared: f64,
    /// `ρ` of concentrated differential privacy.
    pub rho: f64,
    /// `λ·D_{λ+1}` at each order.
    pub log_moments: Vec<f64>,
}

impl Amounts {
    /// Of nothing, at so many orders.
    pub(super) fn nothing(orders: usize) -> Self {
        Self { epsilon: 0.0, delta: 0.0, mu_squared: 0.0, rho: 0.0, log_moments: vec![0.0; orders] }
    }

    /// The sums of both.
    ///
    /// # Guarantee
    /// At least the exact sums.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        self.with(other, add_up)
    }

    pub(super) fn max(&self, other: &Self) -> Self {
        self.with(other, f64::max)
    }

    /// Is no sum larger than the other's?
    pub fn is_at_most(&self, other: &Self) -> bool {
        let numbers = |amounts: &Self| {
            let first = [amounts.epsilon, amounts.delta, amounts.mu_squared, amounts.rho];
            first.into_iter().chain(amounts.log_moments.clone()).collect::<Vec<_>>()
        };
        numbers(self).iter().zip(numbers(other)).all(|(own, other)| *own <= other)
    }

    fn with(&self, other: &Self, join: fn(f64, f64) -> f64) -> Self {
        Self {
            epsilon: join(self.epsilon, other.epsilon),
            delta: join(self.delta, other.delta),
            mu_squared: join(self.mu_squared, other.mu_squared),
            rho: join(self.rho, other.rho),
            log_moments: (self.log_moments.iter().zip(&other.log_moments))
                .map(|(own, other)| join(*own, *other))
                .collect(),
        }
    }
}

/// What releases add in one direction.
pub(super) fn amounts_in(
    releases: &Releases<'_>,
    direction: Direction,
    orders: &[f64],
) -> Result<Amounts, Error> {
    let mut sum = Amounts::nothing(0);
    for part in releases.parts() {
        let one = match part.pair(direction) {
            Ok(pair) => of_pair(&pair),
            Err(Error::MomentsOnly { .. }) => of_moments(part.mechanism()),
            Err(error) => return Err(error),
        };
        let uses = part.count as f64;
        let times = |amount: f64| if amount == 0.0 { 0.0 } else { mul_up(amount, uses) };
        sum = sum.plus(&Amounts {
            epsilon: times(one.epsilon),
            delta: times(one.delta),
            mu_squared: times(one.mu_squared),
            rho: times(one.rho),
            log_moments: Vec::new(),
        });
    }
    let curve = RenyiCurve::compose(releases.moments(direction)?);
    let is_finite = curve.log_finite_mass().lower() == 0.0;
    let at =
        |lambda: &f64| if is_finite { curve.log_moment(*lambda).upper().max(0.0) } else { f64::INFINITY };
    sum.log_moments = orders.iter().map(at).collect();
    Ok(sum)
}

/// All that a pair says about one use, but for its log moments.
fn of_pair(pair: &SharedPair) -> Amounts {
    let largest = pair.finite_losses().end().upper().max(0.0);
    let infinite = pair.infinite_mass().value().upper();
    let (mu_squared, rho) = match (pair.loss_law(), pure(pair)) {
        (Some(LossLaw::Normal { mu_squared }), _) => {
            (mu_squared.enclosure().upper(), (mu_squared * Ball::from(0.5)).enclosure().upper())
        }
        (_, Some(epsilon)) => (mu_squared_of_pure(epsilon), mul_up(0.5 * epsilon, epsilon)),
        _ => (f64::INFINITY, f64::INFINITY),
    };
    Amounts { epsilon: largest, delta: infinite, mu_squared, rho, log_moments: Vec::new() }
}

/// The ε for which a pair is ε-DP in both directions, if there is one: what pure privacy says of μ and ρ is not true of a loss that is
/// bounded on one side only.
fn pure(pair: &SharedPair) -> Option<f64> {
    let losses = pair.finite_losses();
    let epsilon = losses.end().upper().max(-losses.start().lower()).max(0.0);
    let is_never = |probability: Probability| probability.value().upper() == 0.0;
    (epsilon.is_finite() && is_never(pair.infinite_mass()) && is_never(pair.vanishing_mass()))
        .then_some(epsilon)
}

/// Of what is known by its moments alone.
fn of_moments(mechanism: Option<&Mechanism>) -> Amounts {
    let rho = match mechanism {
        Some(Mechanism::Zcdp(zcdp)) => zcdp.rho(),
        _ => f64::INFINITY,
    };
    Amounts { epsilon: f64::INFINITY, delta: 0.0, mu_squared: f64::INFINITY, rho, log_moments: Vec::new() }
}

/// The smallest `μ²` for which pure ε-differential privacy is μ-GDP: `μ = 2Φ⁻¹(e^ε/(1 + e^ε))`.
///
/// The trade-off function of ε-DP has two straight pieces that meet at `c = 1/(1 + e^ε)` on the diagonal; a convex trade-off function
/// is below both if it is below their corner, that is, if its total variation distance is at least `1 − 2c = tanh(ε/2)`.
///
/// # Guarantee
/// `δ_μ(0) ≥ tanh(ε/2)` is proven; infinite where it could not be.
fn mu_squared_of_pure(epsilon: f64) -> f64 {
    if epsilon == 0.0 {
        return 0.0;
    }
    let exponential = Enclosure::point(epsilon).exp();
    if !exponential.upper().is_finite() {
        return f64::INFINITY;
    }
    let half_turn = Enclosure::point(epsilon).exp_m1() / (exponential + 1.0);
    let corner = (Enclosure::ONE / (exponential + 1.0)).midpoint();
    // Near ε = 0 the quantile of about ½ has lost its digits, and μ is √(2π)/2 times tanh(ε/2)·2 at least.
    let rough = if epsilon < 1e-3 { epsilon * ROOT_TWO_PI_OVER_TWO } else { -2.0 * normal_quantile(corner) };
    let mu = rough * (1.0 + SLACK);
    let distance = normal::delta(Ball::from(mu), Ball::ZERO).value();
    if distance.lower() >= half_turn.upper() { mul_up(mu, mu) } else { f64::INFINITY }
}

/// `√(2π)/2`, the slope of μ at ε = 0.
const ROOT_TWO_PI_OVER_TWO: f64 = 1.253_314_137_315_500_3;
/// Above the round-off of the quantile and of the proof.
const SLACK: f64 = 1e-11;
