//! Expressions made from the grammar with values that no mechanism should take, and questions about those that are accepted.
//!
//! No panic; NaN, infinity, negative numbers and fractional counts are never accepted in silence; every answer is an interval.
//! `HOCKEYSTICK_FUZZ_EXPRESSIONS` and `HOCKEYSTICK_FUZZ_QUESTIONS` say how many are drawn, `HOCKEYSTICK_FUZZ_SEED` which.

use hockeystick::{
    Query,
    limits::Limits,
    mechanism::{Algebra, Compose, Mechanism, Relation, Value},
    query::Method,
};
use hockeystick_campaign::draw::grammar::{DELTAS, Drawn, EPSILONS, expression, ordinary};
use hockeystick_chance::Random;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Numbers of the mechanism and of everything in it that no mechanism should have.
fn improper(mechanism: &Mechanism) -> Vec<String> {
    match mechanism {
        Mechanism::Compose(compose) => compose.iter().flat_map(improper).collect(),
        Mechanism::Repeat(repeat) => improper(repeat.mechanism()),
        _ => {
            mechanism.arguments().into_iter().flat_map(|(name, value)| improper_value(name, &value)).collect()
        }
    }
}

fn improper_value(name: &str, value: &Value<'_>) -> Vec<String> {
    let finite = |number: &f64| number.is_finite();
    match value {
        Value::Number(number) if !(number.is_finite() && *number >= 0.0) => vec![format!("{name}={number}")],
        Value::Numbers(numbers) if !numbers.iter().all(finite) => vec![format!("{name}={numbers:?}")],
        Value::Mechanism(inner) => improper(inner),
        Value::Number(_) | Value::Numbers(_) | Value::Whole(_) | Value::Text(_) => vec![],
    }
}

fn guarded<T>(what: &str, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| panic!("{what}: panicked"))
}

#[test]
fn no_improper_value_is_accepted() {
    let (wanted, seed) =
        (setting("HOCKEYSTICK_FUZZ_EXPRESSIONS", 100_000), setting("HOCKEYSTICK_FUZZ_SEED", 29));
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..wanted {
        let Drawn { text, must_be_refused } = expression(&mut Random::of_case(seed, number), 2);
        match guarded(&text, || text.parse::<Mechanism>()) {
            Ok(mechanism) => {
                accepted += 1;
                assert!(!must_be_refused, "{text} was accepted as {mechanism}");
                assert_eq!(improper(&mechanism), Vec::<String>::new(), "{text}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty() && error.line() >= 1, "{text}");
            }
        }
    }
    assert!(accepted > wanted / 50 && refused > wanted / 10, "{accepted} accepted, {refused} refused");
}

const METHODS: [Method; 8] = [
    Method::Auto,
    Method::Auto,
    Method::Auto,
    Method::ClosedForm,
    Method::Rdp,
    Method::RdpOptimal,
    Method::Kov,
    Method::Advanced,
];

/// What takes longer is a bound, or refused: unoptimised, curves of samples of compositions take seconds.
const PATIENCE: Limits = Limits { time: Some(Duration::from_millis(500)), memory: None };

#[test]
fn every_answer_is_an_interval() {
    let (wanted, seed) = (setting("HOCKEYSTICK_FUZZ_QUESTIONS", 2000), setting("HOCKEYSTICK_FUZZ_SEED", 29));
    let mut answered = 0;
    for number in 0..wanted {
        let mut random = Random::of_case(!seed, number);
        let mut mechanism = ordinary(&mut random);
        if random.chance(0.2) {
            mechanism = mechanism.repeat(1 + random.below(4));
        }
        if random.chance(0.2) {
            mechanism = Compose::new(vec![mechanism, ordinary(&mut random)]).expect("two parts");
        }
        let relation = *random.one_of(&Relation::ALL);
        let query =
            Query::new(&mechanism).relation(relation).method(*random.one_of(&METHODS)).limits(PATIENCE);
        let (epsilon, delta) = (*random.one_of(&EPSILONS), *random.one_of(&DELTAS));
        let what = format!("{mechanism} {relation} ε = {epsilon:?}, δ = {delta:?}");
        let by_epsilon = guarded(&what, || query.delta(epsilon));
        let by_delta = guarded(&what, || query.epsilon(delta));
        assert!(by_epsilon.is_err() || epsilon.is_finite() && epsilon >= 0.0, "{what}: {by_epsilon:?}");
        assert!(by_delta.is_err() || (0.0..=1.0).contains(&delta), "{what}: {by_delta:?}");
        if let Ok(answer) = by_epsilon {
            answered += 1;
            let lower = answer.lower().unwrap_or(0.0);
            assert!(0.0 <= lower && lower <= answer.upper() && answer.upper() <= 1.0, "{what}: {answer:?}");
        }
        if let Ok(answer) = by_delta {
            answered += 1;
            let lower = answer.lower().unwrap_or(0.0);
            assert!(0.0 <= lower && lower <= answer.upper(), "{what}: {answer:?}");
        }
    }
    assert!(answered > wanted / 10, "{answered} of {wanted}");
}
