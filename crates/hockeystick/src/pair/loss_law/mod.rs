//! Laws of the privacy loss that are known in closed form.
//!
//! In: the parameters of a law. Out: its δ at any ε, enclosed.
//!
//! # Guarantee
//! All of these laws are self-dual, and the balls that they hold enclose their parameters.

pub(crate) mod laplace;
pub(crate) mod lattice_normal;
pub(crate) mod normal;

use hockeystick_numerics::ball::Ball;

/// The law of the privacy loss `L = log dP/dQ` under `P`.
///
/// All laws here are self-dual: swapping `P` and `Q` gives the same law, so both directions of a neighbouring relation
/// share it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LossLaw {
    /// `L ~ N(μ²/2, μ²)` ([Sommer19, Lemma 11]).
    Normal {
        /// `μ²`, the variance of the loss.
        mu_squared: Ball,
    },
    /// `L = ∞` with probability `at_infinity`; otherwise `±ξ` with odds `e^ξ : 1`
    /// (approximate randomised response, [Sommer19, Example 1]).
    TwoPoint {
        /// `ξ ≥ 0`.
        xi: Ball,
        /// The probability of a distinguishing event.
        at_infinity: f64,
    },
    /// The loss of two Laplace laws a distance `d` (in units of their scale) apart: atoms at `±d`, a density between
    /// ([Sommer19, App. A.3], with its errata).
    Laplace {
        /// Distance over scale.
        distance: Ball,
    },
}
