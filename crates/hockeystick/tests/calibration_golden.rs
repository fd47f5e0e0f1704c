//! Calibrated numbers against roots in ball arithmetic: the value is on the private side of the root and no further from it
//! than 10⁻⁸ of it, and what is called too little is.

#![allow(clippy::print_stdout, reason = "measured distances are part of what a sweep shows")]

use hockeystick::{
    mechanism::{Relation, Template},
    query::{Calibration, Method, Target, calibrate},
};
use hockeystick_golden::{Row, rows};

fn target(row: &Row) -> Target {
    match row.text("target") {
        "guarantee" => Target::Guarantee { epsilon: row.number("first"), delta: row.number("second") },
        "advantage" => Target::Advantage { at_most: row.number("first") },
        "detection" => {
            Target::TruePositives { at_most: row.number("first"), false_positives: row.number("second") }
        }
        other => panic!("no target {other}"),
    }
}

fn calibrated(expression: &str, target: Target, relation: Relation) -> Calibration {
    let template = Template::parse(expression).unwrap();
    calibrate(&template, target, relation, Method::Auto, None)
        .unwrap_or_else(|error| panic!("{expression} {target:?}: {error}"))
}

#[test]
fn values_are_private_and_not_more_than_needed() {
    let mut farthest: f64 = 0.0;
    let mut targets = 0;
    for row in rows("calibration/closed_form") {
        let (expression, target) = (row.text("expression"), target(&row));
        let found = calibrated(expression, target, Relation::AddRemove);
        let optimum = row.reference("optimum");
        let is_larger = row.text("private") == "larger";
        let (Some(value), Some(too_little)) = (found.value(), found.too_little()) else {
            panic!("{expression} {target:?}: {:?}, not {}", found.outcome(), row.text("optimum"));
        };
        let context = || format!("{expression} {target:?}: {value} {too_little} {}", row.text("optimum"));
        if found.hole().whole {
            let optimum: f64 = row.number("optimum");
            assert_eq!((value, too_little), (optimum, optimum + 1.0), "{}", context());
        } else if is_larger {
            assert!(optimum.is_at_most(value) && optimum.is_at_least(too_little), "{}", context());
            assert!(optimum.is_at_least(value * (1.0 - 1e-8)), "{}", context());
        } else {
            assert!(optimum.is_at_least(value) && optimum.is_at_most(too_little), "{}", context());
            assert!(optimum.is_at_most(value * (1.0 + 1e-8)), "{}", context());
        }
        if !found.hole().whole {
            farthest = farthest.max((value - too_little).abs() / value);
        }
        targets += 1;
    }
    println!("{targets} targets; value and too little are at most {farthest:.1e} apart");
    assert!(targets >= 200 && farthest < 1e-8, "{targets} {farthest:e}");
}
