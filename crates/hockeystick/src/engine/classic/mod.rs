//! The classic composition theorems, for mechanisms of which only (ε₀, δ₀) is used.
//!
//! In: guarantees of the parts with their counts, each in both directions. Out: a guarantee of the whole.
//!
//! # Guarantee
//! An upper bound of δ or ε for every composition of mechanisms with those guarantees, adaptively chosen ones included unless a file
//! says otherwise. There is no lower end.

mod advanced;
mod basic;
mod binomial_noise;
mod bounded_range;
mod guarantee;
mod optimal;
mod zero_concentrated;

pub use advanced::{advanced, advanced_delta};
pub use basic::basic;
pub use binomial_noise::BinomialNoise;
pub use bounded_range::bounded_range_delta;
pub use guarantee::{DpPart, Guarantee};
pub use optimal::{heterogeneous, heterogeneous_delta, optimal};
pub use zero_concentrated::{zcdp_delta, zcdp_epsilon};
