//! Losses that are summed exactly: against references from closed contours and powers of polynomials, against the other engines,
//! and against what every profile obeys.

#![allow(clippy::print_stdout, reason = "measured widths are part of what a sweep shows")]

use hockeystick::{
    Query, composition,
    curve::{PrivacyProfile, smallest_epsilon},
    engine::{
        Goal,
        contour::{Accuracy, Contour},
        exact::{Effort, ExactSums},
        lattice::Lattice,
    },
    mechanism::Mechanism,
    pair::{Direction, SharedPair, dominating_pair},
    query::Method,
};
use hockeystick_golden::{Row, rows};
use hockeystick_numerics::enclosure::Enclosure;
use proptest::prelude::*;

/// The relative width of every answer to the references.
const NARROW: f64 = 1e-9;

fn pairs(expression: &str) -> Vec<(SharedPair, u64)> {
    let mechanism: Mechanism = expression.parse().unwrap();
    let parts = composition::parts(&mechanism).unwrap();
    let pair = |part: &composition::Part<'_>| dominating_pair(part.mechanism, Direction::Remove).unwrap();
    parts.iter().map(|part| (pair(part), part.count)).collect()
}

fn composed(expression: &str, goal: Goal) -> ExactSums {
    ExactSums::compose(&pairs(expression), goal, Effort::Any)
        .unwrap_or_else(|| panic!("{expression} is not summed for {goal:?}"))
}

fn relative_width(bounds: Enclosure) -> f64 {
    bounds.width() / bounds.upper()
}

/// δ and ε of a row, each by a composition made for it; the larger relative width.
fn check(row: &Row) -> f64 {
    let (expression, epsilon) = (row.text("expression"), row.number("epsilon"));
    let truth = row.reference("delta");
    let delta = composed(expression, Goal::Delta { epsilon }).delta(epsilon).delta.value();
    assert!(
        truth.is_at_least(delta.lower()) && truth.is_at_most(delta.upper()),
        "{expression} at ε = {epsilon}: {delta:?} misses {}",
        row.text("delta")
    );
    // A larger δ is granted for at most this ε, a smaller one is refused for less.
    let nearest: f64 = row.number("delta");
    let [refused, granted] = [nearest.next_down(), nearest.next_up()].map(|delta| {
        let sums = composed(expression, Goal::Epsilon { delta });
        let (bounds, shortfall) = smallest_epsilon(&sums, delta);
        assert_eq!(shortfall, None, "{expression} at δ = {delta}");
        bounds
    });
    assert!(
        granted.lower() <= epsilon && epsilon <= refused.upper(),
        "{expression} at δ = {nearest}: {granted:?} and {refused:?} miss ε = {epsilon}"
    );
    let width = relative_width(delta)
        .max(granted.width() / condition(&composed(expression, Goal::Delta { epsilon }), epsilon));
    assert!(width <= NARROW, "{expression} at ε = {epsilon}: {delta:?} {granted:?}");
    width
}

/// ε, or by how much it changes if δ does by all of itself: between losses that are far apart δ hardly falls, and no δ of finitely
/// many digits says where ε is.
fn condition(profile: &impl PrivacyProfile, epsilon: f64) -> f64 {
    let step = 1e-4 * epsilon;
    let [before, here, after] =
        [-step, 0.0, step].map(|x| profile.delta(epsilon + x).delta.value().midpoint());
    epsilon.max(here / ((before - after) / (2.0 * step)))
}

fn check_all(file: &str) {
    let widths: Vec<f64> = rows(file).iter().map(check).collect();
    assert!(widths.len() >= 100);
    println!("{file}: {} rows, widest {:e}", widths.len(), widths.iter().copied().fold(0.0, f64::max));
}

#[test]
fn equal_laplace_losses_enclose_their_references() {
    check_all("composition/equal_laplace");
}

#[test]
fn progressions_enclose_their_references() {
    check_all("composition/progressions");
}

