//! Two and three uses of a sampled Gaussian mechanism, a record removed: the fewer the uses, the more single losses decide. Against
//! references that are nested integrals over the outcomes, with no transform.

#![allow(clippy::print_stdout, reason = "what was answered is part of what the test shows")]

use hockeystick::{
    Query, composition,
    curve::PrivacyProfile,
    engine::{
        Goal,
        contour::{Accuracy, Contour},
    },
    mechanism::{Mechanism, Relation},
    pair::{Direction, dominating_pair},
};
use hockeystick_golden::{Decimal, Row, rows};
use hockeystick_numerics::enclosure::Enclosure;

/// The relative width that every ε has at most.
const NARROW: f64 = 1e-9;
const ABSOLUTE: f64 = 1e-11;

fn references() -> Vec<(Mechanism, f64, Row)> {
    let rows = rows("composition/few_uses");
    rows.into_iter()
        .map(|row| (row.text("expression").parse().unwrap(), row.number("epsilon"), row))
        .collect()
}

fn encloses(bounds: Enclosure, truth: &Decimal) -> bool {
    truth.is_at_least(bounds.lower()) && truth.is_at_most(bounds.upper())
}

/// With a δ just below the one at ε the answer is not below ε, and with one just above it is not above.
#[test]
fn epsilon_is_where_few_uses_reach_delta() {
    let references = references();
    let mut widest: f64 = 0.0;
    for (mechanism, epsilon, row) in &references {
        let (truth, nearest) = (row.reference("delta"), row.number::<f64>("delta"));
        let (below, above) = if truth.is_at_least(nearest) {
            (nearest, nearest.next_up())
        } else {
            (nearest.next_down(), nearest)
        };
        let answer = |delta: f64| Query::new(mechanism).relation(Relation::Remove).epsilon(delta).unwrap();
        let (larger, smaller) = (answer(below), answer(above));
        assert!(larger.upper() >= *epsilon, "{mechanism} at δ = {below:e}: {larger:?} misses {epsilon}");
        let lower = smaller.lower().unwrap();
        assert!(lower <= *epsilon, "{mechanism} at δ = {above:e}: {smaller:?} misses {epsilon}");
        let width = larger.upper() - larger.lower().unwrap();
        let width = if width <= ABSOLUTE { 0.0 } else { width / larger.upper() };
        assert!(width <= NARROW, "{mechanism} at δ = {below:e}: {width:.1e}");
        widest = widest.max(width);
    }
    println!("{} references, the widest answer {widest:.1e}", references.len());
}

/// Also where lines were drawn for a larger δ.
#[test]
fn delta_of_few_uses_is_enclosed() {
    for (mechanism, epsilon, row) in &references() {
        let truth = row.reference("delta");
        let parts = composition::parts(mechanism).unwrap();
        let pair = dominating_pair(parts[0].mechanism, Direction::Remove).unwrap();
        let delta: f64 = row.number("delta");
        let goals = [Goal::Delta { epsilon: *epsilon }, Goal::Epsilon { delta: 300.0 * delta }];
        for goal in goals {
            let Some(contour) = Contour::compose(&[(pair.clone(), parts[0].count)], goal, Accuracy::NARROW)
            else {
                continue;
            };
            let bounds = contour.delta(*epsilon).delta.value();
            assert!(
                encloses(bounds, &truth),
                "{mechanism} at ε = {epsilon}, for {goal:?}: {bounds:?} misses {}",
                row.text("delta")
            );
        }
    }
}
