//! The saddle point, and the estimate of δ or ε from it.

use super::{cumulants::Cumulants, point_masses::PointMasses};
use crate::engine::Goal;
use hockeystick_numerics::roots::{Tolerance, bracketed_root};
use std::f64::consts::TAU;

/// The laws of the parts as point masses, and what is asked of their composition.
pub(crate) struct Estimate {
    pub(super) cumulants: Cumulants,
    goal: Goal,
    pub(super) uses: f64,
    infinite: f64,
}

impl Estimate {
    /// Of parts with their counts. `infinite` is the mass at infinity of the composition.
    pub(crate) fn new(parts: Vec<(PointMasses, f64)>, goal: Goal, infinite: f64) -> Self {
        let uses = parts.iter().map(|(_, count)| count).sum();
        Self { cumulants: Cumulants::new(parts), goal, uses, infinite }
    }
}

/// The saddle point of `K(c) − cε − log c(c+1)`, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Saddle {
    /// The tilt c.
    pub(crate) tilt: f64,
    /// The ε of the question, or the estimated one.
    pub(crate) epsilon: f64,
    /// The finite part of δ there.
    pub(crate) delta: f64,
    /// The standard deviation of the composed loss under the tilt.
    pub(crate) deviation: f64,
    /// δ over `M(c)e^{−cε}`.
    pub(crate) delta_per_scale: f64,
}

/// The bracket of the search for the saddle point, and its tolerance in the logarithm.
const TILTS: (f64, f64) = (1e-3, 1e5);
const CLOSE: f64 = 0.005;

impl Estimate {
    /// The estimate at any tilt: `δ ≈ e^{K(c) − cε}/(c(c+1)√(2πV))` with `V = K″(c) + 1/c² + 1/(c+1)²`.
    fn at(&self, tilt: f64) -> Saddle {
        let [value, mean, variance] = self.cumulants.at(tilt);
        let (near, far) = (1.0 / tilt, 1.0 / (tilt + 1.0));
        let epsilon = match self.goal {
            Goal::Delta { epsilon } => epsilon,
            Goal::Epsilon { .. } => mean - near - far,
        };
        let total = variance + near * near + far * far;
        let log_delta = value - tilt * epsilon - (tilt * (tilt + 1.0)).ln() - 0.5 * (TAU * total).ln();
        let delta_per_scale = 1.0 / (tilt * (tilt + 1.0) * (TAU * total).sqrt());
        let delta = log_delta.min(0.0).exp().max(1e-305);
        Saddle { tilt, epsilon, delta, deviation: variance.sqrt(), delta_per_scale }
    }

    /// The tilt at which the saddle point is that of the goal.
    pub(crate) fn saddle(&self) -> Saddle {
        let residual = |log_tilt: f64| {
            let tilt = log_tilt.exp();
            match self.goal {
                Goal::Delta { epsilon } => {
                    self.cumulants.at(tilt)[1] - epsilon - 1.0 / tilt - 1.0 / (tilt + 1.0)
                }
                Goal::Epsilon { delta } => {
                    (delta - self.infinite).max(1e-3 * delta).ln() - self.at(tilt).delta.ln()
                }
            }
        };
        let (low, high) = (TILTS.0.ln(), TILTS.1.ln());
        let tilt = match bracketed_root(residual, low, high, Tolerance::absolute(CLOSE)) {
            Ok(bracket) => bracket.lower.exp(),
            Err(_) if residual(low) > 0.0 => low.exp(),
            Err(_) => high.exp(),
        };
        self.at(tilt)
    }

    /// The relative width of the finite part of δ that the tolerance allows.
    pub(crate) fn allowed(&self, saddle: Saddle, tolerance: f64) -> f64 {
        match self.goal {
            Goal::Delta { .. } => tolerance * (1.0 + self.infinite / saddle.delta),
            // d log δ/dε is about −c.
            Goal::Epsilon { .. } => tolerance * saddle.tilt * saddle.epsilon.max(1e-9),
        }
        .clamp(1e-15, 0.5)
    }
}
