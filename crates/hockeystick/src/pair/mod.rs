//! Worst-case pairs: what the two most distinguishable neighbouring datasets make of a mechanism.
//!
//! In: a mechanism that is neither composed nor repeated, and a direction. Out: the law of its privacy loss.
//! A pair dominates every pair of neighbouring outputs, and dominating pairs compose ([Zhu22, Thm 10]).

mod approximate_dp;
mod direction;
mod dominating;
#[allow(dead_code, reason = "not dispatched to yet")]
mod exponential;
mod gaussian;
mod gdp;
mod laplace;
#[cfg(test)]
mod laws;
pub(crate) mod loss_law;
#[allow(dead_code, reason = "not dispatched to yet")]
mod profile_file;
mod randomized_response;
mod ratio_law;
mod shape;
#[allow(dead_code, reason = "not dispatched to yet")]
mod stability;
mod stretch;
#[allow(dead_code, reason = "not dispatched to yet")]
mod two_columns;

pub use direction::Direction;
pub use dominating::{DominatingPair, Moments, SharedPair, Tails};
pub use loss_law::LossLaw;
pub use ratio_law::{Atom, Panel, Quadratic, RatioLaw};
pub use shape::{Bound, InvalidBound, JoinedPair, PiecewisePair};
pub use two_columns::{FileError, FileProblem};

use crate::{error::Error, mechanism::Mechanism};

/// The law of the privacy loss of one use of `mechanism`, in `direction`.
///
/// Every law so far is self-dual, so the direction does not matter yet; it is asked for because sampling makes it
/// matter.
pub fn loss_law(mechanism: &Mechanism, _direction: Direction) -> Result<LossLaw, Error> {
    let later = |reason: &'static str| {
        Err(Error::NotSupportedYet {
            mechanism: mechanism.to_string(),
            reason,
            instead: "gaussian, laplace, randomized_response, gdp and dp(epsilon=…, delta=…) are",
        })
    };
    const NO_PAIR: &str = "its worst-case pair is not implemented";
    const NOT_COMPOSED: &str = "it must be taken apart before its loss is asked for";
    match mechanism {
        Mechanism::Gaussian(gaussian) => Ok(gaussian::loss_law(gaussian)),
        Mechanism::Laplace(laplace) => Ok(laplace::loss_law(laplace)),
        Mechanism::RandomizedResponse(response) => Ok(randomized_response::loss_law(response)),
        Mechanism::ApproximateDp(dp) => Ok(approximate_dp::loss_law(dp)),
        Mechanism::Gdp(gdp) => Ok(gdp::loss_law(gdp)),
        Mechanism::DiscreteGaussian(_)
        | Mechanism::DiscreteLaplace(_)
        | Mechanism::KRandomizedResponse(_)
        | Mechanism::Exponential(_)
        | Mechanism::Binomial(_)
        | Mechanism::TruncatedGaussian(_)
        | Mechanism::TruncatedLaplace(_)
        | Mechanism::Uniform(_)
        | Mechanism::GaussianMixture(_)
        | Mechanism::GaussianVariance(_)
        | Mechanism::Stability(_)
        | Mechanism::PairFile(_)
        | Mechanism::ProfileFile(_) => later(NO_PAIR),
        Mechanism::Zcdp(_) => later("conversion from concentrated differential privacy is not implemented"),
        Mechanism::Poisson(_) | Mechanism::Subset(_) => later("sampling is not implemented"),
        Mechanism::Compose(_) | Mechanism::Repeat(_) => later(NOT_COMPOSED),
    }
}
