//! Expressions made from the grammar: with values that no mechanism should take, and with ordinary ones.

use hockeystick::mechanism::{Entry, Kind, Mechanism, Presence, catalogue};
use hockeystick_chance::Random;

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

/// ε as it should not be asked for, and as it may be.
pub const EPSILONS: [f64; 12] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -5e-324, 0.0, 5e-324, 1e-300, 1e-9, 1.0, 700.0, 1e300];
/// The same of δ.
pub const DELTAS: [f64; 13] = [
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
/// An expression, and whether a count or a value in it must make it refused.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The expression.
    pub text: String,
    /// Has it a value that no mechanism takes?
    pub must_be_refused: bool,
}

/// Some terms; mechanisms within mechanisms to this depth.
pub fn expression(random: &mut Random, depth: u32) -> Drawn {
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

/// Parameters that a mechanism may well have, so that a question about it is short.
pub fn ordinary(random: &mut Random) -> Mechanism {
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
