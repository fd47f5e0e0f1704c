//! Many questions about one composition: every reading encloses the truth that a single answer encloses.

use hockeystick::{
    Query,
    mechanism::{Mechanism, PairFile, ProfileFile, RandomizedResponse, Relation, Value, build},
    query::Method,
};
use std::borrow::Cow;

fn parsed(text: &str) -> Mechanism {
    text.parse().unwrap()
}

const MECHANISMS: [&str; 5] = [
    "gaussian(sigma=2) * 10",
    "poisson(gaussian(sigma=1), rate=0.01) * 1000",
    "laplace(scale=5) * 12 + gaussian(sigma=3) * 5",
    "dp(epsilon=0.5, delta=1e-9) * 10",
    "zcdp(rho=0.1)",
];

#[test]
fn readings_and_answers_overlap() {
    for text in MECHANISMS {
        let mechanism = parsed(text);
        let query = Query::new(&mechanism);
        let mut prepared = query.prepare();
        for i in 0..40 {
            let delta = 10f64.powf(-8.0 + 0.19 * f64::from(i));
            let (reading, answer) = (prepared.epsilon(delta).unwrap(), query.epsilon(delta).unwrap());
            assert!(reading.lower.unwrap_or(0.0) <= answer.upper(), "{text}, δ = {delta}");
            assert!(answer.lower().unwrap_or(0.0) <= reading.upper, "{text}, δ = {delta}");
            assert_eq!(reading.guarantee, answer.guarantee());
            let epsilon = 0.1 * f64::from(i);
            let (reading, answer) = (prepared.delta(epsilon).unwrap(), query.delta(epsilon).unwrap());
            assert!(reading.lower.unwrap_or(0.0) <= answer.upper(), "{text}, ε = {epsilon}");
            assert!(answer.lower().unwrap_or(0.0) <= reading.upper, "{text}, ε = {epsilon}");
        }
    }
}

/// Far above the ε that a closed form of large losses was made for, a bound of what it has too much was once cut off at 1, though it may be up to `e^ε`: readings
/// there were certain of far too little.
#[test]
fn readings_far_above_the_first_question_enclose_the_truth() {
    let mechanisms = [
        "poisson(gaussian(sigma=0.375), rate=0.05) * 14",
        "poisson(gaussian(sigma=0.7), rate=0.01) * 10",
        "poisson(gaussian(sigma=0.5), rate=0.001) * 3",
        "poisson(gaussian(sigma=0.36), rate=0.0285) * 46",
    ];
    for text in mechanisms {
        let mechanism = parsed(text);
        let query = Query::new(&mechanism).relation(Relation::Remove);
        let at_zero = query.delta(0.0).unwrap().upper();
        for part in [0.99, 0.5, 0.1] {
            let mut prepared = query.prepare();
            prepared.epsilon(part * at_zero).unwrap();
            for epsilon in [1.0, 3.0, 5.0, 6.7, 7.5, 11.5, 16.0] {
                let (reading, answer) = (prepared.delta(epsilon).unwrap(), query.delta(epsilon).unwrap());
                assert!(reading.lower.unwrap() <= answer.upper(), "{text}, ε = {epsilon}");
                assert!(
                    answer.lower().unwrap() <= reading.upper,
                    "{text}, ε = {epsilon}: {} {answer:?}",
                    reading.upper
                );
            }
            for delta in [1e-5, 1e-30] {
                let (reading, answer) = (prepared.epsilon(delta).unwrap(), query.epsilon(delta).unwrap());
                assert!(reading.lower.unwrap() <= answer.upper(), "{text}, δ = {delta}");
                assert!(answer.lower().unwrap() <= reading.upper, "{text}, δ = {delta}");
            }
        }
    }
}

