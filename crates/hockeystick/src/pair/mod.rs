//! Worst-case pairs: what the two most distinguishable neighbouring datasets make of a mechanism.
//!
//! In: a mechanism that is neither composed nor repeated, and a direction. Out: the law of its privacy loss.
//! A pair dominates every pair of neighbouring outputs, and dominating pairs compose ([Zhu22, Thm 10]).

mod approximate_dp;
mod binomial;
mod counting_query;
mod direction;
mod discrete_gaussian;
mod discrete_laplace;
mod dominating;
mod gaussian;
mod gdp;
mod k_randomized_response;
mod laplace;
mod no_pair;
mod pair_file;
mod randomized_response;
mod ratio_law;
mod shape;
mod uniform;

pub use direction::Direction;
pub use dominating::{DominatingPair, Moments, SharedPair, Tails};
pub use no_pair::NoPair;
pub use pair_file::{FileError, FilePair, FileProblem, read_pair};
pub use ratio_law::{Atom, Panel, Quadratic, RatioLaw};
pub use shape::DiscretePair;

use crate::{
    curve::LossLaw,
    error::Error,
    mechanism::{ExponentialForm, Mechanism},
};

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

/// The worst-case pair of one use of `mechanism` when a record is removed: `P` with it, `Q` without.
pub fn dominating_pair(mechanism: &Mechanism) -> Result<SharedPair, Error> {
    let later = || {
        Err(Error::NotSupportedYet {
            mechanism: mechanism.to_string(),
            reason: "its worst-case pair is not implemented",
            instead: "pairs on finitely many outcomes and on the integers are",
        })
    };
    match mechanism {
        Mechanism::DiscreteGaussian(gaussian) => discrete_gaussian::pair(gaussian),
        Mechanism::DiscreteLaplace(laplace) => discrete_laplace::pair(laplace),
        Mechanism::RandomizedResponse(response) => randomized_response::pair(response),
        Mechanism::KRandomizedResponse(response) => k_randomized_response::pair(response),
        Mechanism::ApproximateDp(dp) => approximate_dp::pair(dp),
        Mechanism::Binomial(binomial) => binomial::pair(binomial),
        Mechanism::Uniform(uniform) => uniform::pair(uniform),
        Mechanism::PairFile(file) => pair_file::pair(file),
        Mechanism::Exponential(exponential) => match exponential.form() {
            ExponentialForm::CountingQuery { epsilon_tilde, n, m } => {
                counting_query::pair(epsilon_tilde, n, m)
            }
            ExponentialForm::BoundedRange { .. } => later(),
        },
        Mechanism::Gaussian(_)
        | Mechanism::Laplace(_)
        | Mechanism::Gdp(_)
        | Mechanism::TruncatedGaussian(_)
        | Mechanism::TruncatedLaplace(_)
        | Mechanism::GaussianMixture(_)
        | Mechanism::GaussianVariance(_)
        | Mechanism::Stability(_)
        | Mechanism::ProfileFile(_)
        | Mechanism::Zcdp(_)
        | Mechanism::Poisson(_)
        | Mechanism::Subset(_)
        | Mechanism::Compose(_)
        | Mechanism::Repeat(_) => later(),
    }
}
