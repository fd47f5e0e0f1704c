//! Values that are known otherwise, and laws.

use crate::{
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure};

fn pair(text: &str, direction: Direction) -> SharedPair {
    dominating_pair(&text.parse::<Mechanism>().unwrap(), direction).unwrap()
}

fn delta(text: &str, direction: Direction, epsilon: f64) -> Enclosure {
    pair(text, direction).delta(Ball::from(epsilon)).value()
}

#[test]
fn values_of_another_inversion_are_enclosed() {
    for (steps, removing, adding) in
        [(10, 0.026_850_355_96, 0.019_064_112_95), (100, 4.408_908e-5, 5.925_283_69e-7)]
    {
        let text = format!("allocation(gaussian(sigma=1), steps={steps})");
        for (direction, truth) in [(Direction::Remove, removing), (Direction::Add, adding)] {
            let delta = delta(&text, direction, 0.5);
            // The digits that were given, and half a unit of the last.
            assert!((delta.midpoint() / truth - 1.0).abs() < 3e-7, "{text}: {delta:?} {truth}");
            assert!(delta.width() <= 1e-6 * delta.lower(), "{text}: {delta:?}");
        }
    }
}

/// (c₁, c₂) of two steps with two outcomes each: `E(S − e^ε)₊` is a sum of four terms.
#[test]
fn two_steps_of_a_coin() {
    let (p, q) = (0.75, 0.25);
    for epsilon in [0.0, 0.3, 0.6, 1.0] {
        let alpha = f64::exp(epsilon);
        let outcomes = [(q * q, p / q), (2.0 * p * q, 0.5 * (p / q + q / p)), (p * p, q / p)];
        let removing: f64 = outcomes.iter().map(|(mass, mean)| mass * (mean - alpha).max(0.0)).sum();
        let adding: f64 = outcomes.iter().map(|(mass, mean)| mass * (1.0 - alpha * mean).max(0.0)).sum();
        let text = "allocation(randomized_response(p=0.75), steps=2)";
        for (direction, truth) in [(Direction::Remove, removing), (Direction::Add, adding)] {
            let delta = delta(text, direction, epsilon);
            assert!(
                delta.lower() <= truth + 1e-15 && truth <= delta.upper() + 1e-15,
                "{epsilon}: {delta:?} {truth}"
            );
            assert!(delta.width() < 1e-5 * truth.max(1e-3), "{epsilon}: {delta:?} {truth}");
        }
    }
}

/// A record that may be in more steps is harder to find, and in one of them no easier than in the step alone.
#[test]
fn more_steps_spend_no_more() {
    for base in ["gaussian(sigma=0.7)", "laplace(scale=1)", "poisson(gaussian(sigma=1), rate=0.3)"] {
        for direction in [Direction::Remove, Direction::Add] {
            for epsilon in [-0.4, 0.0, 0.2, 1.0] {
                let mut before = delta(base, direction, epsilon);
                for steps in [1, 2, 3, 7, 50, 400] {
                    let here = delta(&format!("allocation({base}, steps={steps})"), direction, epsilon);
                    assert!(here.lower() <= before.upper(), "{base} {steps} {epsilon}: {here:?} {before:?}");
                    before = here;
                }
            }
        }
    }
}

#[test]
fn one_step_is_the_base() {
    let (one, base) = ("allocation(laplace(scale=2), steps=1)", "laplace(scale=2)");
    for direction in [Direction::Remove, Direction::Add, Direction::Replace] {
        assert_eq!(delta(one, direction, 0.1), delta(base, direction, 0.1));
    }
}

#[test]
fn replacing_a_record_is_refused() {
    let mechanism: Mechanism = "allocation(gaussian(sigma=1), steps=3)".parse().unwrap();
    let error = dominating_pair(&mechanism, Direction::Replace).unwrap_err().to_string();
    assert!(error.contains("another step") && error.contains("add-remove"), "{error}");
}

/// Few steps with next to no noise: two scales far apart, and next to nothing to see.
#[test]
fn extremes_are_enclosed() {
    for (text, epsilon) in [
        ("allocation(gaussian(sigma=0.05), steps=2)", 3.0),
        ("allocation(gaussian(sigma=1000), steps=1000000000)", 1e-9),
        ("allocation(gaussian(sigma=1), steps=5)", 600.0),
        ("allocation(uniform(width=4), steps=5)", 0.1),
        ("allocation(dp(epsilon=1, delta=0.01), steps=5)", 0.1),
        ("allocation(gaussian(sigma=100), steps=3)", 2.0),
    ] {
        for direction in [Direction::Remove, Direction::Add] {
            let base = text.trim_start_matches("allocation(").rsplit_once(", steps").unwrap().0;
            let (here, one) = (delta(text, direction, epsilon), delta(base, direction, epsilon));
            assert!(0.0 <= here.lower() && here.lower() <= here.upper(), "{text}: {here:?}");
            assert!(here.upper() <= one.upper(), "{text}: {here:?} {one:?}");
        }
    }
}
