//! `ε(δ)` against the same references, read backwards: where the truth is δ(ε₀) = δ₀, a target at or above δ₀ must not ask
//! for more than ε₀, and a target at or below δ₀ must not be granted for less.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::mechanism::{Algebra, ApproximateDp, Gaussian, Mechanism};
use hockeystick_golden::{Row, rows};

fn check(mechanism: &Mechanism, row: &Row) -> f64 {
    let epsilon: f64 = row.number("epsilon");
    let nearest: f64 = row.number("delta");
    let (below, above) = (nearest.next_down(), nearest.next_up());
    if !(below > 0.0 && above < 1.0) {
        return 0.0;
    }
    let granted = hockeystick::epsilon(mechanism, above).unwrap();
    assert!(
        granted.lower().unwrap() <= epsilon,
        "{mechanism} at δ = {above:e}: {granted:?} but δ({epsilon}) is less"
    );
    let refused = hockeystick::epsilon(mechanism, below).unwrap();
    assert!(refused.upper() >= epsilon, "{mechanism} at δ = {below:e}: {refused:?} but δ({epsilon}) is more");
    assert!(granted.lower().unwrap() <= refused.upper(), "a smaller δ never asks for less");
    if granted.upper() > 0.0 && granted.upper().is_finite() {
        (granted.upper() - granted.lower().unwrap()) / granted.upper()
    } else {
        0.0
    }
}

#[test]
fn gaussian_epsilons_are_on_the_right_side_of_the_truth() {
    let mut widest: f64 = 0.0;
    for row in rows("closed_form/gaussian") {
        let gaussian = Gaussian::new(row.number("sigma")).unwrap();
        let mechanism =
            gaussian.with_sensitivity(row.number("sensitivity")).unwrap().repeat(row.number("count"));
        let width = check(&mechanism, &row);
        // Near ε = 0 all that δ can tell is an absolute width, and near δ = 1 the slope of δ vanishes.
        let delta: f64 = row.number("delta");
        if row.number::<f64>("epsilon") > 1e-3 && delta < 0.999 {
            widest = widest.max(width);
        }
    }
    println!("widest relative width of ε: {widest:.1e}");
    assert!(widest < 1e-11, "{widest:e}");
}

#[test]
fn response_epsilons_are_on_the_right_side_of_the_truth() {
    for row in rows("closed_form/randomized_response") {
        let count: u64 = row.number("count");
        if count <= 10_000 {
            let dp = ApproximateDp::new(row.number("epsilon0"), row.number("delta0")).unwrap();
            check(&dp.repeat(count), &row);
        }
    }
}

#[test]
fn a_mechanism_asked_at_its_own_delta_answers_its_own_epsilon() {
    for (epsilon, delta) in [(1.0, 1e-6), (0.1, 0.3), (20.0, 1e-300), (1e-6, 1e-12)] {
        let answer =
            hockeystick::epsilon(&ApproximateDp::new(epsilon, delta).unwrap().into(), delta).unwrap();
        assert_eq!(answer.upper(), epsilon);
        assert!(answer.lower().unwrap() >= epsilon * (1.0 - 1e-9), "{answer:?}");
    }
}
