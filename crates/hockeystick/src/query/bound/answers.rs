//! What answers of methods that bound have in common.

use crate::{
    engine::{Budget, Goal},
    pair::Direction,
    query::{Answer, Guarantee, Method, Shortfall, Unknown},
};
use hockeystick_numerics::enclosure::Enclosure;

/// What was asked.
pub(super) fn unknown(goal: Goal) -> Unknown {
    match goal {
        Goal::Delta { epsilon } => Unknown::Delta { epsilon },
        Goal::Epsilon { delta } => Unknown::Epsilon { delta },
    }
}

/// An answer with an upper end only; an infinite ε comes with the reason.
pub(super) fn at_most(goal: Goal, upper: f64, infinite: Enclosure, direction: Direction) -> Answer {
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

pub(super) fn no_finite_epsilon(delta: f64, infinite: Enclosure) -> Shortfall {
    let at_least = infinite.lower();
    if at_least > delta { Shortfall::Unreachable { delta, at_least } } else { Shortfall::NoBound { delta } }
}
