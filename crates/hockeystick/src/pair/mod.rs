//! Worst-case pairs: what the two most distinguishable neighbouring datasets make of a mechanism.
//!
//! In: a mechanism and a direction. Out: a [`DominatingPair`] for it, of which [`Releases`] hold those of a composition.
//! A pair dominates every pair of neighbouring outputs, and dominating pairs compose ([Zhu22, Thm 10]).
//!
//! # A mechanism of your own
//! On finitely many outcomes its pair is a [`DiscretePair`] of [`Atom`]s; of bounds on its profile a [`PiecewisePair`]; of a curve that
//! can be enclosed a [`CurvePair`]; otherwise implement
//! [`DominatingPair`]: it takes [`Tails`], a [`RatioLaw`] of [`Panel`]s with [`Quadratic`] exponents, if there is one, and the masses of
//! infinite losses. [`poisson`] and [`subset`] sample it, and [`Query::of`](crate::Query::of) asks about [`Releases`] of it.
//!
//! # Guarantee
//! What a pair says of itself is enclosed, and dominates all neighbouring datasets in the direction asked for. What no theorem covers is
//! refused.

mod between;
mod direction;
mod dominating;
mod facts;
mod inner;
#[cfg(test)]
mod laws;
mod log_concave;
mod log_moment;
pub(crate) mod loss_law;
mod moments_of_mechanism;
mod no_pair;
mod noted;
pub(crate) mod ratio_law;
mod releases;
mod replaced;
mod sampled;
mod shape;
mod shuffle;
mod sides;
mod slack;
mod stretch;
mod two_columns;

mod allocation;
mod approximate_dp;
mod binomial;
mod composed;
mod composer;
mod counting_query;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential;
mod gaussian;
mod gaussian_mixture;
mod gaussian_variance;
mod gdp;
mod k_randomized_response;
mod laplace;
mod pair_file;
mod profile_file;
mod randomized_response;
mod records;
mod skellam;
mod stability;
mod staircase;
mod tree;
mod truncated_gaussian;
mod truncated_laplace;
mod uniform;

use between::Between;
use composer::NoComposer;
pub(crate) use composer::{Composer, PairsOf};
pub use direction::Direction;
use dominating::{Bounds, Details};
pub use dominating::{DominatingPair, SharedPair};
pub use facts::{Moments, Tails};
pub use inner::{InnerDistribution, PrivacyLossClass};
pub use log_moment::{
    InvalidOrder, LogMoment, OrderBound, PairMoments, RenyiTable, SharedMoments, ZeroConcentrated,
};
pub use loss_law::LossLaw;
pub(crate) use loss_law::lattice_normal::{LOG_ERROR, LatticeNormal};
use moments_of_mechanism::has_moments_only;
pub use moments_of_mechanism::log_moments;
pub use no_pair::NoPair;
pub use pair_file::{FilePair, read_pair};
pub use ratio_law::{Atom, Listing, Outcome, Panel, Preimage, Quadratic, RatioLaw};
// What only engines ask of a law.
#[doc(hidden)]
pub use ratio_law::{Cut, LikelyOutcomes, Merging, Portion, RoughLaw, Widths, ZONES};
pub(crate) use releases::Bounding;
pub(crate) use releases::Release;
pub use releases::Releases;
pub(crate) use shape::between;
pub use shape::{Bound, CertifiedCurve, CurvePair, DiscretePair, InvalidBound, JoinedPair, PiecewisePair};
pub(crate) use sides::Sides;
pub(crate) use slack::Slack;
pub use two_columns::{FileContent, FileError, FileProblem};

use crate::{
    error::Error,
    mechanism::{ExponentialForm, Mechanism},
};
use replaced::replacing;
use sampled::needs_symmetry;
pub use sampled::{poisson, subset};

/// The worst-case pair of `mechanism` in `direction`.
///
/// A composition has a pair of its own only in special cases; engines compose the pairs of its parts instead.
pub fn dominating_pair(mechanism: &Mechanism, direction: Direction) -> Result<SharedPair, Error> {
    pair_by(mechanism, direction, &NoComposer)
}

