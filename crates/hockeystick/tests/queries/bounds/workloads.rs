//! Random workloads whose truth is certified by closed forms.

use crate::bounds::support::UPPER;
use hockeystick::{
    Query,
    mechanism::Mechanism,
    query::{Guarantee, Method},
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

/// One part of a workload; all of these compose in closed form.
fn part() -> impl Strategy<Value = String> {
    let count = prop_oneof![1u64..4, 1u64..200, 1u64..20_000];
    prop_oneof![
        (0.3f64..200.0, count.clone()).prop_map(|(sigma, k)| format!("gaussian(sigma={sigma}) * {k}")),
        (0.01f64..1.0, 1u64..50).prop_map(|(xi, k)| format!("randomized_response(epsilon={xi}) * {k}")),
        (0.01f64..0.5, -14f64..-5.0, 1u64..20)
            .prop_map(|(xi, log, k)| format!("dp(epsilon={xi}, delta={:e}) * {k}", 10f64.powf(log))),
        (0.05f64..2.0).prop_map(|mu| format!("gdp(mu={mu})")),
    ]
}

/// Something whose truth is known to many digits: a composition in closed form, or one use of anything.
fn workload() -> impl Strategy<Value = String> {
    let single = prop_oneof![
        (0.3f64..5.0).prop_map(|scale| format!("laplace(scale={scale})")),
        (0.4f64..5.0, 0.001f64..0.9).prop_map(|(s, q)| format!("poisson(gaussian(sigma={s}), rate={q})")),
        (0.4f64..5.0, 0.001f64..0.9).prop_map(|(s, q)| format!("poisson(laplace(scale={s}), rate={q})")),
        (1f64..10.0).prop_map(|width| format!("uniform(width={width})")),
        (0.5f64..3.0, 4f64..9.0).prop_map(|(s, b)| format!("truncated_gaussian(sigma={s}, bound={})", s * b)),
        (0.5f64..5.0).prop_map(|s| format!("discrete_gaussian(sigma={s})")),
        (0.5f64..5.0).prop_map(|s| format!("discrete_laplace(scale={s})")),
        (0.1f64..3.0).prop_map(|e| format!("exponential(epsilon={e})")),
        (2u64..20, 0.1f64..3.0)
            .prop_map(|(k, e)| format!("k_randomized_response(categories={k}, epsilon={e})")),
        (10u64..200).prop_map(|n| format!("binomial(n={n})")),
    ];
    prop_oneof![
        3 => prop::collection::vec(part(), 1..4).prop_map(|parts| parts.join(" + ")),
        2 => single,
    ]
}

/// # What is shown
/// Upper bounds are at least the certified lower end, for δ and for ε; certified methods overlap the truth; the conversions are in
/// their order; what is an estimate says so.
#[test]
fn no_bound_is_below_the_truth() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 2_100, failure_persistence: None, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let asked = (workload(), 0f64..1.0, -12f64..-1.0, any::<bool>(), 0usize..12);
    runner
        .run(&asked, |(text, at, log_delta, asks_for_delta, slow)| {
            let mechanism: Mechanism = text.parse().unwrap();
            let target = 10f64.powf(log_delta);
            let query = Query::new(&mechanism);
            let inverse = query.epsilon(target).unwrap();
            let epsilon = inverse.upper().min(50.0) * (0.3 + at);
            let ask = |method: Method| {
                let query = query.method(method);
                if asks_for_delta { query.delta(epsilon).unwrap() } else { query.epsilon(target).unwrap() }
            };
            let truth = ask(Method::Auto);
            let mut found = Vec::new();
            for method in UPPER {
                // The classic theorems invert the profile of every part many times: every twelfth workload asks for them.
                if matches!(method, Method::Kov | Method::Basic | Method::Advanced) && slow != 0 {
                    continue;
                }
                let answer = ask(method);
                let what =
                    format!("{text} at ε = {epsilon} or δ = {target} by {method}: {answer:?} {truth:?}");
                prop_assert!(answer.upper() >= truth.lower().unwrap(), "{what}");
                prop_assert!(answer.lower().is_none_or(|lower| lower <= truth.upper()), "{what}");
                found.push(answer.upper());
            }
            let [classic, standard, optimal, markov, ..] = found[..] else { unreachable!() };
            let what = format!("{text} at ε = {epsilon} or δ = {target}: {found:?}");
            prop_assert!(optimal <= standard && standard <= classic, "{what}");
            prop_assert!(markov <= classic * (1.0 + 1e-9), "{what}");
            let estimate = ask(Method::Clt);
            prop_assert!(estimate.guarantee() == Guarantee::Estimate && estimate.lower().is_none());
            Ok(())
        })
        .unwrap();
}
