//! Samplers: pair → pair, each naming the relation it is proved for.
//!
//! In: the pair of a mechanism, a rate, a direction. Out: the pair of the sampled mechanism, or a refusal with its reason.
//!
//! # Guarantee
//! The pair dominates the sampled mechanism by the theorem that its file cites. What has no theorem is refused.

mod poisson;
mod sampled_pair;
mod subset;

pub use poisson::poisson;
pub(super) use subset::needs_symmetry;
pub use subset::subset;

use crate::error::Error;

/// Refuses a rate that is none.
fn check_rate(rate: f64) -> Result<(), Error> {
    if rate > 0.0 && rate <= 1.0 {
        return Ok(());
    }
    Err(Error::Argument {
        argument: "rate",
        value: rate,
        allowed: "above 0 and at most 1",
        cure: "give the probability that a record is in the sample",
    })
}
