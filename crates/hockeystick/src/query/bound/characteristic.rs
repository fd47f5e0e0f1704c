//! Estimates from characteristic functions, as published.

use super::answers::unknown;
use crate::{
    engine::{
        Goal,
        published::characteristic::{CharacteristicEstimate, Estimated, NoEstimate, Source},
    },
    error::Error,
    pair::{Direction, Releases, SharedPair},
    plan::{Engine, Plan},
    query::{Answer, Guarantee, Method, Shortfall},
};
use hockeystick_numerics::enclosure::Enclosure;

/// The worse direction.
///
/// A direction whose δ is hidden by the error of its integrals does not matter beside one that is well above that error.
pub(super) fn answer(
    releases: &Releases<'_>,
    directions: &[Direction],
    source: Source,
    goal: Goal,
) -> Result<Answer, Error> {
    let (mut worst, mut hidden): (Option<Answer>, f64) = (None, 0.0);
    for &direction in directions {
        let pairs = releases.pairs(direction)?;
        match one_direction(&pairs, source, goal, direction)? {
            Direct::Seen(answer) => {
                worst = Answer::worst(worst, answer);
            }
            Direct::Hidden { error } => hidden = hidden.max(error),
        }
        if pairs.iter().all(|(pair, _)| pair.is_self_dual()) {
            break;
        }
    }
    let is_clear = |answer: &Answer| match goal {
        Goal::Delta { .. } => answer.upper() > CLEARLY_ABOVE * hidden,
        Goal::Epsilon { .. } => hidden == 0.0,
    };
    worst
        .filter(is_clear)
        .ok_or(not_applicable(source, "δ is too small to be seen beside the error of its integrals"))
}

/// A δ this many times as large as an error is not hidden by it.
const CLEARLY_ABOVE: f64 = 3.0;

/// What one direction says.
enum Direct {
    Seen(Answer),
    Hidden { error: f64 },
}

fn one_direction(
    pairs: &[(SharedPair, u64)],
    source: Source,
    goal: Goal,
    direction: Direction,
) -> Result<Direct, Error> {
    let estimate = CharacteristicEstimate::compose(pairs, source).and_then(|composed| match goal {
        Goal::Delta { epsilon } => composed.delta(epsilon),
        Goal::Epsilon { delta } => composed.epsilon(delta),
    });
    let mut notes: Vec<String> = pairs.iter().flat_map(|(pair, _)| pair.notes()).collect();
    let (value, budget, shortfall, plans) = match estimate {
        Ok(Estimated { value, error, plan }) => {
            notes.push(format!("by its own reckoning the estimate is off by about {:.1e}", error.total()));
            let engine = match source {
                Source::Symbols => Engine::Afa(plan),
                Source::Quadrature { .. } => Engine::DoubleQuadrature(plan),
            };
            (value, error, None, vec![Plan { direction, engine, reason: "asked for" }])
        }
        Err(NoEstimate::Unreachable { at_least }) => {
            let delta = if let Goal::Epsilon { delta } = goal { delta } else { 0.0 };
            let shortfall = Shortfall::Unreachable { delta, at_least };
            (f64::INFINITY, Default::default(), Some(shortfall), Vec::new())
        }
        Err(NoEstimate::NoCharacteristicFunction) => {
            return Err(not_applicable(
                source,
                "a loss has no characteristic function that could be evaluated",
            ));
        }
        Err(NoEstimate::BelowError { error }) => return Ok(Direct::Hidden { error }),
    };
    Ok(Direct::Seen(Answer {
        unknown: unknown(goal),
        bounds: Enclosure::point(value),
        guarantee: Guarantee::Estimate,
        method: method(source),
        direction,
        budget,
        shortfall,
        plans,
        notes,
    }))
}

fn not_applicable(source: Source, reason: &'static str) -> Error {
    Error::not_applicable(method(source), reason)
}

/// The name of the method that has its characteristic functions from there.
pub(super) fn method(source: Source) -> Method {
    match source {
        Source::Symbols => Method::Afa,
        Source::Quadrature { .. } => Method::DoubleQuadrature,
    }
}
