//! Moments of which only a parabola is known.

use super::LogMoment;
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

/// Any ρ-zCDP mechanism: `D_α ≤ ρα` for all `α > 1`, in both directions ([Sommer19, Def. 9] with ξ = 0 and the range of α
/// corrected; Bun and Steinke 2016, Def. 1.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZeroConcentrated {
    rho: f64,
}

impl ZeroConcentrated {
    /// For `ρ ≥ 0`.
    pub fn new(rho: f64) -> Self {
        Self { rho }
    }
}

impl LogMoment for ZeroConcentrated {
    /// `K(λ) = λ·D_{λ+1} ≤ ρλ(λ + 1)` for `λ > 0`. Below 0, `K` is convex with `K′(0) = D_1 ≤ ρ` by continuity, so
    /// `K(λ) ≥ ρλ`; by the other direction also `K(λ) ≥ −ρ(λ + 1)`.
    fn log_moment(&self, lambda: f64) -> Enclosure {
        let (rho, lambda) = (Ball::from(self.rho), Ball::from(lambda));
        let one_more = lambda + Ball::ONE;
        if lambda.approximate() >= 0.0 {
            let bound = (rho * lambda * one_more).enclosure().upper();
            return Enclosure::new(0.0, bound);
        }
        let floor = (rho * lambda).enclosure().lower().max((-(rho * one_more)).enclosure().lower());
        Enclosure::new(floor.min(0.0), 0.0)
    }

    fn kullback_leibler(&self) -> Enclosure {
        Enclosure::new(0.0, self.rho)
    }

    fn log_finite_mass(&self) -> Enclosure {
        Enclosure::ZERO
    }

    fn largest_order(&self) -> f64 {
        f64::INFINITY
    }

    fn largest_loss(&self) -> f64 {
        if self.rho == 0.0 { 0.0 } else { f64::INFINITY }
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn near(&self, _lambda: f64) -> Box<dyn Fn(f64) -> f64 + '_> {
        Box::new(|lambda| self.rho * lambda * (lambda + 1.0))
    }
}
