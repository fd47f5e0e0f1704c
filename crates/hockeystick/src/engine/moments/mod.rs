//! The engine of moments: Rényi divergences add under composition, and one order at a time is turned into (ε, δ).
//!
//! In: moments of the parts with their counts, in one direction. Out: upper bounds of `δ(ε)` and `ε(δ)`; trade-off curves.
//!
//! Any order gives a valid bound. So the best order is sought in plain floats, on finitely many outcomes in place of the
//! loss, and only the moment at the order that was found is computed with a proof.
//!
//! **Infinite losses.** If `p∞ = P(L = ∞) > 0` then `D_α = ∞` for every `α > 1` and the textbook conversions say nothing. But
//! `δ(ε) = p∞ + (1 − p∞)·H_{e^{ε′}}(P′‖Q)` with `P′` the law `P` given that the loss is finite and `ε′ = ε − log(1 − p∞)`; the
//! loss of `(P′, Q)` is finite and its divergences are `(K(λ) − (λ + 1)log(1 − p∞))/λ`. Conversions are applied to that pair.
//!
//! # Guarantee
//! Upper bounds hold for every order that the search might end at.

mod best_order;
mod conversion;
mod gaussian;
mod markov;
mod noisy_sgd;
mod order;
mod renyi_curve;
mod trade_off;

pub use best_order::OrderBound;
pub use conversion::{Conversion, classic, lemma_one, optimal, standard, theorem_four};
pub use gaussian::{
    concentrated_epsilon, gaussian_epsilon, gaussian_sigma, gaussian_sigma_at_fixed_order,
    gaussian_sigma_expansion,
};
pub use markov::Markov;
pub use noisy_sgd::NoisySgd;
pub use renyi_curve::RenyiCurve;
pub use trade_off::PrivacyRegion;
