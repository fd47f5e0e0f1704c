//! Worst-case pairs: what the two most distinguishable neighbouring datasets make of a mechanism.
//!
//! In: a mechanism that is neither composed nor repeated, and a direction. Out: the law of its privacy loss.
//! A pair dominates every pair of neighbouring outputs, and dominating pairs compose ([Zhu22, Thm 10]).

mod direction;
mod dominating;
pub(crate) mod loss_law;
mod ratio_law;
mod shape;

mod approximate_dp;
mod gaussian;
mod gaussian_mixture;
mod gaussian_variance;
mod gdp;
mod laplace;
mod randomized_response;
mod truncated_gaussian;
mod truncated_laplace;

pub use direction::Direction;
pub use dominating::{DominatingPair, Moments, SharedPair, Tails};
pub use loss_law::LossLaw;
pub use ratio_law::{Atom, Panel, Quadratic, RatioLaw};

use crate::{
    error::Error,
    mechanism::Mechanism,
    sampling::{poisson, subset},
};

/// The worst-case pair of one use of `mechanism`, which is neither composed nor repeated, in `direction`.
pub fn dominating_pair(mechanism: &Mechanism, direction: Direction) -> Result<SharedPair, Error> {
    let later = |reason: &'static str| {
        Err(Error::NotSupportedYet {
            mechanism: mechanism.to_string(),
            reason,
            instead: "gaussian, laplace, randomized_response, gdp and dp(epsilon=…, delta=…) are",
        })
    };
    const NO_PAIR: &str = "its worst-case pair is not implemented";
    let removing = match mechanism {
        Mechanism::Gaussian(gaussian) => gaussian::pair(gaussian),
        Mechanism::Laplace(laplace) => laplace::pair(laplace),
        Mechanism::Gdp(gdp) => gdp::pair(gdp),
        Mechanism::TruncatedGaussian(noise) => truncated_gaussian::pair(noise),
        Mechanism::TruncatedLaplace(noise) => truncated_laplace::pair(noise),
        Mechanism::GaussianMixture(mixture) => gaussian_mixture::pair(mixture),
        Mechanism::GaussianVariance(noise) => gaussian_variance::pair(noise),
        Mechanism::Poisson(sampled) => {
            let base = dominating_pair(sampled.mechanism(), Direction::Remove)?;
            return poisson(base, sampled.rate(), direction);
        }
        Mechanism::Subset(sampled) => {
            let base = dominating_pair(sampled.mechanism(), Direction::Replace)?;
            return subset(base, sampled.rate(), direction);
        }
        Mechanism::RandomizedResponse(_)
        | Mechanism::ApproximateDp(_)
        | Mechanism::DiscreteGaussian(_)
        | Mechanism::DiscreteLaplace(_)
        | Mechanism::KRandomizedResponse(_)
        | Mechanism::Exponential(_)
        | Mechanism::Binomial(_)
        | Mechanism::Uniform(_)
        | Mechanism::Stability(_)
        | Mechanism::PairFile(_)
        | Mechanism::ProfileFile(_) => return later(NO_PAIR),
        Mechanism::Zcdp(_) => return later("it bounds moments only, and moments are not accounted for yet"),
        Mechanism::Compose(_) | Mechanism::Repeat(_) => return later("it must be taken apart first"),
    };
    match direction {
        Direction::Remove => Ok(removing),
        Direction::Add => Ok(removing.dual()),
        Direction::Replace if removing.is_self_dual() => Ok(removing),
        Direction::Replace => Err(Error::NotProven {
            what: "replacing a record for a mechanism whose worst case depends on the direction",
            reason: "either record may be the worse one, and the pair covers one order only",
            instead: "use --relation add-remove",
        }),
    }
}

/// The law of the privacy loss of one use of `mechanism`, if it composes in closed form.
pub fn loss_law(mechanism: &Mechanism, direction: Direction) -> Result<LossLaw, Error> {
    match mechanism {
        Mechanism::Gaussian(gaussian) => Ok(gaussian::loss_law(gaussian)),
        Mechanism::Laplace(laplace) => Ok(laplace::loss_law(laplace)),
        Mechanism::RandomizedResponse(response) => Ok(randomized_response::loss_law(response)),
        Mechanism::ApproximateDp(dp) => Ok(approximate_dp::loss_law(dp)),
        Mechanism::Gdp(gdp) => Ok(gdp::loss_law(gdp)),
        other => dominating_pair(other, direction)?.loss_law().ok_or(Error::NotSupportedYet {
            mechanism: other.to_string(),
            reason: "composing it needs an engine that is not there yet",
            instead: "account for one use of it",
        }),
    }
}
