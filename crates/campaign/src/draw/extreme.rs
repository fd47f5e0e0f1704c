//! Expressions with numbers of every size, as nobody would write them: the examples of the catalogue with other numbers in them.

use hockeystick::mechanism::catalogue;
use hockeystick_chance::Random;

/// The longest expression that is drawn.
pub const LONGEST: usize = 200;

/// Ends of ranges, numbers beside them, and some of which there are too many.
const NUMBERS: [f64; 22] = [
    5e-324,
    1e-308,
    1e-300,
    1e-160,
    1e-50,
    1e-20,
    1e-9,
    1e-5,
    1e-3,
    0.1,
    0.5,
    0.999_999_999,
    1.0,
    2.5,
    30.0,
    1e3,
    1.3e5,
    1e8,
    1e15,
    1e50,
    1e160,
    1.7e308,
];
const COUNTS: [u64; 10] = [1, 2, 3, 10, 37, 1000, 100_000, 10_000_000, 1_000_000_000, 1_000_000_000_000_000];

/// An expression of at most [`LONGEST`] characters; not all of them are accepted.
pub fn expression(random: &mut Random) -> String {
    loop {
        let terms = 1 + random.below(3) * random.below(2);
        let terms: Vec<String> = (0..terms).map(|_| term(random)).collect();
        let text = terms.join(" + ");
        if text.len() <= LONGEST {
            return text;
        }
    }
}

fn term(random: &mut Random) -> String {
    let entries = catalogue();
    let example = entries[random.below(entries.len() as u64) as usize].example;
    let mut text = with_other_numbers(random, example);
    if random.chance(0.3) {
        let sampler = random.one_of(&["poisson", "poisson", "subset"]);
        text = format!("{sampler}({text}, rate={:?})", share(random));
    }
    if random.chance(0.6) { format!("{text} * {}", random.one_of(&COUNTS)) } else { text }
}

fn share(random: &mut Random) -> f64 {
    if random.chance(0.5) { random.uniform(0.0, 1.0) } else { random.log_uniform(1e-12, 1.0) }
}

/// A number of any kind.
pub(crate) fn number(random: &mut Random) -> f64 {
    match random.below(8) {
        0..=2 => *random.one_of(&NUMBERS),
        3 => *random.one_of(&COUNTS) as f64,
        4 => share(random),
        _ => random.log_uniform(1e-12, 1e12),
    }
}

/// The same text with some of its numbers replaced; those in lists less often, for lists belong together.
fn with_other_numbers(random: &mut Random, text: &str) -> String {
    let (mut out, mut rest, mut is_quoted) = (String::new(), text, false);
    while let Some(first) = rest.chars().next() {
        // Digits within a name are part of it.
        let follows_name = out.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let length = rest.find(|c: char| !(c.is_ascii_digit() || "._e-".contains(c))).unwrap_or(rest.len());
        if first.is_ascii_digit() && !follows_name {
            let is_whole = rest[..length].bytes().all(|byte| byte.is_ascii_digit());
            if random.chance(if is_quoted { 0.1 } else { 0.6 }) {
                if is_whole && random.chance(0.7) {
                    out += &random.one_of(&COUNTS).to_string();
                } else {
                    out += &format!("{:?}", number(random));
                }
            } else {
                out += &rest[..length];
            }
            rest = &rest[length..];
        } else {
            is_quoted ^= first == '"';
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick::mechanism::Mechanism;

    #[test]
    fn many_expressions_are_accepted_and_none_is_too_long() {
        let texts: Vec<String> = (0..3000).map(|case| expression(&mut Random::of_case(1, case))).collect();
        assert!(texts.iter().all(|text| text.len() <= LONGEST));
        let accepted: Vec<&String> = texts.iter().filter(|text| text.parse::<Mechanism>().is_ok()).collect();
        assert!(accepted.len() > 600, "{}", accepted.len());
        for entry in catalogue() {
            let name = format!("{}(", entry.name);
            assert!(accepted.iter().any(|text| text.contains(&name)), "{name}");
        }
    }
}
