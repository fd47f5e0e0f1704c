//! Directions that need no engine: their largest loss, Chernoff's bound, or the curve of the other one, shows that they spend less than it.
//!
//! In: a composition in one direction, and a point of the curve of another. Out: a plan that says why it may be left out, or
//! nothing. Half the work of most questions is saved by one moment at a real order. Where ε is small, the moment does not see the
//! difference, but what was composed is the law of the dual, too.

use super::{Engine, Plan};
use crate::{
    engine::{
        contour::{self, Chernoff},
        masses,
    },
    pair::{Direction, SharedPair},
};
use hockeystick_numerics::enclosure::Enclosure;

/// A point (ε, δ) that a direction known so far does not stay below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The ε.
    pub epsilon: f64,
    /// The δ.
    pub delta: f64,
    /// An upper bound of what the dual of the direction has at ε, if its curve tells.
    pub dual: Option<f64>,
}

/// The plan for a direction that stays below the point.
///
/// # Guarantee
/// If there is one, `δ(ε) ≤ δ` is proven: at this ε no other direction is worse than the one that reaches the point, and at this
/// δ neither, for δ(ε) falls.
pub(super) fn plan(pairs: &[(SharedPair, u64)], direction: Direction, reached: Reached) -> Option<Plan> {
    let Reached { epsilon, delta, dual } = reached;
    if let Some(bound) = dual.filter(|bound| *bound <= delta) {
        let reason = "the curve of the other direction, mirrored, stays below it";
        return Some(Plan { direction, engine: Engine::Mirrored { epsilon, bound }, reason });
    }
    if let Some(bound) = by_largest_loss(pairs, epsilon).filter(|bound| *bound <= delta) {
        let reason = "its losses are too small for more";
        return Some(Plan { direction, engine: Engine::LargestLoss { epsilon, bound }, reason });
    }
    let is_point = epsilon > 0.0 && epsilon.is_finite() && delta > 0.0 && delta < 1.0;
    let bound: Chernoff = is_point.then(|| contour::chernoff(pairs, epsilon, delta)).flatten()?;
    let reason = "Chernoff's bound stays below the other direction";
    (bound.delta <= delta).then_some(Plan { direction, engine: Engine::NoWorse(bound), reason })
}

/// `δ(ε) ≤ P(L = ∞) + 1 − e^{ε−m}` if no finite loss exceeds `m`.
fn by_largest_loss(pairs: &[(SharedPair, u64)], epsilon: f64) -> Option<f64> {
    let largest = masses::largest_finite_loss(pairs).upper();
    if !largest.is_finite() || epsilon.is_nan() {
        return None;
    }
    let gap = (Enclosure::point(epsilon) - Enclosure::point(largest)).clamp(f64::NEG_INFINITY, 0.0);
    Some((masses::infinite_mass(pairs).value() - gap.exp_m1()).upper())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        curve::{PrivacyProfile, smallest_epsilon},
        engine::Goal,
        mechanism::Mechanism,
        pair::dominating_pair,
        query::Query,
    };
    use proptest::prelude::*;

    fn added(step: &Mechanism, count: u64) -> Vec<(SharedPair, u64)> {
        vec![(dominating_pair(step, Direction::Add).unwrap(), count)]
    }

    #[test]
    fn nothing_is_left_out_where_it_is_the_worse_direction() {
        let step: Mechanism = "poisson(gaussian(sigma=1), rate=0.01)".parse().unwrap();
        let profile = contour::Contour::compose(
            &added(&step, 1000),
            Goal::Epsilon { delta: 1e-5 },
            contour::Accuracy::NARROW,
        )
        .unwrap();
        let (own, _) = smallest_epsilon(&profile, 1e-5);
        let below = Reached { epsilon: own.lower() * 0.999, delta: 1e-5, dual: None };
        assert_eq!(plan(&added(&step, 1000), Direction::Add, below), None);
        let above = Reached { epsilon: own.upper() * 1.2, delta: 1e-5, dual: None };
        assert!(plan(&added(&step, 1000), Direction::Add, above).is_some());
    }

    /// Of three uses with ε of a millionth the direction of adding a record took as long as the other.
    #[test]
    fn the_dual_of_what_was_composed_is_not_composed() {
        let few: Mechanism = "poisson(gaussian(sigma=0.5), rate=6e-6) * 3".parse().unwrap();
        let answer = Query::new(&few).epsilon(9.8e-6).unwrap();
        assert!(answer.lower().unwrap() > 0.0);
        let mirrored = |plan: &Plan| matches!(plan.engine, Engine::Mirrored { .. });
        assert!(answer.plans().iter().any(mirrored), "{:?}", answer.plans());
        // At ε = 0 the directions are one.
        let much = Query::new(&few).epsilon(2e-5).unwrap();
        assert_eq!(much.upper(), 0.0);
    }

    /// Of two uses with an ε of 2/3 of the largest loss neither the moment nor the mirror image saw it, and lines of 8192 points were drawn.
    #[test]
    fn small_losses_are_not_composed() {
        let few: Mechanism = "poisson(gaussian(sigma=0.5), rate=1e-5)".parse().unwrap();
        let reached = Reached { epsilon: 1.33e-5, delta: 1e-5, dual: None };
        let found = plan(&added(&few, 2), Direction::Add, reached).unwrap();
        // −2 log(1 − 10⁻⁵) = 2.00001·10⁻⁵.
        assert!(
            matches!(found.engine, Engine::LargestLoss { bound, .. } if bound > 6.7e-6 && bound < 6.71e-6)
        );
        let truth = by_largest_loss(&added(&few, 1), 4e-6).unwrap();
        let pair = dominating_pair(&few, Direction::Add).unwrap();
        assert!(pair.delta(4e-6.into()).value().lower() <= truth);
        let sharper = Reached { delta: 6e-6, ..reached };
        assert!(!matches!(
            plan(&added(&few, 2), Direction::Add, sharper),
            Some(Plan { engine: Engine::LargestLoss { .. }, .. })
        ));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// The mirror image of one direction's curve is above the curve of the other.
        #[test]
        fn mirror_images_lie_above_the_profile(
            log_noise in -0.7f64..2.0,
            log_rate in -12f64..-0.5,
            log_count in 0f64..9.0,
            log_delta in -20f64..-2.0,
            factor in 0f64..2.0,
        ) {
            let text = format!("poisson(gaussian(sigma={}), rate={})", log_noise.exp(), log_rate.exp());
            let step: Mechanism = text.parse().unwrap();
            let count = log_count.exp() as u64;
            let removed = vec![(dominating_pair(&step, Direction::Remove).unwrap(), count)];
            let Some(profile) = contour::Contour::compose(&removed, Goal::Epsilon { delta: log_delta.exp() }, contour::Accuracy::NARROW) else {
                return Ok(());
            };
            let epsilon = factor * smallest_epsilon(&profile, log_delta.exp()).0.lower();
            prop_assume!(epsilon.is_finite());
            let all: Mechanism = format!("{text} * {count}").parse().unwrap();
            let truth = Query::new(&all).relation(crate::mechanism::Relation::Add).delta(epsilon).unwrap();
            let bound = profile.dual_at_hand(epsilon).unwrap();
            prop_assert!(bound >= truth.lower().unwrap(), "{all} at {epsilon}: {bound} below {truth:?}");
        }

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
