//! Methods that bound or estimate an answer without composing a law: moments, limits, characteristic functions, and the classic
//! theorems.
//!
//! In: a composition, a question and the name of a method. Out: an answer, labelled as what the method proves.
//!
//! The one place that maps their names to engines.
//!
//! # Guarantee
//! An upper bound is at least the truth in the direction that is worse; an estimate has no lower end and says so.

mod characteristic;
mod classic;
mod limit;
mod moments;

pub(super) use moments::curve;

use super::{Answer, Guarantee, Method, Query, Shortfall, Unknown};
use crate::{
    composition::{self, Part},
    engine::{Budget, Goal, moments::Conversion, published::characteristic::Source},
    error::Error,
    mechanism::Mechanism,
    pair::{Direction, dominating_pair},
};
use hockeystick_numerics::enclosure::Enclosure;

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
            Self::Characteristic(Source::Symbols) => Method::Afa,
            Self::Characteristic(Source::Quadrature { .. }) => Method::DoubleQuadrature,
        }
    }
}

/// Is nothing but its moments known of the mechanism?
pub(super) fn has_moments_only(part: &Part<'_>) -> bool {
    matches!(part.mechanism, Mechanism::Zcdp(_) | Mechanism::RenyiFile(_))
}

impl Query<'_> {
    /// Have the moments of all parts a closed form?
    pub(super) fn has_closed_moments(&self) -> bool {
        let has_one = |part: &Part<'_>, direction: Direction| {
            dominating_pair(part.mechanism, direction)
                .is_ok_and(|pair| pair.loss_law().is_some() || pair.log_moment(1.0).is_some())
        };
        composition::parts(self.mechanism).is_ok_and(|parts| {
            let directions = Direction::of(self.relation);
            parts.iter().all(|part| directions.iter().all(|direction| has_one(part, *direction)))
        })
    }

    /// The answer of a method that bounds, or `None` if the method composes laws.
    pub(super) fn bound(&self, goal: Goal) -> Result<Option<Answer>, Error> {
        let parts = composition::parts(self.mechanism)?;
        let Some(method) = BoundMethod::of(self.method, parts.iter().any(has_moments_only)) else {
            return Ok(None);
        };
        self.check_tolerance()?;
        let directions = Direction::of(self.relation);
        let mut answer = match method {
            BoundMethod::Moments(conversion) => moments::convert(&parts, directions, conversion, goal)?,
            BoundMethod::Markov => moments::markov(&parts, directions, goal)?,
            BoundMethod::Limit(limit) => limit::answer(&parts, directions, limit, goal)?,
            BoundMethod::Classic(theorem) => classic::answer(&parts, directions[0], theorem, goal)?,
            BoundMethod::Characteristic(source) => characteristic::answer(&parts, directions, source, goal)?,
        };
        answer.method = method.name();
        answer.notes = [self.notes(), answer.notes].concat();
        Ok(Some(answer.checked_against(self.tolerance)))
    }
}

/// What was asked.
fn unknown(goal: Goal) -> Unknown {
    match goal {
        Goal::Delta { epsilon } => Unknown::Delta { epsilon },
        Goal::Epsilon { delta } => Unknown::Epsilon { delta },
    }
}

/// An answer with an upper end only; an infinite ε comes with the reason.
fn at_most(goal: Goal, upper: f64, infinite: Enclosure, direction: Direction) -> Answer {
    let shortfall = match goal {
        Goal::Epsilon { delta } if upper == f64::INFINITY => Some(no_finite_epsilon(delta, infinite)),
        Goal::Epsilon { .. } | Goal::Delta { .. } => None,
    };
    Answer {
        unknown: unknown(goal),
        bounds: Enclosure::new(0.0, upper),
        guarantee: Guarantee::UpperBound,
        method: Method::Auto,
        direction,
        budget: Budget::default(),
        shortfall,
        plans: Vec::new(),
        notes: Vec::new(),
    }
}

fn no_finite_epsilon(delta: f64, infinite: Enclosure) -> Shortfall {
    let at_least = infinite.lower();
    if at_least > delta { Shortfall::Unreachable { delta, at_least } } else { Shortfall::NoBound { delta } }
}
