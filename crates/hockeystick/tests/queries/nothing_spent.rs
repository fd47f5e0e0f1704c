//! Where δ is granted at ε = 0 nothing is composed, and nothing is claimed that a composition would not say.

use hockeystick::{Query, mechanism::Mechanism, plan::Engine, query::Method};
use proptest::prelude::*;

fn mechanism(text: &str) -> Mechanism {
    text.parse().unwrap()
}

#[test]
fn whatever_the_method_and_the_number_of_uses() {
    for text in [
        "poisson(gaussian(sigma=0.5), rate=1e-9) * 1000000",
        "poisson(laplace(scale=3), rate=1e-18) * 1000000000000000",
        "laplace(scale=1000000000) * 1000000000000",
        "discrete_gaussian(sigma=1000) * 10 + exponential(epsilon=0.00001) * 1000",
    ] {
        let mechanism = mechanism(text);
        for method in [Method::Auto, Method::ExactSums, Method::Contour, Method::Lattice] {
            let answer = Query::new(&mechanism).method(method).epsilon(0.3).unwrap();
            assert_eq!((answer.lower(), answer.upper()), (Some(0.0), 0.0), "{text} by {method}");
            assert!(matches!(answer.plans()[0].engine, Engine::TotalVariation { .. }), "{text} by {method}");
            let signed = if method == Method::Auto { Method::ClosedForm } else { method };
            assert_eq!(answer.method(), signed);
        }
    }
}

#[test]
fn a_distinguishing_event_is_not_forgotten() {
    // With probability 0.01 an output gives the record away: no more than that many uses are free.
    let text = |count: u32| mechanism(&format!("uniform(width=100) * {count}"));
    assert_eq!(Query::new(&text(29)).epsilon(0.3).unwrap().upper(), 0.0);
    assert!(Query::new(&text(60)).epsilon(0.3).unwrap().upper() > 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// The bound is at least the truth: δ(0) of the composition itself, and of one that has a closed form.
    #[test]
    fn the_bound_holds(log_size in -9.0f64..1.0, count in 1u64..60, kind in 0usize..3, log_delta in -7.0f64..-0.1) {
        let size = log_size.exp();
        let text = match kind {
            0 => format!("laplace(scale={}) * {count}", 1.0 / size),
            1 => format!("k_randomized_response(categories=4, epsilon={size}) * {count}"),
            _ => format!("gaussian(sigma={}) * {count}", 1.0 / size),
        };
        let mechanism = mechanism(&text);
        let delta = log_delta.exp();
        let answer = Query::new(&mechanism).epsilon(delta).unwrap();
        let truth = Query::new(&mechanism).delta(0.0).unwrap();
        if let Engine::TotalVariation { bound, .. } = answer.plans()[0].engine {
            prop_assert!(truth.lower().unwrap() <= bound && bound <= delta, "{text}: {bound} {truth:?}");
        } else {
            // What was composed agrees, and for much larger δ nothing is composed.
            prop_assert!(answer.upper() > 0.0 || truth.upper() <= delta, "{text} at {delta}");
        }
    }
}