/// The same, where `composer` knows the curves of compositions.
fn pair_by(
    mechanism: &Mechanism,
    direction: Direction,
    composer: &'static dyn Composer,
) -> Result<SharedPair, Error> {
    #[cfg(test)]
    crate::counted::note("the pair", mechanism);
    let removing = match mechanism {
        Mechanism::Gaussian(gaussian) => gaussian::pair(gaussian),
        Mechanism::Laplace(laplace) => laplace::pair(laplace),
        Mechanism::DiscreteGaussian(gaussian) => discrete_gaussian::pair(gaussian)?,
        Mechanism::DiscreteLaplace(laplace) => discrete_laplace::pair(laplace)?,
        Mechanism::RandomizedResponse(response) => randomized_response::pair(response)?,
        Mechanism::KRandomizedResponse(response) => k_randomized_response::pair(response)?,
        Mechanism::ApproximateDp(dp) => approximate_dp::pair(dp)?,
        Mechanism::ReportNoisyMax(selection) => approximate_dp::pure_pair(selection.epsilon())?,
        Mechanism::PermuteAndFlip(selection) => approximate_dp::pure_pair(selection.epsilon())?,
        Mechanism::SparseVector(stream) => approximate_dp::pure_pair(stream.epsilon())?,
        Mechanism::Exponential(selection) => match selection.form() {
            ExponentialForm::BoundedRange { epsilon } => exponential::bounded_range(epsilon),
            ExponentialForm::CountingQuery { epsilon_tilde, n, m } => {
                counting_query::pair(epsilon_tilde, n, m)?
            }
        },
        Mechanism::Binomial(noise) => match binomial::pair(noise) {
            // Coordinates are uses of one; what cannot be listed has a curve.
            Err(too_many @ Error::Pair(NoPair::TooManyOutcomes { .. })) if noise.dimension() > 1 => {
                let one = noise.with_dimension(1).map_err(|_| too_many.clone())?;
                let coordinate = binomial::pair(&one).map_err(|_| too_many.clone())?;
                let coordinates = |direction| match direction {
                    Direction::Add => Ok(vec![(coordinate.dual(), noise.dimension())]),
                    Direction::Remove => Ok(vec![(SharedPair::clone(&coordinate), noise.dimension())]),
                    Direction::Replace => Ok(vec![(replacing(&coordinate)?, noise.dimension())]),
                };
                let pair = composer.compose(mechanism.to_string(), &coordinates, Direction::Remove);
                pair.map_err(|_| too_many)?
            }
            pair => pair?,
        },
        Mechanism::Skellam(noise) => skellam::pair(noise)?,
        Mechanism::TruncatedGaussian(noise) => truncated_gaussian::pair(noise),
        Mechanism::TruncatedLaplace(noise) => truncated_laplace::pair(noise),
        Mechanism::Uniform(noise) => uniform::pair(noise)?,
        Mechanism::Staircase(noise) => staircase::pair(noise)?,
        Mechanism::GaussianMixture(mixture) => gaussian_mixture::pair(mixture),
        Mechanism::GaussianVariance(noise) => gaussian_variance::pair(noise),
        Mechanism::Stability(release) => stability::pair(release)?,
        Mechanism::Gdp(gdp) => gdp::pair(gdp)?,
        Mechanism::Tree(noise) => tree::pair(noise),
        Mechanism::PairFile(file) => pair_file::pair(file)?,
        Mechanism::ProfileFile(file) => profile_file::pair(file)?,
        Mechanism::Zcdp(_) | Mechanism::RenyiFile(_) => {
            return Err(Error::MomentsOnly { mechanism: mechanism.to_string() });
        }
        Mechanism::Poisson(sampled) if sampled.records() > 1 => records::pair(sampled)?,
        Mechanism::Poisson(sampled) => {
            let base = pair_by(sampled.mechanism(), Direction::Remove, composer).map_err(of_sampled)?;
            return poisson(base, sampled.rate(), direction);
        }
        Mechanism::Subset(sampled) => {
            let base =
                pair_by(sampled.mechanism(), Direction::Replace, composer).map_err(|error| match error {
                    // Whatever was missing for replacing a record is missing for the sampler.
                    Error::NotProven { .. } => needs_symmetry(),
                    other => of_sampled(other),
                })?;
            return subset(base, sampled.rate(), direction);
        }
        Mechanism::Allocation(allocated) => {
            let base = pair_by(allocated.mechanism(), Direction::Remove, composer).map_err(of_sampled)?;
            return allocation::pair(allocated, base, direction);
        }
        Mechanism::Shuffle(shuffled) => {
            let base = pair_by(shuffled.mechanism(), Direction::Replace, composer).map_err(of_sampled)?;
            return shuffle::pair(shuffled, &base);
        }
        Mechanism::Compose(_) | Mechanism::Repeat(_) => {
            let releases = Releases::of(mechanism)?.composed_by(composer);
            let whole = releases.whole(direction)?;
            let pairs = |direction| releases.pairs(direction);
            return whole.map_or_else(|| composer.compose(releases.names(), &pairs, direction), Ok);
        }
    };
    match direction {
        Direction::Remove => Ok(removing),
        Direction::Add => Ok(removing.dual()),
        Direction::Replace if matches!(mechanism, Mechanism::Poisson(_)) => Err(records::not_replaced()),
        Direction::Replace => replacing(&removing),
    }
}

/// Methods that do without a pair do not help a sampler.
fn of_sampled(error: Error) -> Error {
    match error {
        Error::MomentsOnly { mechanism } => Error::NotSampled {
            mechanism,
            reason: "only its Rényi divergences are known, and a sampler needs a worst-case pair",
            instead: "leave out the sampler, which gives a larger answer that holds for the sample, too",
        },
        other => other,
    }
}
