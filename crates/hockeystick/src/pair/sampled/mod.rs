//! Samplers: pair → pair, each naming the relation it is proved for.
//!
//! In: the pair of a mechanism, a rate, a direction. Out: the pair of the sampled mechanism, or a refusal with its reason.
//!
//! # Guarantee
//! The pair dominates the sampled mechanism by the theorem that its file cites. What has no theorem is refused.

mod poisson;
mod sampled_pair;
mod subset;

pub(super) use poisson::poisson;
pub(super) use subset::{needs_symmetry, subset};
