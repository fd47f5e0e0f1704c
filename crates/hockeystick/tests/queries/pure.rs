//! ε at δ = 0: the largest loss.

use hockeystick::{
    Query,
    mechanism::{Mechanism, Relation, Template, catalogue},
    pair::{Direction, dominating_pair},
    query::{Answer, Guarantee, Method, Outcome, Shortfall, Target, calibrate},
};
use hockeystick_numerics::ball::Ball;

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn pure(text: &str, relation: Relation) -> Answer {
    Query::new(&parsed(text))
        .relation(relation)
        .epsilon(0.0)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn largest_losses_add_up() {
    let e = std::f64::consts::E;
    let sampled = (0.1 * (e - 1.0)).ln_1p();
    let cases = [
        ("laplace(scale=2) * 3", Relation::AddRemove, 1.5),
        ("laplace(scale=2) * 3 + dp(epsilon=0.25) * 2", Relation::AddRemove, 2.0),
        ("randomized_response(p=0.75) * 1e6", Relation::AddRemove, 1e6 * 3f64.ln()),
        ("poisson(laplace(scale=1), rate=0.1) * 10", Relation::Remove, 10.0 * sampled),
        ("poisson(laplace(scale=1), rate=0.1)", Relation::Add, -(0.1 * (1.0 / e - 1.0)).ln_1p()),
        ("poisson(laplace(scale=1), rate=0.1)", Relation::AddRemove, sampled),
        ("subset(laplace(scale=1), rate=0.1)", Relation::Replace, sampled),
        // Losses under Q of a Gaussian are unbounded, but without the record at most −ln(1 − γ) is seen.
        ("poisson(gaussian(sigma=1), rate=0.25)", Relation::Add, -(0.75f64.ln())),
        ("dp(epsilon=0) * 5", Relation::AddRemove, 0.0),
        (r#"pair(p="0.5,0.5", q="0.2,0.8")"#, Relation::Remove, 2.5f64.ln()),
        (r#"pair(p="0.5,0.5", q="0.2,0.8")"#, Relation::Add, 1.6f64.ln()),
    ];
    for (text, relation, truth) in cases {
        let answer = pure(text, relation);
        let (lower, upper) = (answer.lower().unwrap(), answer.upper());
        // The truth here is off by roundings of its own.
        let slack = 1e-14 * truth;
        assert!(lower <= truth + slack && truth - slack <= upper, "{text}, {relation}: {answer:?}");
        assert!(upper - lower <= 1e-12 * truth, "{text}, {relation}: {answer:?}");
        assert_eq!((answer.shortfall(), answer.guarantee()), (None, Guarantee::Certified), "{text}");
    }
}

#[test]
fn where_no_epsilon_will_do_the_reason_is_said() {
    for text in
        ["gaussian(sigma=1)", "dp(epsilon=1) + gaussian(sigma=100)", "poisson(gaussian(sigma=1), rate=0.1)"]
    {
        let answer = pure(text, Relation::AddRemove);
        assert_eq!(
            (answer.upper(), answer.shortfall()),
            (f64::INFINITY, Some(Shortfall::Unbounded)),
            "{text}"
        );
        assert!(answer.shortfall().unwrap().to_string().contains("ask for a δ above 0"));
    }
    let answer = pure("dp(epsilon=1, delta=0.25)", Relation::AddRemove);
    assert!(matches!(answer.shortfall(), Some(Shortfall::Unreachable { at_least, .. }) if at_least > 0.24));
    let answer = pure("zcdp(rho=1) + dp(epsilon=1)", Relation::AddRemove);
    assert_eq!(
        (answer.lower(), answer.upper(), answer.guarantee()),
        (None, f64::INFINITY, Guarantee::UpperBound)
    );
}

/// What the pair says of its tails is no part of how the answer comes about.
#[test]
fn tails_end_at_the_largest_loss() {
    let examples = catalogue().iter().map(|entry| entry.example).filter(|example| !example.contains("file="));
    let more = [
        "poisson(randomized_response(p=0.75), rate=0.3)",
        "poisson(staircase(epsilon=1, gamma=0.3), rate=0.2)",
        "subset(laplace(scale=1), rate=0.1)",
        "subset(randomized_response(p=0.75), rate=0.3)",
        "poisson(binomial(n=10), rate=0.5)",
        "truncated_laplace(scale=1, bound=3)",
        r#"profile(epsilons="0,1,2", deltas="0.3,0.1,0")"#,
        r#"pair(p="0.5,0.5,0", q="0.2,0.7,0.1")"#,
    ];
    let mut bounded = 0;
    for text in examples.chain(more) {
        let mechanism = parsed(text);
        for (relation, direction) in [
            (Relation::Remove, Direction::Remove),
            (Relation::Add, Direction::Add),
            (Relation::Replace, Direction::Replace),
        ] {
            let query = Query::new(&mechanism).relation(relation);
            let (Ok(answer), Ok(pair)) = (query.epsilon(0.0), dominating_pair(&mechanism, direction)) else {
                continue;
            };
            let (lower, upper) = (answer.lower().unwrap(), answer.upper());
            if upper.is_finite() {
                bounded += 1;
                let above = pair.tails(Ball::from(upper)).p.value();
                assert!(above.lower() == 0.0, "{text}, {relation}: {above:?} above {upper}");
                assert!(query.delta(upper).unwrap().lower().unwrap() == 0.0, "{text}, {relation}");
            } else if lower.is_finite() {
                assert!(answer.shortfall().is_some(), "{text}, {relation}: {answer:?}");
            }
            if lower > 0.0 {
                let below = if lower.is_finite() { lower * (1.0 - 1e-6) } else { 5.0 };
                let above = pair.tails(Ball::from(below)).p.value();
                assert!(above.upper() > 0.0, "{text}, {relation}: nothing above {below}");
            }
        }
    }
    assert!(bounded > 30, "{bounded}");
}

#[test]
fn an_array_of_questions_answers_it_too() {
    let mechanism = parsed("laplace(scale=2) * 3");
    let mut prepared = Query::new(&mechanism).prepare();
    for delta in [1e-3, 0.0, 1e-6] {
        assert!(prepared.epsilon(delta).unwrap().upper <= 1.5 * (1.0 + 1e-12));
    }
    assert!((prepared.epsilon(0.0).unwrap().lower.unwrap() - 1.5).abs() < 1e-12);
}

#[test]
fn methods_by_name_have_no_opinion() {
    let mechanism = parsed("laplace(scale=2)");
    let error = Query::new(&mechanism).method(Method::Lattice).epsilon(0.0).unwrap_err();
    assert!(error.to_string().contains("ask for a δ above 0"), "{error}");
    assert!(Query::new(&mechanism).epsilon(-0.0).is_ok());
    for delta in [-1e-9, 1.0, f64::NAN] {
        assert!(Query::new(&mechanism).epsilon(delta).is_err(), "{delta}");
    }
}

#[test]
fn calibration_meets_pure_differential_privacy() {
    let cases =
        [("laplace(scale=?) * 10", 10.0), ("dp(epsilon=0.1) * ?", 10.0), ("laplace(scale=20) * ?", 20.0)];
    for (text, expected) in cases {
        let template = Template::parse(text).unwrap();
        let target = Target::Guarantee { epsilon: 1.0, delta: 0.0 };
        let found = calibrate(&template, target, Relation::AddRemove, Method::Auto, None).unwrap();
        let value = found.value().unwrap();
        assert!((value - expected).abs() <= 1e-9 * expected || value == expected - 1.0, "{text}: {value}");
        assert!(found.answer().upper() <= 1.0, "{text}: {found:?}");
    }
    let template = Template::parse("gaussian(sigma=?)").unwrap();
    let target = Target::Guarantee { epsilon: 1.0, delta: 0.0 };
    let found = calibrate(&template, target, Relation::AddRemove, Method::Auto, None).unwrap();
    assert!(matches!(found.outcome(), Outcome::Impossible { .. }), "{found:?}");
}
