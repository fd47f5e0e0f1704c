//! **hockeystick** is a differential-privacy accountant: it says how much privacy a composition of mechanisms spends, as an
//! interval `[lower, upper]` that provably contains the truth, floating-point error included.
//!
//! # Two doors
//! The easy one: [`epsilon`] and [`delta`] of a mechanism.
//!
//! ```
//! use hockeystick::mechanism::{Algebra, Gaussian, RandomizedResponse};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let releases = Gaussian::new(4.0)?.repeat(10) + RandomizedResponse::from_epsilon(0.1)?.repeat(5);
//! let answer = hockeystick::epsilon(&releases, 1e-6)?;
//! println!("ε is between {:?} and {}", answer.lower(), answer.upper());
//! # assert!(answer.lower().unwrap() > 0.9 * answer.upper());
//! # Ok(())
//! # }
//! ```
//!
//! The other one: [`Query`], where relation, method and tolerance can be chosen, and how long a question may take: without
//! [`Query::limits`] it takes as long as it does. [`limits`] holds whatever else is computed to some time, and stops it from outside.
//!
//! # Conventions
//! - Logarithms are natural, so ε is in nats.
//! - `δ(ε) = E_P[(1 − e^{ε−L})₊; L < ∞] + P(L = ∞)` with the privacy loss `L = log dP/dQ` under `P`.
//! - Neighbours differ by one record added or removed, unless [`mechanism::Relation`] says otherwise. Each direction is
//!   composed by itself and the larger δ or ε is taken at the end.
//! - A sensitivity is the largest change of the answer under one change that the relation allows.
//! - The upper end of an answer is the one to quote.
//!
//! # The flow of data
//! [`mechanism`] (data) → [`composition`] (counts) → [`pair`] (worst cases, sampled) → [`curve`] (profiles) → [`engine`]
//! (composes, with an error budget) → [`plan`] (which engine) → [`query`] (answers). Dependencies point back along this line only.

pub mod mechanism;

pub mod composition;

pub mod pair;

pub mod curve;

pub mod engine;

pub mod plan;

pub mod query;

#[cfg(test)]
mod counted;

mod two_threads;

mod error;

pub use error::Error;
pub use hockeystick_numerics::limits;
pub use query::{Answer, Query};

use mechanism::Mechanism;

/// `δ(ε)` under adding or removing one record: the smallest δ for which `mechanism` is (ε, δ)-DP.
///
/// # Guarantee
/// `lower ≤ truth ≤ upper`.
pub fn delta(mechanism: &Mechanism, epsilon: f64) -> Result<Answer, Error> {
    Query::new(mechanism).delta(epsilon)
}

/// `ε(δ)` under adding or removing one record: the smallest ε for which `mechanism` is (ε, δ)-DP.
///
/// # Guarantee
/// `lower ≤ truth ≤ upper`.
pub fn epsilon(mechanism: &Mechanism, delta: f64) -> Result<Answer, Error> {
    Query::new(mechanism).epsilon(delta)
}

/// The Rust examples of the README and of the guide are tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide/9-programs.md")]
struct Documents;
