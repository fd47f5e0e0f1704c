//! What composition by moments asks of a mechanism: the logarithm of its moment generating function, or a bound of it.
//!
//! In: a pair, ρ, or a table. Out: its [`LogMoment`].
//!
//! Every pair has one. Some mechanisms have nothing else: ρ-zCDP and a table of Rényi divergences bound moments without
//! saying which pair is the worst.
//!
//! # Guarantee
//! Enclosures where there is a pair, upper bounds where moments are all that is known.

mod of_pair;
mod table;
mod zero_concentrated;

pub use of_pair::PairMoments;
pub use table::{InvalidOrder, OrderBound, RenyiTable};
pub use zero_concentrated::ZeroConcentrated;

use hockeystick_numerics::enclosure::Enclosure;
use std::{fmt, sync::Arc};

/// Shared moments.
pub type SharedMoments = Arc<dyn LogMoment>;

/// `K(λ) = log E_P[e^{λL}; L < ∞]` of one use in one direction; `K(λ) = λ·D_{λ+1}(P‖Q)` where no loss is infinite
/// ([Sommer19, Lemma 8]).
///
/// # Guarantee
/// Every enclosure holds for every mechanism that the object stands for, round-off included.
pub trait LogMoment: fmt::Debug + Send + Sync {
    /// `K(λ)` for `λ > −1`; the upper end is infinite where the moment does not exist or is not known.
    fn log_moment(&self, lambda: f64) -> Enclosure;

    /// `D_1(P‖Q) = E_P[L]`, the Kullback–Leibler divergence; infinite if losses can be.
    fn kullback_leibler(&self) -> Enclosure;

    /// `log P(L < ∞)`.
    fn log_finite_mass(&self) -> Enclosure;

    /// Orders λ from here on are not worth asking for: the moment does not exist, or takes long to integrate while the largest
    /// loss says about as much.
    fn largest_order(&self) -> f64;

    /// No finite loss is larger; `D_∞` if none is infinite.
    fn largest_loss(&self) -> f64;

    /// About `K` at orders near `lambda`, cheaply and without proof: for searches.
    fn near(&self, lambda: f64) -> Box<dyn Fn(f64) -> f64 + '_>;

    /// Orders λ at which the bound has a corner, if it is drawn from a few orders.
    fn corners(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Are the moments of the other direction the same?
    fn is_symmetric(&self) -> bool;

    /// What whoever reads an answer should know about where the moments come from.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
