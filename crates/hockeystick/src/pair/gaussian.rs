//! Gaussian noise: `N(s, σ²)` against `N(0, σ²)`.

use super::{
    Details, DominatingPair, LossLaw, Panel, Quadratic, RatioLaw, SharedPair, Tails, loss_law::normal,
};
use crate::mechanism::Gaussian;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, probability::Probability};
use std::{f64::consts::TAU, ops::RangeInclusive, sync::Arc};

/// `N(μ, 1)` against `N(0, 1)`: the loss is normal, `N(μ²/2, μ²)` under `P` and `N(−μ²/2, μ²)` under `Q`
/// ([Sommer19, Lemma 11]).
#[derive(Clone, Copy, Debug)]
pub(super) struct NormalPair {
    mu_squared: Ball,
    mu: Ball,
}

impl NormalPair {
    pub(super) fn new(mu_squared: Ball) -> Self {
        Self { mu_squared, mu: mu_squared.sqrt() }
    }
}

/// The law of the loss depends on `μ = s/σ` alone.
pub(super) fn pair(gaussian: &Gaussian) -> SharedPair {
    let mu = Ball::from(gaussian.sensitivity()) / Ball::from(gaussian.sigma());
    Arc::new(NormalPair { mu_squared: mu * mu, mu })
}

/// `log` of the standard normal density, times `factor`.
pub(super) fn log_standard_density(factor: f64) -> Quadratic {
    Quadratic { constant: (factor.ln()) - 0.5 * TAU.ln(), linear: 0.0, square: -0.5 }
}

impl DominatingPair for NormalPair {
    fn delta(&self, epsilon: Ball) -> Probability {
        normal::delta(self.mu, epsilon)
    }

    fn tails(&self, epsilon: Ball) -> Tails {
        Tails { p: normal::tail(self.mu, epsilon), q: normal::other_tail(self.mu, epsilon) }
    }

    fn infinite_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn vanishing_mass(&self) -> Probability {
        Probability::ZERO
    }

    fn finite_losses(&self) -> RangeInclusive<Enclosure> {
        Enclosure::point(f64::NEG_INFINITY)..=Enclosure::point(f64::INFINITY)
    }

    fn ratio_law(&self) -> RatioLaw {
        let mu = self.mu.approximate();
        let ratio = Quadratic { constant: -0.5 * self.mu_squared.approximate(), linear: mu, square: 0.0 };
        let line = Panel {
            from: f64::NEG_INFINITY,
            to: f64::INFINITY,
            log_q: log_standard_density(1.0),
            ratio: vec![(1.0, ratio)],
        };
        RatioLaw { panels: vec![line], ..RatioLaw::default() }
    }

    fn dual(&self) -> SharedPair {
        Arc::new(*self)
    }

    fn is_self_dual(&self) -> bool {
        true
    }

    fn details(&self) -> Option<&dyn Details> {
        Some(self)
    }
}

impl Details for NormalPair {
    fn loss_law(&self) -> Option<LossLaw> {
        Some(LossLaw::Normal { mu_squared: self.mu_squared })
    }
}
