//! Answers that once were wrong. Expected values are from ball arithmetic on the definition.

use hockeystick::mechanism::Mechanism;

fn delta(text: &str, epsilon: f64) -> (f64, f64) {
    let mechanism: Mechanism = text.parse().unwrap();
    let answer = hockeystick::delta(&mechanism, epsilon).unwrap();
    (answer.lower().unwrap(), answer.upper())
}

/// The second direction of a sum took the whole first direction for its previous term, and stopped too early.
#[test]
fn sums_in_both_directions_start_from_the_anchor() {
    let (lower, upper) = delta("dp(epsilon=9) * 5", 44.0);
    // 0.63173065382311346559…
    assert!(lower <= 0.631730653823113465 && 0.631730653823113465 <= upper, "[{lower}, {upper}]");
    assert!(lower < 0.6317306538231139);
    let (lower, upper) = delta("dp(epsilon=9.447596173742426) * 6", 55.237354599974175);
    // 0.76465041862132890326…
    assert!(lower <= 0.764650418621328903 && 0.764650418621328903 <= upper && lower < 0.764650418621329);
}

/// Losses of very different size: the first term that counts was found in rounded arithmetic.
#[test]
fn no_term_is_skipped_when_losses_differ_in_size() {
    let small_first =
        delta("dp(epsilon=0.0001) * 100 + dp(epsilon=10268728488224.803) * 3", 30806185464674.406);
    let large_first =
        delta("dp(epsilon=10268728488224.803) * 3 + dp(epsilon=0.0001) * 100", 30806185464674.406);
    assert!(
        small_first.0 <= large_first.1 && large_first.0 <= small_first.1,
        "{small_first:?} {large_first:?}"
    );
    assert!(small_first.1 > 0.00196);
}

/// Equal losses of different mechanisms are merged; their counts once wrapped around.
#[test]
fn merged_counts_do_not_wrap() {
    let text = vec!["dp(epsilon=40)*1e15+dp(epsilon=40,delta=1e-99)*1e15"; 9224].join("+");
    let mechanism: Mechanism = text.parse().unwrap();
    if let Ok(answer) = hockeystick::delta(&mechanism, 1e17) {
        assert!(answer.upper() > 0.99);
    }
}

/// ln(2 + 1.7·10⁻¹⁶) went back and forth between two branches.
#[test]
fn odds_of_almost_two_end() {
    let (lower, upper) = delta("randomized_response(p=0.3333333333333333)", 0.0);
    assert!(lower <= 1.0 / 3.0 && upper >= 0.333333333333333);
}

/// Sums whose terms all underflow, and nested sums, end in reasonable time.
#[test]
fn invisible_sums_end() {
    assert!(delta("gaussian(sigma=0.1) + dp(epsilon=1e-6) * 1e7", 500.0).1 <= 1e-300);
    let nested = "dp(epsilon=0.1) * 8 + dp(epsilon=0.2) * 8 + dp(epsilon=0.3) * 8 + gaussian(sigma=3)";
    let (lower, upper) = delta(nested, 3.0);
    assert!(lower <= upper && upper - lower < 1e-11 * upper);
}

fn epsilon(text: &str, delta: f64) -> (f64, f64) {
    let mechanism: Mechanism = text.parse().unwrap();
    let answer = hockeystick::epsilon(&mechanism, delta).unwrap();
    (answer.lower().unwrap(), answer.upper())
}

/// Where 1 − δ is hardly known, its midpoint misled the search for ε, and the answer was [0, 10000].
#[test]
fn targets_next_to_one_are_found() {
    let (lower, upper) = epsilon("dp(epsilon=1, delta=1e-9) * 10000", 1.0 - f64::EPSILON / 2.0);
    // 3882.08156221801041…
    assert!(lower <= 3882.081562218011 && 3882.08156221801 <= upper, "[{lower}, {upper}]");
    assert!(upper - lower < 1e-10, "[{lower}, {upper}]");
}

/// The largest loss is above 10³⁰⁰, where the search once gave up, and e^{−5·10²⁹⁹} was anything from 0 to 1.
#[test]
fn losses_beyond_the_range_of_the_search_are_found() {
    for target in [5e-324, 0.5, 1.0 - f64::EPSILON / 2.0] {
        let (lower, upper) = epsilon("laplace(scale=1e-300)", target);
        assert!(
            lower <= 1e300 && 1e300 <= upper && upper - lower < 1e286,
            "{target:e}: [{lower:e}, {upper:e}]"
        );
    }
}

/// The search for the outcome of a loss stood still where a step of 1 is below the last digit.
#[test]
fn a_mixture_answers_at_huge_epsilon() {
    let (_, upper) = delta("gaussian_mixture(sigma=1, shifts=\"0,1,2\", weights=\"0.5,0.25,0.25\")", 7e16);
    assert!(upper < 1e-300);
}
