//! Answers from the privacy loss class of a composition.

use super::answers::{no_finite_epsilon, unknown};
use crate::{
    curve::{PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        limit::{ComposedClass, Distance, NormalLimit},
    },
    error::Error,
    pair::{Direction, Releases, SharedPair},
    query::{Answer, Guarantee, Method, Shortfall, answer::half_width},
};
use hockeystick_numerics::{enclosure::Enclosure, rounding::add_up};

/// What is made of the normal law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    Estimate,
    BerryEsseen,
    Nagaev,
}

impl Limit {
    fn method(self) -> Method {
        match self {
            Self::Estimate => Method::Clt,
            Self::BerryEsseen => Method::BerryEsseen,
            Self::Nagaev => Method::Nagaev,
        }
    }
}

/// The worse direction.
pub(super) fn answer(
    releases: &Releases<'_>,
    directions: &[Direction],
    limit: Limit,
    goal: Goal,
) -> Result<Answer, Error> {
    let mut worst: Option<Answer> = None;
    for &direction in directions {
        let pairs = releases.pairs(direction)?;
        let class = ComposedClass::compose(&pairs)
            .ok_or(Error::not_applicable(limit.method(), "a loss has no third moment, or is never finite"))?;
        let answer = one_direction(&pairs, class, limit, goal, direction);
        worst = Answer::worst(worst, answer);
        if pairs.iter().all(|(pair, _)| pair.is_self_dual()) {
            break;
        }
    }
    Ok(worst.expect("every relation has a direction"))
}

fn one_direction(
    pairs: &[(SharedPair, u64)],
    class: ComposedClass,
    limit: Limit,
    goal: Goal,
    direction: Direction,
) -> Answer {
    let largest = pairs
        .iter()
        .fold(0.0, |sum, (pair, count)| add_up(sum, (*pair.finite_losses().end() * *count as f64).upper()));
    let profile = match limit {
        Limit::Estimate => NormalLimit::estimate(class),
        Limit::BerryEsseen => NormalLimit::with_distance(class, Distance::BerryEsseen, largest),
        Limit::Nagaev => NormalLimit::with_distance(class, Distance::Nagaev, largest),
    };
    let guarantee = if limit == Limit::Estimate { Guarantee::Estimate } else { Guarantee::Certified };
    let (bounds, budget, shortfall) = match goal {
        Goal::Delta { epsilon } => {
            let value = profile.delta(epsilon);
            (value.delta.value(), value.budget, None)
        }
        Goal::Epsilon { delta } => {
            let (bounds, why) = smallest_epsilon(&profile, delta);
            let shortfall = why.map(|why| match limit {
                Limit::Estimate => Shortfall::of(why, delta),
                Limit::BerryEsseen | Limit::Nagaev => {
                    no_finite_epsilon(delta, profile.mass_at_infinity().value())
                }
            });
            let half = half_width(bounds);
            let budget = if half.is_finite() {
                profile.delta(bounds.upper()).budget.scaled_to(half)
            } else {
                Default::default()
            };
            (bounds, budget, shortfall)
        }
    };
    let bounds = if limit == Limit::Estimate { Enclosure::point(bounds.upper()) } else { bounds };
    Answer {
        unknown: unknown(goal),
        bounds,
        guarantee,
        method: limit.method(),
        direction,
        budget,
        shortfall,
        plans: Vec::new(),
        notes: pairs.iter().flat_map(|(pair, _)| pair.notes()).collect(),
    }
}
