//! Two to eight uses of a sampled Gaussian mechanism, a record added: no loss is above `−k log(1 − q)`, and ε is next to it or below. Against
//! references that are convolutions of what is missing to the largest loss, with no transform.

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

/// The relative width of ε, and one that is counted of δ; and the width of ε that is narrow whatever it is.
const NARROW: f64 = 1e-9;
const ABSOLUTE: f64 = 1e-11;

fn references() -> Vec<(Mechanism, f64, Row)> {
    let rows = rows("composition/next_to_largest");
    rows.into_iter()
        .map(|row| (row.text("expression").parse().unwrap(), row.number("epsilon"), row))
        .collect()
}

fn encloses(bounds: Enclosure, truth: &Decimal) -> bool {
    truth.is_at_least(bounds.lower()) && truth.is_at_most(bounds.upper())
}

/// With a δ just below the one at ε the answer is not below ε, and with one just above it is not above.
#[test]
fn epsilon_next_to_the_largest_loss_is_enclosed_and_narrow() {
    let (mut missed, mut wide, mut widest) = (Vec::new(), Vec::new(), 0f64);
    for (mechanism, epsilon, row) in &references() {
        let (truth, nearest) = (row.reference("delta"), row.number::<f64>("delta"));
        let (below, above) = if truth.is_at_least(nearest) {
            (nearest, nearest.next_up())
        } else {
            (nearest.next_down(), nearest)
        };
        let answer = |delta: f64| {
            let found = Query::new(mechanism).relation(Relation::Add).epsilon(delta).unwrap();
            Enclosure::new(found.lower().unwrap(), found.upper())
        };
        let (larger, smaller) = (answer(below), answer(above));
        if larger.upper() < *epsilon || smaller.lower() > *epsilon {
            missed.push(format!("{mechanism} at δ = {nearest:e}: {larger:?} and {smaller:?} miss {epsilon}"));
        }
        for found in [larger, smaller] {
            let width = found.width() / found.upper();
            widest = widest.max(width);
            if width > NARROW && found.width() > ABSOLUTE {
                wide.push(format!("{mechanism} at δ = {nearest:e}, ε = {epsilon}: {found:?}, {width:e}"));
            }
        }
    }
    println!("the widest has {widest:.1e}");
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn delta_next_to_the_largest_loss_is_enclosed() {
    let (mut missed, mut narrow) = (Vec::new(), 0);
    let references = references();
    for (mechanism, epsilon, row) in &references {
        let found = Query::new(mechanism).relation(Relation::Add).delta(*epsilon).unwrap();
        let bounds = Enclosure::new(found.lower().unwrap(), found.upper());
        narrow += usize::from(bounds.width() <= NARROW * bounds.upper());
        if !encloses(bounds, &row.reference("delta")) {
            missed.push(format!("{mechanism} at ε = {epsilon}: {bounds:?} misses {}", row.text("delta")));
        }
    }
    println!("{narrow} of {} to nine digits", references.len());
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Also where lines were drawn for a larger δ.
#[test]
fn contours_next_to_the_largest_loss_enclose() {
    let (mut missed, mut answered) = (Vec::new(), 0);
    let references = references();
    for (mechanism, epsilon, row) in &references {
        let parts = composition::parts(mechanism).unwrap();
        let pair = dominating_pair(parts[0].mechanism, Direction::Add).unwrap();
        let delta: f64 = row.number("delta");
        let goals = [
            Goal::Delta { epsilon: *epsilon },
            Goal::Epsilon { delta },
            Goal::Epsilon { delta: 300.0 * delta },
        ];
        for goal in goals {
            let Some(contour) = Contour::compose(&[(pair.clone(), parts[0].count)], goal, Accuracy::NARROW)
            else {
                continue;
            };
            let bounds = contour.delta(*epsilon).delta.value();
            answered += usize::from(matches!(goal, Goal::Delta { .. }));
            if !encloses(bounds, &row.reference("delta")) {
                missed.push(format!(
                    "{mechanism} at ε = {epsilon}, for {goal:?}: {bounds:?} misses {}",
                    row.text("delta")
                ));
            }
        }
    }
    println!("{answered} of {} answered", references.len());
    assert!(missed.is_empty(), "{missed:#?}");
    assert!(answered * 2 > references.len(), "the engine gives up on {}", references.len() - answered);
}
