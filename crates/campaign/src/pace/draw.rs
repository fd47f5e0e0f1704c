//! The errand of a number: nine in ten from the grammar, one in ten with numbers of every size.

use super::question::{Errand, Question, Share};
use crate::draw::{self, extreme, grammar};
use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::Method,
};
use hockeystick_chance::Random;

/// One errand in so many is an extreme one.
const EXTREME: u64 = 10;

/// The errand of this number in the campaign of this seed. Its expression is one that is accepted: what the grammar makes beyond that is
/// refused in microseconds, and drawn again.
pub fn errand(seed: u64, number: u64) -> Errand {
    let mut random = Random::of_case(seed, number);
    if random.below(EXTREME) == 0 { extreme(&mut random, seed, number) } else { fuzzed(&mut random) }
}

/// Expressions with values that nobody would give, and ordinary ones alone, repeated and in sums; improper ε and δ among the others.
fn fuzzed(random: &mut Random) -> Errand {
    let text =
        if random.chance(0.5) { accepted(|| grammar::expression(random, 2).text) } else { ordinary(random) };
    let epsilon = *random.one_of(&grammar::EPSILONS);
    let delta = *random.one_of(&grammar::DELTAS);
    asked(random, Share::Grammar, text, epsilon, delta)
}

fn ordinary(random: &mut Random) -> String {
    let mut text = grammar::ordinary(random).to_string();
    if random.chance(0.2) {
        text = format!("{text} * {}", 1 + random.below(4));
    }
    if random.chance(0.2) {
        text = format!("{text} + {}", grammar::ordinary(random));
    }
    text
}

fn extreme(random: &mut Random, seed: u64, number: u64) -> Errand {
    let text = if random.chance(0.25) {
        draw::case(seed, number, 1).mechanism.to_string()
    } else {
        accepted(|| extreme::expression(random))
    };
    let delta = *random.one_of(&[5e-324, 1e-300, 1e-12, 1e-5, 1e-5, 0.1, 0.9, 1.0 - 1e-16]);
    let epsilon = *random.one_of(&[0.0, 1e-300, 1e-3, 1.0, 10.0, 1e3, 1e19, 1e300]);
    asked(random, Share::Extreme, text, epsilon, delta)
}

fn asked(random: &mut Random, share: Share, text: String, epsilon: f64, delta: f64) -> Errand {
    let relation = *random.one_of(&Relation::ALL);
    let methods: Vec<Method> = Method::all().collect();
    let method = if random.chance(0.75) { Method::Auto } else { *random.one_of(&methods) };
    // A comparison asks by twenty methods, published ones on lattices of a million points among them: one in fifty takes as long as
    // all single questions together.
    let question = match random.below(50) {
        0..=21 => Question::Epsilon(delta),
        22..=38 => Question::Delta(epsilon),
        39..=42 => Question::Curves,
        43 => Question::Compare(delta),
        _ => Question::Calibrate(epsilon, delta),
    };
    let text = match question {
        Question::Calibrate(..) => with_a_hole(random, &text).unwrap_or(text),
        _ => text,
    };
    Errand { share, text, relation, method, question }
}

fn accepted(mut drawn: impl FnMut() -> String) -> String {
    loop {
        let text = drawn();
        if text.parse::<Mechanism>().is_ok() {
            return text;
        }
    }
}

/// The expression with one of its numbers in question.
fn with_a_hole(random: &mut Random, text: &str) -> Option<String> {
    let starts: Vec<usize> = text
        .match_indices(['=', '*'])
        .map(|(at, sign)| at + sign.len())
        .filter(|at| text[*at..].trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let start = *starts.get(random.below(starts.len().max(1) as u64) as usize)?;
    let length = text[start..].find([',', ')', '+']).unwrap_or(text.len() - start);
    Some(format!("{}?{}", &text[..start], &text[start + length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_errand_in_ten_is_extreme_and_all_are_accepted() {
        let errands: Vec<Errand> = (0..1000).map(|number| errand(1, number)).collect();
        let extreme = errands.iter().filter(|errand| errand.share == Share::Extreme).count();
        assert!((70..130).contains(&extreme), "{extreme}");
        let count = |is_wanted: fn(&Question) -> bool| {
            errands.iter().filter(|errand| is_wanted(&errand.question)).count()
        };
        assert!(count(|question| matches!(question, Question::Compare(_))) > 5);
        assert!(count(|question| matches!(question, Question::Curves)) > 40);
        assert!(count(|question| matches!(question, Question::Calibrate(..))) > 60);
        for Errand { text, question, .. } in &errands {
            let is_filled = !matches!(question, Question::Calibrate(..));
            assert!(!is_filled || text.parse::<Mechanism>().is_ok(), "{text}");
        }
    }

    #[test]
    fn errands_are_those_of_their_number() {
        assert_eq!(errand(3, 5).to_string(), errand(3, 5).to_string());
        assert_ne!(errand(3, 5).to_string(), errand(4, 5).to_string());
    }
}
