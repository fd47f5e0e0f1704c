//! Theorems of the papers, and the traps in how they are printed.

use hockeystick::engine::closed_form::{kov, probabilistic};
use hockeystick::mechanism::{Algebra, ApproximateDp, Laplace, Mechanism, RandomizedResponse};
use hockeystick_golden::rows;

fn bounds(mechanism: &Mechanism, epsilon: f64) -> (f64, f64) {
    let answer = hockeystick::delta(mechanism, epsilon).unwrap();
    (answer.lower().unwrap(), answer.upper())
}

#[test]
fn optimal_composition_theorem_agrees_on_its_grid() {
    for (epsilon, delta, count) in
        [(0.1, 0.0, 10), (0.5, 1e-6, 31), (1.0, 1e-3, 100), (0.01, 0.0, 1000), (3.0, 0.1, 4)]
    {
        let mechanism = ApproximateDp::new(epsilon, delta).unwrap().repeat(count);
        for i in 0..=count / 2 {
            // The product is exact in neither: a neighbouring ε brackets it.
            let at = (count - 2 * i) as f64 * epsilon;
            let theorem = kov::delta(epsilon, delta, count, i).unwrap().value();
            let slack = 4.0 * f64::EPSILON * at;
            let (lower, _) = bounds(&mechanism, at + slack);
            let (_, upper) = bounds(&mechanism, (at - slack).max(0.0));
            assert!(lower <= theorem.upper() && theorem.lower() <= upper, "k = {count}, i = {i}");
        }
        assert!(kov::delta(epsilon, delta, count, count / 2 + 1).is_none());
    }
}

/// [Sommer19, Example 1] prints e^{ξ(n−k)} where it must be e^{ξk}: 0.02138 instead of 0.11304.
#[test]
fn approximate_randomised_response_is_not_as_printed() {
    let mechanism = ApproximateDp::new(0.3, 1e-6).unwrap().repeat(10);
    let (lower, upper) = bounds(&mechanism, 1.0);
    assert!(lower > 0.113035 && upper < 0.113045, "[{lower}, {upper}]");
}

/// [Sommer19, App. A.3] has the wrong prefactor: with d = 1/λ, δ(ε) = 1 − e^{(ε−d)/2}.
#[test]
fn laplace_delta_is_not_as_printed() {
    let (lower, upper) = bounds(&Laplace::new(0.5).unwrap().into(), 1.0);
    let truth = 1.0 - (-0.5f64).exp();
    assert!(lower <= truth && truth <= upper.next_up() && upper - lower < 1e-14, "[{lower}, {upper}]");
    // As printed, with e^{−x₀/b} for e^{−x₁/b}, everything is e^{±d} times that.
    assert!(truth * 2f64.exp() > upper && truth * (-2f64).exp() < lower);
}

/// [Zhu22, Sec. 3]: GM with σ = 1 is (0.277, 0.3)-DP; RR with p = e/(1+e) is not (ε, 0.3)-DP for any ε < 0.471.
#[test]
fn numbers_quoted_by_zhu() {
    let gaussian: Mechanism = "gaussian(sigma=1)".parse().unwrap();
    let epsilon = hockeystick::epsilon(&gaussian, 0.3).unwrap();
    assert!((epsilon.upper() - 0.277).abs() < 5e-4, "{epsilon:?}");
    let response = RandomizedResponse::from_epsilon(1.0).unwrap().into();
    let epsilon = hockeystick::epsilon(&response, 0.3).unwrap();
    // The paper cuts 0.47175… after three digits.
    assert!((0.471..0.472).contains(&epsilon.lower().unwrap()), "{epsilon:?}");
}

/// A peer ignores the count: 100 uses of randomised response are not one.
#[test]
fn every_use_of_randomised_response_counts() {
    let once = hockeystick::epsilon(&RandomizedResponse::new(0.75).unwrap().into(), 1e-6).unwrap();
    let often = hockeystick::epsilon(&RandomizedResponse::new(0.75).unwrap().repeat(100), 1e-6).unwrap();
    assert!(once.upper() < 1.1 && often.lower().unwrap() > 80.0, "{once:?} {often:?}");
}

#[test]
fn probabilistic_deltas_enclose_the_references() {
    for row in rows("closed_form/pdp_gaussian") {
        let delta =
            probabilistic::delta(row.number("sigma"), 1.0, row.number("count"), row.number("epsilon"))
                .value();
        let truth = row.reference("delta");
        assert!(truth.is_at_least(delta.lower()) && truth.is_at_most(delta.upper()), "{row:?} {delta:?}");
        assert!(delta.width() <= 1e-11 * delta.upper(), "{row:?} {delta:?}");
    }
}

#[test]
fn optimal_sigmas_enclose_the_references() {
    for row in rows("closed_form/pdp_optimal_sigma") {
        let (count, epsilon, delta) = (row.number("count"), row.number("epsilon"), row.number("delta"));
        let sigma = probabilistic::optimal_sigma(1.0, count, epsilon, delta).unwrap();
        let truth = row.reference("sigma");
        assert!(truth.is_at_least(sigma.lower()) && truth.is_at_most(sigma.upper()), "{row:?} {sigma:?}");
        assert!(sigma.width() <= 1e-12 * sigma.upper(), "{row:?} {sigma:?}");
    }
    for (epsilon, delta) in
        [(0.0, 0.1), (-1.0, 0.1), (1.0, 0.0), (1.0, 1.0), (f64::NAN, 0.1), (1.0, f64::NAN)]
    {
        assert_eq!(probabilistic::optimal_sigma(1.0, 1, epsilon, delta), None);
    }
}
