//! The discretised characteristic function with lower and upper bounds ([Zhu22, Alg. 2, Thm 44]).
//!
//! In: pairs with their counts, in one direction. Out: a profile.
//!
//! Outcomes are cut into cells, each loss is replaced by the smallest or the largest of its cell, and the characteristic functions of
//! both are composed and inverted:
//!
//! ```text
//! P(ΣL⁻ > ε) − e^ε Q(ΣL⁺ ≥ ε)  ≤  δ(ε)  ≤  P(ΣL⁺ > ε) − e^ε Q(ΣL⁻ > ε) + k δ_tail
//! ```
//!
//! The paper's proof leaves two things open, which are closed here: cells have their own masses in place of a Riemann sum, and
//! Lévy's integral, whose quadrature the paper calls negligible, is a finite sum with a proven error ([`half_circle`]).
//!
//! [`half_circle`]: hockeystick_numerics::half_circle
//!
//! # Guarantee
//! Both ends are proven, truncation and round-off included.

mod cells;
mod composed;
mod edges;
mod law;
mod moments;
mod profile;
mod transform;

pub use profile::{CharacteristicGrid, GridPlan};
