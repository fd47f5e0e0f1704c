//! Directions that need no engine: Chernoff's bound shows that they spend less than another.
//!
//! In: a composition in one direction, and a point of the curve of another. Out: a plan that says why it may be left out, or
//! nothing. Half the work of most questions is saved by one moment at a real order.

use super::{Engine, Plan};
use crate::{
    engine::contour::{self, Chernoff},
    pair::{Direction, SharedPair},
};

/// A point (ε, δ) that a direction known so far does not stay below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The ε.
    pub epsilon: f64,
    /// The δ.
    pub delta: f64,
}

/// The plan for a direction that stays below the point.
///
/// # Guarantee
/// If there is one, `δ(ε) ≤ δ` is proven: at this ε no other direction is worse than the one that reaches the point, and at this
/// δ neither, for δ(ε) falls.
pub(super) fn plan(pairs: &[(SharedPair, u64)], direction: Direction, reached: Reached) -> Option<Plan> {
    let Reached { epsilon, delta } = reached;
    let is_point = epsilon > 0.0 && epsilon.is_finite() && delta > 0.0 && delta < 1.0;
    let bound: Chernoff = is_point.then(|| contour::chernoff(pairs, epsilon, delta)).flatten()?;
    let reason = "Chernoff's bound stays below the other direction";
    (bound.delta <= delta).then_some(Plan { direction, engine: Engine::NoWorse(bound), reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::Goal,
        mechanism::Mechanism,
        pair::dominating_pair,
        query::{Query, smallest_epsilon},
    };
    use proptest::prelude::*;

    fn added(step: &Mechanism, count: u64) -> Vec<(SharedPair, u64)> {
        vec![(dominating_pair(step, Direction::Add).unwrap(), count)]
    }

    #[test]
    fn nothing_is_left_out_where_it_is_the_worse_direction() {
        let step: Mechanism = "poisson(gaussian(sigma=1), rate=0.01)".parse().unwrap();
        let profile = contour::Contour::compose(&added(&step, 1000), Goal::Epsilon { delta: 1e-5 }).unwrap();
        let (own, _) = smallest_epsilon(&profile, 1e-5);
        let below = Reached { epsilon: own.lower() * 0.999, delta: 1e-5 };
        assert_eq!(plan(&added(&step, 1000), Direction::Add, below), None);
        let above = Reached { epsilon: own.upper() * 1.2, delta: 1e-5 };
        assert!(plan(&added(&step, 1000), Direction::Add, above).is_some());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// The bound is above the δ that the line proves.
        #[test]
        fn bounds_lie_above_the_profile(
            log_noise in -0.7f64..2.0,
            log_rate in -7f64..-0.5,
            log_count in 3f64..14.0,
            log_delta in -60f64..-2.0,
            farther in 1.0f64..1.5,
        ) {
            let text = format!("poisson(gaussian(sigma={}), rate={})", log_noise.exp(), log_rate.exp());
            let step: Mechanism = text.parse().unwrap();
            let count = log_count.exp() as u64;
            let all: Mechanism = format!("{text} * {count}").parse().unwrap();
            let query = Query::new(&all).relation(crate::mechanism::Relation::Add);
            let Some(lower) = query.epsilon(log_delta.exp()).unwrap().lower() else { return Ok(()) };
            prop_assume!(lower > 0.0 && lower.is_finite());
            let epsilon = lower * farther;
            if let Some(bound) = contour::chernoff(&added(&step, count), epsilon, log_delta.exp()) {
                let truth = query.delta(epsilon).unwrap().lower().unwrap();
                prop_assert!(bound.delta >= truth, "{text} * {count}: {bound} below {truth:e}");
            }
        }
    }
}