/// Where questions were close together, the contour once drew a line for each of them, and then lost its way.
#[test]
fn questions_close_together_have_narrow_readings() {
    let mechanism = parsed("poisson(gaussian(sigma=1), rate=0.01) * 1000");
    let mut prepared = Query::new(&mechanism).prepare();
    let mut last = f64::INFINITY;
    for i in 0..2000 {
        let reading = prepared.epsilon(1e-6 * (1.0 + 1e-4 * f64::from(i))).unwrap();
        let lower = reading.lower.unwrap();
        assert!(reading.upper - lower <= 1e-10 * reading.upper, "{lower} to {}", reading.upper);
        assert!(lower <= last, "ε falls while δ rises");
        last = reading.upper;
    }
}

/// A composition that is wide elsewhere was once good enough for all questions up to a width of 10⁻³, whatever was asked for.
#[test]
fn readings_keep_the_tolerance_of_answers() {
    let mechanism = parsed("discrete_gaussian(sigma=3) * 20");
    for tolerance in [1e-4, 1e-5] {
        let query = Query::new(&mechanism).tolerance(tolerance);
        let mut prepared = query.prepare();
        for i in 0..16 {
            let reading = prepared.epsilon(10f64.powf(-8.0 + 0.4 * f64::from(i))).unwrap();
            let width = (reading.upper - reading.lower.unwrap()) / reading.upper;
            assert!(width <= 4.0 * tolerance, "{width:e} for a tolerance of {tolerance:e}");
        }
    }
}

/// Where δ has few digits, one interval serves several questions: it must hold for each of them, in either order.
#[test]
fn shared_intervals_hold_for_every_question() {
    let mechanism = parsed("laplace(scale=5) * 12");
    let query = Query::new(&mechanism);
    let at = |i: i32| 1e-6 * (1.0 + 1e-4 * f64::from(i));
    for order in [(0..60).collect::<Vec<i32>>(), (0..60).rev().collect()] {
        let mut prepared = query.prepare();
        for i in order {
            let reading = prepared.epsilon(at(i)).unwrap();
            if i % 20 == 0 {
                let answer = query.tolerance(1e-7).epsilon(at(i)).unwrap();
                assert!(reading.lower.unwrap() <= answer.upper() && answer.lower().unwrap() <= reading.upper);
                assert!(query.tolerance(1e-7).delta(reading.upper).unwrap().lower().unwrap() <= at(i));
                assert!(query.tolerance(1e-7).delta(reading.lower.unwrap()).unwrap().upper() >= at(i));
            }
        }
    }
}

#[test]
fn bad_numbers_are_refused_and_change_nothing() {
    let mechanism = parsed("gaussian(sigma=2)");
    let mut prepared = Query::new(&mechanism).prepare();
    for delta in [1.0, -1.0, f64::NAN] {
        let (reading, answer) = (prepared.epsilon(delta), Query::new(&mechanism).epsilon(delta));
        assert_eq!(reading.unwrap_err().to_string(), answer.unwrap_err().to_string());
    }
    assert!(prepared.delta(-1.0).is_err());
    assert!(prepared.epsilon(1e-6).is_ok());
    assert!(Query::new(&mechanism).method(Method::Rdp).prepare().epsilon(1e-6).unwrap().lower.is_none());
}

/// With one direction beyond all finite ε, the other is still asked for.
#[test]
fn an_infinite_direction_is_no_place_to_evaluate() {
    let mechanism = parsed("poisson(uniform(width=10), rate=0.5) * 2 + gaussian(sigma=1)");
    let query = Query::new(&mechanism);
    let mut prepared = query.prepare();
    for delta in [1e-9, 1e-3, 0.3] {
        let (reading, answer) = (prepared.epsilon(delta).unwrap(), query.epsilon(delta).unwrap());
        assert!(reading.lower.unwrap() <= answer.upper() && answer.lower().unwrap() <= reading.upper);
        assert_eq!(reading.upper.is_finite(), answer.upper().is_finite());
    }
}

