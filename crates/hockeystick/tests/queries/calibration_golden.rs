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

/// References of compositions read backwards: where the truth is δ(ε) at σ, the least σ for a target next to δ is next to σ.
/// A double next to δ moves σ by some 10⁻¹⁶, whatever the slope.
#[test]
fn sampled_gaussians_are_calibrated_to_the_noise_of_the_references() {
    const REFERENCE: f64 = 1e-12;
    let (mut targets, mut farthest): (usize, f64) = (0, 0.0);
    for file in ["sampled_gaussian", "peers"] {
        for row in rows(&format!("composition/{file}")).iter() {
            let (expression, epsilon): (&str, f64) = (row.text("expression"), row.number("epsilon"));
            let delta: f64 = row.number("delta");
            let Some((before, after)) = expression.split_once("sigma=") else { continue };
            let (sigma, rest) = after.split_at(after.find([',', ')']).unwrap());
            let sigma: f64 = sigma.parse().unwrap();
            // δ near 1 hardly depends on σ, and ε below 0 is no target.
            let is_asked = (0.0..100.0).contains(&epsilon) && (1e-30..0.9).contains(&delta);
            if !is_asked || rest.contains("sigma=") {
                continue;
            }
            let template = format!("{before}sigma=?{rest}");
            let target = Target::Guarantee { epsilon, delta };
            let found = calibrated(&template, target, row.text("direction").parse().unwrap());
            let (Some(value), Some(too_little)) = (found.value(), found.too_little()) else {
                panic!("{template} {target:?}: {:?}, not {sigma}", found.outcome());
            };
            let context = || format!("{template} {target:?}: {value} {too_little} {sigma}");
            assert!(value >= sigma * (1.0 - REFERENCE), "{}", context());
            assert!(too_little <= sigma * (1.0 + REFERENCE), "{}", context());
            assert!(value * (1.0 - 1e-8) <= sigma * (1.0 + REFERENCE), "{}", context());
            farthest = farthest.max((value - too_little) / value);
            targets += 1;
        }
    }
    println!("{targets} sampled targets; value and too little are at most {farthest:.1e} apart");
    assert!(targets >= 200 && farthest < 1e-8, "{targets} {farthest:e}");
}
