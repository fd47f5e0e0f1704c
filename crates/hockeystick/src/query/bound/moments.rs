//! Answers from moments: one order converted, or the whole tail.

use super::answers::at_most;
use crate::{
    engine::{
        Goal,
        moments::{Conversion, Markov, RenyiCurve},
    },
    error::Error,
    pair::{Direction, Releases},
    query::Answer,
};
use hockeystick_numerics::enclosure::Enclosure;

/// The Rényi curve of a composition in one direction.
pub(in crate::query) fn curve(releases: &Releases<'_>, direction: Direction) -> Result<RenyiCurve, Error> {
    Ok(RenyiCurve::compose(releases.moments(direction)?))
}

/// `P(L = ∞)`.
fn infinite(curve: &RenyiCurve) -> Enclosure {
    (-curve.log_finite_mass().exp_m1()).clamp(0.0, 1.0)
}

/// The worse direction of a conversion at its best order.
///
/// The order that was best in one direction is tried in the next: if it proves as much there, that direction does not count
/// and no order has to be sought.
pub(super) fn convert(
    releases: &Releases<'_>,
    directions: &[Direction],
    conversion: Conversion,
    goal: Goal,
) -> Result<Answer, Error> {
    let search = |curve: &RenyiCurve| match goal {
        Goal::Delta { epsilon } => curve.delta(conversion, epsilon),
        Goal::Epsilon { delta } => curve.epsilon(conversion, delta),
    };
    let mut worst: Option<(Answer, f64)> = None;
    for &direction in directions {
        let curve = curve(releases, direction)?;
        if let Some((known, lambda)) = &worst {
            let tried = match goal {
                Goal::Delta { epsilon } => curve.delta_at(conversion, epsilon, *lambda),
                Goal::Epsilon { delta } => curve.epsilon_at(conversion, delta, *lambda),
            };
            if tried.value <= known.upper() {
                continue;
            }
        }
        let bound = search(&curve);
        let mut answer = at_most(goal, bound.value, infinite(&curve), direction);
        answer.notes = curve.notes();
        worst = Some(match worst {
            Some((known, lambda)) if known.upper() >= answer.upper() => (known, lambda),
            Some(_) | None => (answer, bound.lambda),
        });
        if curve.is_symmetric() {
            break;
        }
    }
    Ok(worst.expect("every relation has a direction").0)
}

/// The worse direction of Markov-ADP.
pub(super) fn markov(releases: &Releases<'_>, directions: &[Direction], goal: Goal) -> Result<Answer, Error> {
    let mut worst: Option<Answer> = None;
    for &direction in directions {
        let curve = curve(releases, direction)?;
        let upper = match goal {
            Goal::Delta { epsilon } => Markov::around_epsilon(&curve, epsilon, None).delta(epsilon),
            Goal::Epsilon { delta } => Markov::around_delta(&curve, delta).epsilon(delta),
        };
        let mut answer = at_most(goal, upper, infinite(&curve), direction);
        answer.notes = curve.notes();
        worst = Answer::worst(worst, answer);
        if curve.is_symmetric() {
            break;
        }
    }
    Ok(worst.expect("every relation has a direction"))
}