#[test]
fn a_listed_pair_spends_what_its_closed_form_spends() {
    let listed = Mechanism::from(PairFile::from_probabilities([0.75, 0.25], [0.25, 0.75]).unwrap());
    assert_eq!(listed.to_string(), r#"pair(p="0.75,0.25", q="0.25,0.75")"#);
    assert_eq!(parsed(&listed.to_string()), listed);
    let response = Mechanism::from(RandomizedResponse::new(0.75).unwrap());
    for count in [1, 10, 100] {
        let (one, other) = (listed.clone() * count, response.clone() * count);
        let (one, other) =
            (hockeystick::epsilon(&one, 1e-4).unwrap(), hockeystick::epsilon(&other, 1e-4).unwrap());
        assert!(one.lower().unwrap() <= other.upper() && other.lower().unwrap() <= one.upper());
    }
}

#[test]
fn a_listed_profile_keeps_to_its_bounds() {
    let listed = Mechanism::from(ProfileFile::from_points([0.0, 1.0, 2.0], [0.3, 0.01, 1e-6]).unwrap());
    assert_eq!(parsed(&listed.to_string()), listed);
    for (epsilon, delta) in [(0.0, 0.3), (1.0, 0.01), (2.0, 1e-6)] {
        assert!(hockeystick::delta(&listed, epsilon).unwrap().lower().unwrap() <= delta);
    }
}

#[test]
fn what_is_wrong_with_lists_is_said() {
    let refused = |text: &str| match text.parse::<Mechanism>() {
        Err(error) => error.to_string(),
        Ok(mechanism) => hockeystick::epsilon(&mechanism, 1e-6).unwrap_err().to_string(),
    };
    for (text, message) in [
        (r#"pair(p="0.5,0.5")"#, "pair needs q"),
        (r#"pair(p="0.5,0.5", q="1")"#, "as long as p, which has 2"),
        (r#"pair(p="0.5,0.5", q="1.5,-0.5")"#, "q is 1.5, but must be from 0 to 1"),
        (r#"pair(p="0.5,0.5", q="0.5,0.4")"#, "p and q: the probabilities under Q add up to 0.9"),
        (r#"pair(file="a.csv", p="1")"#, "p cannot be given together with file"),
        ("profile()", "profile needs file, or epsilons and deltas"),
        (r#"profile(epsilons="1", deltas="2")"#, "epsilons and deltas, line 1: δ is 2"),
    ] {
        assert!(refused(text).contains(message), "{text}: {}", refused(text));
    }
}

#[test]
fn mechanisms_are_built_from_named_values() {
    let inner = Value::Mechanism(Cow::Owned(parsed("gdp(mu=1)")));
    let whole = build("repeat", [("mechanism", inner), ("count", Value::Number(3.0))]);
    assert_eq!(whole.unwrap().to_string(), "gdp(mu=1) * 3");
    let error = build("binomial", [("n", Value::Number(2.5))]).unwrap_err();
    assert!(error.to_string().starts_with("binomial: n is 2.5, but must be a whole number"), "{error}");
    assert!(build("gausian", []).unwrap_err().to_string().contains("did you mean gaussian?"));
    let error = build("gaussian", [("sigma", Value::Text("1".into()))]).unwrap_err();
    assert_eq!(error.to_string(), "gaussian: sigma takes a number, not a text in double quotes");
}

/// Once a composition that was prepared for a δ next to 1 had next to nothing at ε = 0: what many uses undo was bounded by a moment of an order below 1, which bounds nothing.
#[test]
fn what_is_prepared_next_to_one_is_next_to_one_at_zero() {
    for (uses, delta) in
        [(134, 0.999_999_999_999_997_7), (134, 0.999_999_999_999_979_9), (132, 0.999_999_999_999_991_7)]
    {
        let text = format!("poisson(gaussian(sigma=0.5141257195326553), rate=0.9844553200896435) * {uses}");
        let mechanism: Mechanism = text.parse().unwrap();
        let mut prepared = Query::new(&mechanism).relation(Relation::Add).prepare();
        prepared.epsilon(delta).unwrap();
        let at_zero = prepared.delta(0.0).unwrap();
        assert!(at_zero.lower.unwrap() > 0.999 && at_zero.upper <= 1.0, "{at_zero:?}");
    }
}
