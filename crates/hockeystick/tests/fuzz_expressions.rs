//! Expressions made from the grammar with values that no mechanism should take, and questions about those that are accepted.
//!
//! No panic; NaN, infinity, negative numbers and fractional counts are never accepted in silence; every answer is an interval.
//! `HOCKEYSTICK_FUZZ_EXPRESSIONS` and `HOCKEYSTICK_FUZZ_QUESTIONS` say how many are drawn, `HOCKEYSTICK_FUZZ_SEED` which.

use hockeystick::{
    Query,
    mechanism::{Algebra, Compose, Entry, Kind, Mechanism, Presence, Relation, Value, catalogue},
    query::Method,
};
use hockeystick_chance::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What is no number for any mechanism, and no count.
const NO_NUMBERS: [&str; 14] = [
    "nan", "NaN", "-nan", "inf", "-inf", "infinity", "1e400", "-1e400", "-1", "-0.5", "-1e-300", "-5e-324",
    "\"\"", "1..2",
];
/// What is a number, but no count and no whole parameter.
const NO_COUNTS: [&str; 10] =
    ["2.5", "0.5", "1e-3", "999.9999", "1.0000000001", "1e16", "1e300", "5e-324", "0", "0.0"];
const NUMBERS: [&str; 18] = [
    "0",
    "-0.0",
    "1",
    "0.5",
    "2",
    "0.1",
    "1e-3",
    "3.7",
    "10",
    "100",
    "1e-9",
    "1e9",
    "0.999999",
    "1e-300",
    "1e300",
    "5e-324",
    "1.7976931348623157e308",
    "007",
];
const WHOLES: [&str; 8] = ["1", "2", "3", "10", "1e2", "1_000", "1e15", "7"];
const LISTS: [&str; 10] = [
    "\"0,1\"",
    "\"0.5,0.5\"",
    "\"0.25,0.75\"",
    "\"1\"",
    "\"nan,1\"",
    "\"inf\"",
    "\"-1,2\"",
    "\"\"",
    "\"1e400,0\"",
    "\"0.1,0.2,0.7\"",
];

/// An expression, and whether a count or a value in it must make it refused.
struct Drawn {
    text: String,
    must_be_refused: bool,
}

fn expression(random: &mut Random, depth: u32) -> Drawn {
    let terms = if random.chance(0.2) { 1 + random.below(3) } else { 1 };
    let mut drawn = Drawn { text: String::new(), must_be_refused: false };
    for index in 0..terms {
        let Drawn { text, must_be_refused } = term(random, depth);
        if index > 0 {
            drawn.text += " + ";
        }
        drawn.text += &text;
        drawn.must_be_refused |= must_be_refused;
    }
    drawn
}

fn term(random: &mut Random, depth: u32) -> Drawn {
    let one = call(random, depth);
    if random.chance(0.6) {
        return one;
    }
    let is_bad = random.chance(0.4);
    let count = match (is_bad, random.chance(0.5)) {
        (true, true) => *random.one_of(&NO_NUMBERS),
        (true, false) => *random.one_of(&NO_COUNTS),
        (false, _) => *random.one_of(&WHOLES),
    };
    let text = if random.chance(0.3) {
        format!("{count} * {}", one.text)
    } else {
        format!("{} * {count}", one.text)
    };
    Drawn { text, must_be_refused: one.must_be_refused || is_bad }
}

fn call(random: &mut Random, depth: u32) -> Drawn {
    let entry: &Entry = random.one_of(catalogue());
    let (mut arguments, mut must_be_refused) = (vec![], false);
    for parameter in entry.parameters {
        let is_given = match parameter.presence {
            Presence::Required => random.chance(0.97),
            Presence::Alternative => random.chance(0.5),
            Presence::Default(_) => random.chance(0.4),
        };
        if !is_given {
            continue;
        }
        let value = match parameter.kind {
            Kind::Mechanism if depth == 0 => "gaussian(sigma=1)".to_owned(),
            Kind::Mechanism => {
                let inner = expression(random, depth - 1);
                must_be_refused |= inner.must_be_refused;
                inner.text
            }
            Kind::Number | Kind::Whole if random.chance(0.1) => {
                must_be_refused = true;
                (*random.one_of(&NO_NUMBERS)).to_owned()
            }
            Kind::Whole if random.chance(0.1) => {
                must_be_refused = true;
                // 0 is a whole number, and some parameters take it.
                (*random.one_of(&NO_COUNTS[..8])).to_owned()
            }
            Kind::Whole => (*random.one_of(&WHOLES)).to_owned(),
            Kind::Number => (*random.one_of(&NUMBERS)).to_owned(),
            Kind::Numbers => (*random.one_of(&LISTS)).to_owned(),
            Kind::Text => "\"no such file\"".to_owned(),
        };
        arguments.push(match parameter.kind {
            Kind::Mechanism => value,
            Kind::Number | Kind::Whole | Kind::Numbers | Kind::Text => format!("{}={value}", parameter.name),
        });
    }
    Drawn { text: format!("{}({})", entry.name, arguments.join(", ")), must_be_refused }
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

/// Parameters that a mechanism may well have, so that a question about it is short.
fn ordinary(random: &mut Random) -> Mechanism {
    let number = |random: &mut Random| random.log_uniform(0.05, 20.0);
    loop {
        let entry: &Entry = random.one_of(catalogue());
        let arguments = entry.parameters.iter().filter_map(|parameter| {
            let value = match parameter.kind {
                Kind::Mechanism => "gaussian(sigma=2)".to_owned(),
                Kind::Whole => (1 + random.below(9)).to_string(),
                Kind::Number
                    if parameter.name == "rate" || parameter.name == "gamma" || parameter.name == "p" =>
                {
                    random.uniform(0.01, 0.99).to_string()
                }
                Kind::Number if parameter.name == "delta" => random.log_uniform(1e-12, 0.1).to_string(),
                Kind::Number => number(random).to_string(),
                Kind::Numbers => (*random.one_of(&LISTS)).to_owned(),
                Kind::Text => return None,
            };
            let is_given = match parameter.presence {
                Presence::Required => true,
                Presence::Alternative => random.chance(0.5),
                Presence::Default(_) => random.chance(0.3),
            };
            is_given.then(|| match parameter.kind {
                Kind::Mechanism => value,
                Kind::Number | Kind::Whole | Kind::Numbers | Kind::Text => {
                    format!("{}={value}", parameter.name)
                }
            })
        });
        let text = format!("{}({})", entry.name, arguments.collect::<Vec<_>>().join(", "));
        if let Ok(mechanism) = text.parse::<Mechanism>() {
            return mechanism;
        }
    }
}

/// ε and δ as they should not be asked for, and as they may be.
const EPSILONS: [f64; 12] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -5e-324, 0.0, 5e-324, 1e-300, 1e-9, 1.0, 700.0, 1e300];
const DELTAS: [f64; 13] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -1.0,
    -5e-324,
    1.5,
    1.0,
    5e-324,
    1e-300,
    1e-5,
    0.5,
    1.0 - f64::EPSILON,
    0.0,
];
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
        let query = Query::new(&mechanism).relation(relation).method(*random.one_of(&METHODS));
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
