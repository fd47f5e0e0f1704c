//! Laws that hold for every supported mechanism.

use hockeystick::{
    Query,
    mechanism::{
        Algebra, ApproximateDp, Compose, Gaussian, Gdp, Laplace, Mechanism, RandomizedResponse, Relation,
    },
};
use proptest::prelude::*;

/// Every mechanism with a closed form; Laplace composes with discrete mechanisms only, and once.
fn repeatable() -> impl Strategy<Value = Mechanism> {
    prop_oneof![
        (0.1f64..100.0, 0.1f64..10.0).prop_map(|(sigma, s)| Gaussian::new(sigma)
            .unwrap()
            .with_sensitivity(s)
            .unwrap()
            .into()),
        (0.01f64..3.0).prop_map(|mu| Gdp::new(mu).unwrap().into()),
        (0.01f64..0.99).prop_map(|p| RandomizedResponse::new(p).unwrap().into()),
        (0.0f64..5.0).prop_map(|epsilon| RandomizedResponse::from_epsilon(epsilon).unwrap().into()),
        (0.0f64..5.0, prop_oneof![Just(0.0), 1e-12f64..0.1]).prop_map(|(epsilon, delta)| ApproximateDp::new(
            epsilon, delta
        )
        .unwrap()
        .into()),
    ]
}

fn bounds(mechanism: &Mechanism, epsilon: f64) -> (f64, f64) {
    let answer = hockeystick::delta(mechanism, epsilon).unwrap();
    (answer.lower().unwrap(), answer.upper())
}

fn overlap(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

proptest! {
    #[test]
    fn repeating_equals_composing_one_by_one(
        mechanism in repeatable(), other in repeatable(), count in 1u64..12, epsilon in 0f64..10.0
    ) {
        let repeated = mechanism.clone().repeat(count);
        let one_by_one = Compose::new((0..count).map(|_| mechanism.clone())).unwrap();
        prop_assert_eq!(bounds(&repeated, epsilon), bounds(&one_by_one, epsilon));
        // With something else in between, equal parts are not neighbours: the engine has to merge them.
        let (first, rest) = (count / 2 + 1, count - count / 2);
        let between = mechanism.clone().repeat(first) + other.clone() + mechanism.clone().repeat(rest);
        let together = mechanism.repeat(first + rest) + other;
        prop_assert!(overlap(bounds(&between, epsilon), bounds(&together, epsilon)));
    }

    #[test]
    fn nesting_multiplies(mechanism in repeatable(), a in 1u64..5, b in 1u64..5, epsilon in 0f64..5.0) {
        let nested = mechanism.clone().repeat(a).repeat(b);
        prop_assert_eq!(bounds(&nested, epsilon), bounds(&mechanism.repeat(a * b), epsilon));
    }

    #[test]
    fn order_does_not_matter(a in repeatable(), b in repeatable(), epsilon in 0f64..10.0) {
        prop_assert!(overlap(bounds(&(a.clone() + b.clone()), epsilon), bounds(&(b + a), epsilon)));
    }

    #[test]
    fn more_uses_never_spend_less(mechanism in repeatable(), count in 1u64..20, epsilon in 0f64..5.0) {
        let (lower, _) = bounds(&mechanism.clone().repeat(count), epsilon);
        let (_, upper) = bounds(&mechanism.repeat(count + 1), epsilon);
        prop_assert!(lower <= upper);
    }

    #[test]
    fn delta_falls_with_epsilon_and_keeps_its_floor(
        mechanism in repeatable(), count in 1u64..20, a in 0f64..5.0, b in 0f64..5.0
    ) {
        let mechanism = mechanism.repeat(count);
        let (small, large) = (a.min(b), a.max(b));
        prop_assert!(bounds(&mechanism, large).0 <= bounds(&mechanism, small).1);
    }

    #[test]
    fn epsilon_inverts_delta(mechanism in repeatable(), count in 1u64..20, exponent in -250f64..-0.5) {
        let mechanism = mechanism.repeat(count);
        let target = 10f64.powf(exponent);
        let answer = hockeystick::epsilon(&mechanism, target).unwrap();
        if answer.upper().is_finite() {
            prop_assert!(bounds(&mechanism, answer.upper()).0 <= target);
            let lower = answer.lower().unwrap();
            prop_assert!(lower == 0.0 || bounds(&mechanism, lower).1 > target);
        } else {
            prop_assert!(answer.shortfall().is_some());
        }
    }

    #[test]
    fn self_dual_losses_cost_the_same_under_every_relation(mechanism in repeatable(), epsilon in 0f64..5.0) {
        let ask = |relation| Query::new(&mechanism).relation(relation).delta(epsilon).unwrap().upper();
        let expected = ask(Relation::AddRemove);
        prop_assert!(Relation::ALL.into_iter().all(|relation| ask(relation) == expected));
    }

    #[test]
    fn one_laplace_composes_with_responses(scale in 0.2f64..5.0, xi in 0.1f64..2.0, count in 1u64..6, epsilon in 0f64..4.0) {
        // Against the definition: outcomes of the responses, one by one.
        let laplace = Laplace::new(scale).unwrap();
        let mechanism = laplace + RandomizedResponse::from_epsilon(xi).unwrap().repeat(count);
        let p = 1.0 / (1.0 + (-xi).exp());
        let direct: f64 = (0..1u32 << count)
            .map(|outcome| {
                let highs = f64::from(outcome.count_ones());
                let lows = count as f64 - highs;
                let rest = epsilon - xi * (highs - lows);
                let single = 1.0 - rest.min((rest - 1.0 / scale) / 2.0).min(0.0).exp();
                p.powf(highs) * (1.0 - p).powf(lows) * single
            })
            .sum();
        let (lower, upper) = bounds(&mechanism, epsilon);
        prop_assert!(lower <= direct + 1e-13 && direct <= upper + 1e-13, "[{lower}, {upper}] and {direct}");
    }
}