/// What was composed for one question encloses the answers to all others, however wide.
#[test]
fn a_composition_for_one_question_answers_others() {
    let mut narrow = 0;
    for file in ["composition/equal_laplace", "composition/progressions"] {
        for row in rows(file) {
            let epsilon = row.number("epsilon");
            let truth = row.reference("delta");
            for goal in [Goal::Epsilon { delta: 0.3 }, Goal::Epsilon { delta: 1e-9 }] {
                let delta = composed(row.text("expression"), goal).delta(epsilon).delta;
                let value = delta.value();
                assert!(
                    truth.is_at_least(value.lower()) && truth.is_at_most(value.upper()),
                    "{} at ε = {epsilon}, for {goal:?}: {value:?} misses {}",
                    row.text("expression"),
                    row.text("delta")
                );
                narrow += usize::from(relative_width(value) < 1e-6);
            }
        }
    }
    println!("{narrow} of these were narrow all the same");
    assert!(narrow > 200, "{narrow}");
}

#[test]
fn one_use_is_its_closed_form() {
    for expression in [
        "laplace(scale=1)",
        "laplace(scale=0.1)",
        "laplace(scale=50)",
        "discrete_gaussian(sigma=1)",
        "discrete_gaussian(sigma=0.3, sensitivity=2)",
        "discrete_laplace(scale=3, sensitivity=4)",
        "k_randomized_response(categories=5, epsilon=1)",
    ] {
        let (pair, _) = pairs(expression).remove(0);
        for epsilon in [0.0, 1e-9, 0.01, 0.3, 0.99, 1.0, 1.01, 4.0, 9.7] {
            let sums = composed(expression, Goal::Delta { epsilon });
            let (delta, truth) = (sums.delta(epsilon).delta, pair.delta(epsilon.into()));
            assert!(delta.value().overlaps(truth.value()), "{expression} at {epsilon}: {delta:?} {truth:?}");
            assert!(delta.complement().overlaps(truth.complement()), "{expression} at {epsilon}");
            assert!(delta.value().width() <= 1e-11, "{expression} at {epsilon}: {delta:?}");
        }
    }
}

/// Where δ is near 1 its complement has digits of its own.
#[test]
fn complements_are_summed_too() {
    for expression in ["laplace(scale=0.5) * 40", "discrete_gaussian(sigma=0.5) * 30"] {
        let complement = composed(expression, Goal::Delta { epsilon: 0.1 }).delta(0.1).delta.complement();
        assert!(complement.upper() < 1e-3, "{expression}: {complement:?}");
        assert!(relative_width(complement) < 1e-9, "{expression}: {complement:?}");
    }
}

#[test]
fn mass_at_infinity_is_kept() {
    let expression = "k_randomized_response(categories=4, epsilon=1) * 9 + dp(epsilon=2, delta=0.001) * 3";
    let sums = composed(expression, Goal::Delta { epsilon: 3.0 });
    let without = composed(&expression.replace("0.001", "0"), Goal::Delta { epsilon: 3.0 });
    let finite = 0.999f64.powi(3);
    let expected = 1.0 - finite + finite * without.delta(3.0).delta.value().midpoint();
    let delta = sums.delta(3.0).delta.value();
    assert!((delta.midpoint() - expected).abs() < 1e-13 && delta.width() < 1e-12, "{delta:?} {expected}");
    assert!(sums.delta(100.0).delta.value().overlaps(sums.mass_at_infinity().value()));
}

#[test]
fn what_is_not_equally_spaced_is_left_to_others() {
    for expression in [
        "laplace(scale=1) * 3 + laplace(scale=2)",
        "poisson(discrete_gaussian(sigma=1), rate=0.1) * 3",
        "binomial(n=100) * 2",
        "gaussian(sigma=1) * 3 + discrete_gaussian(sigma=1) * 2",
        "k_randomized_response(categories=4, epsilon=1) + k_randomized_response(categories=4, epsilon=1.4142135)",
    ] {
        let sums = ExactSums::compose(&pairs(expression), Goal::Epsilon { delta: 1e-5 }, Effort::Any);
        assert!(sums.is_none(), "{expression}: {:?}", sums.map(|sums| sums.plan()));
    }
}

