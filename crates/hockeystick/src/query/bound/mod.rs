//! Methods that bound or estimate an answer without composing a law: moments, limits, characteristic functions, and the classic
//! theorems.
//!
//! In: a composition, a question and the name of a method. Out: an answer, labelled as what the method proves.
//!
//! The one place that maps their names to engines.
//!
//! # Guarantee
//! An upper bound is at least the truth in the direction that is worse; an estimate has no lower end and says so.

mod answers;
mod characteristic;
mod classic;
mod limit;
mod moments;

pub(super) use moments::curve;

use super::{Answer, Method, question::Question};
use crate::{
    engine::{Goal, moments::Conversion, published::characteristic::Source},
    error::Error,
    pair::{Direction, SharedPair},
};

/// The methods of this folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoundMethod {
    Moments(Conversion),
    Markov,
    Limit(limit::Limit),
    Classic(classic::Theorem),
    Characteristic(Source),
}

impl BoundMethod {
    /// `None` for the methods that compose laws. Only moments can answer for a mechanism that has nothing else.
    fn of(method: Method, has_moments_only: bool) -> Option<Self> {
        match method {
            Method::RdpClassic => Some(Self::Moments(Conversion::Classic)),
            Method::Rdp => Some(Self::Moments(Conversion::Standard)),
            Method::RdpOptimal => Some(Self::Moments(Conversion::Optimal)),
            Method::Markov => Some(Self::Markov),
            Method::Clt => Some(Self::Limit(limit::Limit::Estimate)),
            Method::BerryEsseen => Some(Self::Limit(limit::Limit::BerryEsseen)),
            Method::Nagaev => Some(Self::Limit(limit::Limit::Nagaev)),
            Method::Basic => Some(Self::Classic(classic::Theorem::Basic)),
            Method::Advanced => Some(Self::Classic(classic::Theorem::Advanced)),
            Method::Kov => Some(Self::Classic(classic::Theorem::Optimal)),
            Method::Afa => Some(Self::Characteristic(Source::Symbols)),
            Method::DoubleQuadrature => Some(Self::Characteristic(Source::DOUBLE_QUADRATURE)),
            Method::Auto if has_moments_only => Some(Self::Moments(Conversion::Optimal)),
            Method::Auto
            | Method::ClosedForm
            | Method::ExactSums
            | Method::Contour
            | Method::Lattice
            | Method::Tangents
            | Method::Buckets
            | Method::Riemann
            | Method::Fourier
            | Method::AfaGrid => None,
        }
    }

    /// Its name. What was answered automatically says how.
    fn name(self) -> Method {
        match self {
            Self::Moments(Conversion::Classic) => Method::RdpClassic,
            Self::Moments(Conversion::Standard) => Method::Rdp,
            Self::Moments(Conversion::Optimal) => Method::RdpOptimal,
            Self::Markov => Method::Markov,
            Self::Limit(limit::Limit::Estimate) => Method::Clt,
            Self::Limit(limit::Limit::BerryEsseen) => Method::BerryEsseen,
            Self::Limit(limit::Limit::Nagaev) => Method::Nagaev,
            Self::Classic(classic::Theorem::Basic) => Method::Basic,
            Self::Classic(classic::Theorem::Advanced) => Method::Advanced,
            Self::Classic(classic::Theorem::Optimal) => Method::Kov,
            Self::Characteristic(source) => characteristic::method(source),
        }
    }
}

impl Question<'_> {
    /// Have the moments of all parts a closed form?
    pub(super) fn has_closed_moments(&self) -> bool {
        let has_one =
            |(pair, _): &(SharedPair, u64)| pair.loss_law().is_some() || pair.log_moment(1.0).is_some();
        Direction::of(self.query.relation)
            .iter()
            .all(|direction| self.releases().pairs(*direction).is_ok_and(|pairs| pairs.iter().all(has_one)))
    }

    /// The answer of a method that bounds, or `None` if the method composes laws.
    pub(super) fn bound(&self, goal: Goal) -> Result<Option<Answer>, Error> {
        let (releases, query) = (self.releases(), &self.query);
        let Some(method) = BoundMethod::of(query.method, releases.known_by_moments().is_some()) else {
            return Ok(None);
        };
        query.check_tolerance()?;
        let directions = Direction::of(query.relation);
        let mut answer = match method {
            BoundMethod::Moments(conversion) => moments::convert(releases, directions, conversion, goal)?,
            BoundMethod::Markov => moments::markov(releases, directions, goal)?,
            BoundMethod::Limit(limit) => limit::answer(releases, directions, limit, goal)?,
            BoundMethod::Classic(theorem) => classic::answer(releases, directions[0], theorem, goal)?,
            BoundMethod::Characteristic(source) => {
                characteristic::answer(releases, directions, source, goal)?
            }
        };
        answer.method = method.name();
        answer.notes = [query.notes(), answer.notes].concat();
        Ok(Some(answer.checked_against(query.tolerance)))
    }
}
