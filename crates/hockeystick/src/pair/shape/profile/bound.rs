//! One known point of a bound on a privacy profile.

use super::vertex::Vertex;
use crate::mechanism::Shortest;
use hockeystick_numerics::ball::Ball;

/// "The profile at `epsilon` is at most `delta`." Both numbers are meant exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    epsilon: f64,
    delta: f64,
}

/// Why two numbers bound no privacy profile.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidBound {
    /// Not a number, or −∞.
    #[error("ε is {}, but must be a number or inf", Shortest(*.0))]
    Epsilon(f64),
    /// Not a probability.
    #[error("δ is {}, but must be between 0 and 1", Shortest(*.0))]
    Delta(f64),
    /// Every profile is at least `1 − e^ε`.
    #[error(
        "δ is {} at ε = {}, but no mechanism has a δ below 1 − e^ε; round it up",
        Shortest(*delta), Shortest(*epsilon)
    )]
    TooLow {
        /// ε.
        epsilon: f64,
        /// The bound that is too low.
        delta: f64,
    },
}

/// How far below `1 − e^ε` a δ is taken for a rounded `1 − e^ε`.
const ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Below this ε no double other than 1 is a useful bound.
const LOWEST: f64 = -700.0;

impl Bound {
    /// At `epsilon`, a number or ∞, the profile is at most `delta`, between `1 − e^ε` and 1.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, InvalidBound> {
        if epsilon.is_nan() || epsilon == f64::NEG_INFINITY {
            return Err(InvalidBound::Epsilon(epsilon));
        }
        if !(0.0..=1.0).contains(&delta) {
            return Err(InvalidBound::Delta(delta));
        }
        // Adding 0 turns −0 into 0.
        let bound = Self { epsilon: epsilon + 0.0, delta: delta + 0.0 };
        if epsilon < 0.0 && bound.missing().enclosure().lower() > ROUNDING {
            return Err(InvalidBound::TooLow { epsilon, delta });
        }
        Ok(bound)
    }

    /// Where it bounds.
    pub fn epsilon(self) -> f64 {
        self.epsilon
    }

    /// The bound.
    pub fn delta(self) -> f64 {
        self.delta
    }

    /// `1 − e^ε − δ`: at most 0 but for rounding.
    fn missing(self) -> Ball {
        -Ball::from(self.epsilon).exp_m1() - Ball::from(self.delta)
    }

    /// The point of the plane, on `1 − α` if rounding put it below; `None` if it says nothing worth keeping, as to drop
    /// a bound is safe.
    pub(super) fn vertex(self) -> Option<Vertex> {
        if !(LOWEST..f64::INFINITY).contains(&self.epsilon) {
            return None;
        }
        let on_line = self.epsilon < 0.0 && {
            let missing = self.missing().enclosure();
            if missing.lower() <= 0.0 && missing.upper() > 0.0 {
                return None;
            }
            missing.lower() > 0.0
        };
        Some(if on_line { Vertex::harmless(self.epsilon) } else { Vertex::new(self.epsilon, self.delta) })
    }
}
