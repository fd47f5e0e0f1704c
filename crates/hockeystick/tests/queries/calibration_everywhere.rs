//! Every number of every mechanism can be calibrated, or there is a reason why not; what is found is what it is said to be.

#![allow(clippy::print_stdout, reason = "what was found is part of what a sweep shows")]

use hockeystick::{
    Query,
    mechanism::{Relation, Template, catalogue},
    query::{CalibrationError, Guarantee, Method, Outcome, Target, calibrate},
};

/// The expression with each of its numbers in turn replaced by `?`, outside of quotes.
fn templates(expression: &str) -> Vec<String> {
    let mut templates = vec![format!("{expression} * ?")];
    for (position, _) in expression.match_indices('=') {
        let (before, after) = expression.split_at(position + 1);
        let end = after.find([',', ')']).unwrap_or(after.len());
        if after[..end].parse::<f64>().is_ok() {
            templates.push(format!("{before}?{}", &after[end..]));
        }
    }
    templates
}

/// Its theorem bounds from above: the lower end is 0.
const FROM_ABOVE_ALONE: &str = "shuffle(";

#[test]
fn every_number_of_every_mechanism() {
    let (mut found, mut others) = (0, 0);
    for entry in catalogue() {
        for text in templates(entry.example) {
            let Ok(template) = Template::parse(&text) else { continue };
            let target = Target::Guarantee { epsilon: 1.0, delta: 1e-5 };
            let delta = |value: f64| {
                let mechanism = template.fill(value).unwrap();
                Query::new(&mechanism).delta(1.0).unwrap()
            };
            match calibrate(&template, target, Relation::AddRemove, Method::Auto, None) {
                Ok(calibration) => {
                    println!("{text}: {:?}", calibration.outcome());
                    match calibration.outcome() {
                        Outcome::Found { value, too_little } => {
                            assert!(delta(value).upper() <= 1e-5, "{text}: {value} does not meet the target");
                            found += 1;
                            // Without a lower end nothing can be shown to miss.
                            let is_bounded = calibration.answer().guarantee() != Guarantee::Certified;
                            if is_bounded || text.starts_with(FROM_ABOVE_ALONE) {
                                assert_eq!(too_little, None, "{text}");
                                continue;
                            }
                            let too_little =
                                too_little.unwrap_or_else(|| panic!("{text}: nothing misses the target"));
                            assert!(
                                delta(too_little).lower().unwrap() > 1e-5,
                                "{text}: {too_little} does not miss it"
                            );
                            let is_near = if calibration.hole().whole {
                                (value - too_little).abs() == 1.0
                            } else {
                                (value - too_little).abs() <= 1e-3 * value.abs()
                            };
                            assert!(is_near, "{text}: {value} and {too_little} are far apart");
                        }
                        Outcome::EveryValue { value } => {
                            assert!(delta(value).upper() <= 1e-5, "{text}");
                            others += 1;
                        }
                        Outcome::Impossible { closest } => {
                            assert!(delta(closest).upper() > 1e-5, "{text}");
                            others += 1;
                        }
                    }
                }
                Err(CalibrationError::Question(error)) => println!("{text}: {error}"),
                Err(CalibrationError::Expression(error)) => panic!("{text}: {error}"),
            }
        }
    }
    println!("{found} found, {others} impossible or met by every value");
    assert!(found >= 35, "{found} {others}");
}

/// Truncated noise gives everything away at its ends: too little of it is not private, and too much neither. With the bound at
/// 40 a σ of 8 meets what neither 1 nor 64 does.
#[test]
fn a_target_that_is_met_between_is_found() {
    let template = Template::parse("truncated_gaussian(sigma=?, bound=40)").unwrap();
    let target = Target::Guarantee { epsilon: 1.0, delta: 1e-5 };
    let delta = |value: f64| Query::new(&template.fill(value).unwrap()).delta(1.0).unwrap();
    assert!(
        delta(1.0).lower() > Some(1e-5) && delta(8.0).upper() <= 1e-5 && delta(64.0).lower() > Some(1e-5)
    );
    let found = calibrate(&template, target, Relation::AddRemove, Method::Auto, None).unwrap();
    let (value, too_little) = (found.value().unwrap(), found.too_little().unwrap());
    assert!(delta(value).upper() <= 1e-5 && delta(too_little).lower() > Some(1e-5));
    assert!(too_little < value && value - too_little < 1e-9, "{value} {too_little}");
}

/// Where the search begins, removing a record spends most; there is a rate that meets the target in that direction. But the
/// second mechanism alone spends 0.01 − e·0.001 > 0.007 at ε = 1 if a record is added. A value once was returned as proven.
#[test]
fn a_direction_that_was_not_searched_in_is_not_forgotten() {
    let fixed = r#"pair(p="0.999,0.001", q="0.99,0.01")"#;
    let template = format!("poisson(randomized_response(epsilon=5), rate=?) + {fixed}");
    let template = Template::parse(&template).unwrap();
    let at = |relation, rate: f64| {
        Query::new(&template.fill(rate).unwrap()).relation(relation).delta(1.0).unwrap()
    };
    assert!(at(Relation::Remove, 0.5).lower() > Some(at(Relation::Add, 0.5).upper()));
    assert!(at(Relation::Remove, 1e-6).upper() < 1e-3);
    let target = Target::Guarantee { epsilon: 1.0, delta: 1e-3 };
    let found = calibrate(&template, target, Relation::AddRemove, Method::Auto, None).unwrap();
    assert!(matches!(found.outcome(), Outcome::Impossible { .. }), "{:?}", found.outcome());
    // With a larger target there is a rate, and it is one for both directions.
    let target = Target::Guarantee { epsilon: 1.0, delta: 0.01 };
    let found = calibrate(&template, target, Relation::AddRemove, Method::Auto, None).unwrap();
    let (value, too_little) = (found.value().unwrap(), found.too_little().unwrap());
    assert!(at(Relation::AddRemove, value).upper() <= 0.01, "{value}");
    assert!(at(Relation::AddRemove, too_little).lower() > Some(0.01), "{too_little}");
}

/// What people ask next: the ε of what was calibrated. δ at the ε of the target is known to more digits than ε at its δ, so that a number that
/// meets the target was answered with an ε up to 2e-10 above it.
#[test]
fn the_epsilon_of_what_was_calibrated_is_not_above_its_target() {
    let mut asked = 0;
    for text in [
        "poisson(gaussian(sigma=?), rate=0.01) * 10000",
        "poisson(gaussian(sigma=1.1), rate=?) * 3000",
        "poisson(gaussian(sigma=?), rate=0.004) * 3000 + laplace(scale=50) * 12",
        "poisson(laplace(scale=?), rate=0.01) * 1000",
        "laplace(scale=?) * 30 + randomized_response(epsilon=0.01) * 3",
        "discrete_gaussian(sigma=?) * 100",
    ] {
        for (epsilon, delta) in [(0.5, 1e-6), (1.0, 1e-5), (2.0, 1e-5), (3.7, 1e-9)] {
            let template = Template::parse(text).unwrap();
            let target = Target::Guarantee { epsilon, delta };
            let found = calibrate(&template, target, Relation::AddRemove, Method::Auto, None).unwrap();
            let answer = Query::new(found.mechanism()).epsilon(delta).unwrap();
            assert!(answer.upper() <= epsilon, "{text} for ε = {epsilon} at δ = {delta}: {}", answer.upper());
            asked += 1;
        }
    }
    assert_eq!(asked, 24);
}
