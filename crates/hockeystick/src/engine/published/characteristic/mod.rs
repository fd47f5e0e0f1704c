//! The characteristic function of the privacy loss as \[Zhu22\] publishes it, for comparison.
//!
//! In: pairs with their counts. Out: for `afa` and `double-quadrature` **estimates** of δ and ε with an estimate of their own error,
//! because the paper bounds no error; for `afa-grid` (Alg. 2) a profile with both ends proven.
//!
//! ```text
//! φ(t) = E_P[e^{itL}],  φ′(t) = E_Q[e^{−itL}]       logs add up over mechanisms        [Zhu22, Def. 12, Prop. 13]
//! F(x) = φ(0)/2 − (1/π) ∫₀^∞ Im(e^{−itx} φ(t)) dt/t     Lévy, as a principal value         [Zhu22, Lemma 18]
//! δ(ε) = P(L = ∞) + P(ε < L < ∞) − e^ε Q(−L < −ε)                                            [Zhu22, Lemma 37]
//! ```
//!
//! # Guarantee
//! `afa-grid` encloses. Estimates are another type than answers, and no bound can be made of them.

mod composed;
mod estimate;
mod grid;
mod inversion;
mod nodes;
mod outcomes;
mod phi;
mod source;

pub use estimate::{CharacteristicEstimate, Estimated, NoEstimate};
pub use grid::{CharacteristicGrid, GridPlan};
pub use inversion::InversionPlan;
pub use source::Source;
