//! Answers from the privacy loss class of a composition.

use super::answers::{no_finite_epsilon, unknown};
use crate::{
    curve::PrivacyProfile,
    engine::{
        Goal,
        limit::{ComposedClass, Distance, NormalLimit},
    },
    error::Error,
    pair::{Direction, Releases, SharedPair},
    query::{Answer, Guarantee, Method, Shortfall, answer::half_width, smallest_epsilon},
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
            let (bounds, shortfall) = if limit == Limit::Estimate {
                smallest_epsilon(&profile, delta)
            } else {
                enclosed_epsilon(&profile, delta)
            };
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

/// `ε(δ)` of a profile that is known to a wide interval only: each end by bisection for the last point that is proven.
fn enclosed_epsilon(profile: &NormalLimit, target: f64) -> (Enclosure, Option<Shortfall>) {
    let is_enough = |epsilon: f64| profile.delta(epsilon).delta.is_certainly_at_most(target);
    let is_too_little = |epsilon: f64| profile.delta(epsilon).delta.is_certainly_above(target);
    let largest = profile.largest_finite_loss().upper();
    let upper = first(is_enough, largest);
    let lower = if is_too_little(0.0) {
        first(|epsilon| !is_too_little(epsilon), largest).map(f64::next_down)
    } else {
        Some(0.0)
    };
    // Where nothing is known to be enough, all that is too little still is.
    let lower = lower.unwrap_or(0.0).max(0.0);
    let lower = if is_too_little(lower) { lower } else { 0.0 };
    match upper {
        Some(upper) => (Enclosure::new(lower.min(upper), upper), None),
        None => {
            let infinite = profile.mass_at_infinity().value();
            (Enclosure::new(lower, f64::INFINITY), Some(no_finite_epsilon(target, infinite)))
        }
    }
}

/// About the smallest ε, up to `largest`, at which `holds`: if it holds somewhere and from there on. It holds there.
fn first(holds: impl Fn(f64) -> bool, largest: f64) -> Option<f64> {
    if holds(0.0) {
        return Some(0.0);
    }
    let mut high = largest.min(1e-6);
    while !holds(high) {
        if high >= largest || high > 1e300 {
            return None;
        }
        high = (high * 8.0).min(largest);
    }
    let mut low = if high <= 1e-6 { 0.0 } else { high / 8.0 };
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