#[test]
fn by_name_and_by_itself() {
    for expression in ["laplace(scale=2) * 12", "discrete_gaussian(sigma=1) * 3"] {
        let mechanism: Mechanism = expression.parse().unwrap();
        for method in [Method::Auto, Method::ExactSums] {
            let answer = Query::new(&mechanism).method(method).epsilon(1e-6).unwrap();
            assert_eq!(answer.method(), Method::ExactSums);
            let width = answer.upper() - answer.lower().unwrap();
            assert!(width <= 1e-12 * answer.upper(), "{expression}: {width:e}");
        }
    }
    let sampled: Mechanism = "poisson(gaussian(sigma=1), rate=0.1) * 3".parse().unwrap();
    assert!(Query::new(&sampled).method(Method::ExactSums).epsilon(1e-6).is_err());
}

fn expression() -> impl Strategy<Value = String> {
    prop_oneof![
        (-1.5f64..3.5, 1u64..60).prop_map(|(s, k)| format!("laplace(scale={}) * {k}", s.exp())),
        (-1.0f64..1.5, 1u64..4, 1u64..40)
            .prop_map(|(s, d, k)| format!("discrete_gaussian(sigma={}, sensitivity={d}) * {k}", s.exp())),
        (-1.0f64..3.0, 1u64..5, 1u64..60)
            .prop_map(|(s, d, k)| format!("discrete_laplace(scale={}, sensitivity={d}) * {k}", s.exp())),
        (-3.0f64..1.5, 3u64..9, 1u64..60).prop_map(|(e, n, k)| format!(
            "k_randomized_response(categories={n}, epsilon={}) * {k}",
            e.exp()
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn other_engines_overlap(expression in expression(), log_delta in -40.0f64..-0.8) {
        let delta = log_delta.exp();
        let goal = Goal::Epsilon { delta };
        let sums = composed(&expression, goal);
        let (epsilon, _) = smallest_epsilon(&sums, delta);
        let epsilon = epsilon.midpoint();
        prop_assume!(epsilon.is_finite());
        let exact = sums.delta(epsilon).delta.value();
        if let Some(contour) = Contour::compose(&pairs(&expression), goal, Accuracy::NARROW) {
            let bounds = contour.delta(epsilon).delta.value();
            prop_assert!(bounds.overlaps(exact), "{expression} at {epsilon}: contour {bounds:?}, sums {exact:?}");
        }
        if let Ok(lattice) = Lattice::compose(&pairs(&expression), goal, 1e-2) {
            let bounds = lattice.delta(epsilon).delta.value();
            prop_assert!(bounds.overlaps(exact), "{expression} at {epsilon}: lattice {bounds:?}, sums {exact:?}");
        }
    }

    /// δ falls with ε and grows with the number of uses, ε falls with δ.
    #[test]
    fn curves_are_monotone(expression in expression(), log_delta in -300.0f64..-0.8, share in 0.1f64..0.999) {
        let delta = log_delta.exp();
        let sums = composed(&expression, Goal::Epsilon { delta });
        let (here, _) = smallest_epsilon(&sums, delta);
        let (there, _) = smallest_epsilon(&sums, share * delta);
        prop_assert!(here.lower() <= there.upper(), "{expression}: ε = {here:?} at {delta}, {there:?} below");
        let at = |epsilon: f64| sums.delta(epsilon).delta.value();
        let epsilon = here.midpoint();
        prop_assert!(at(share * epsilon).upper() >= at(epsilon).lower(), "{expression} at {epsilon}");
        let more = composed(&format!("({expression}) * 2"), Goal::Delta { epsilon });
        prop_assert!(more.delta(epsilon).delta.value().upper() >= at(epsilon).lower(), "{expression} at {epsilon}");
    }

    /// The searched ε is the one at which δ is the target, at any size.
    #[test]
    fn small_deltas_keep_their_digits(expression in expression(), log_delta in -690.0f64..-1.0) {
        let delta = log_delta.exp();
        // One or two uses far out have outcomes that are too rare to be listed.
        let expression = format!("({expression}) * 6");
        let sums = composed(&expression, Goal::Epsilon { delta });
        let (bounds, shortfall) = smallest_epsilon(&sums, delta);
        prop_assume!(bounds.lower() > 0.0);
        let narrow = NARROW * condition(&sums, bounds.midpoint());
        prop_assert!(shortfall.is_none() && bounds.width() <= narrow, "{expression} at {delta}: {bounds:?}");
    }
}
