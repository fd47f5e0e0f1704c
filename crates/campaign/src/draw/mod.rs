//! Random cases over the whole range of what can be asked: every mechanism, alone and in sums, sampled or not, from one use to 10⁹,
//! δ from 0.9 to 10⁻³⁰⁰.

pub mod extreme;
pub mod grammar;
mod leaf;
mod quick;

use crate::Case;
use hockeystick::mechanism::{Mechanism, Relation};
use hockeystick_chance::Random;
use leaf::{LEAVES, Leaf};

/// The case of this number in the campaign of this seed. One case in `whole` is drawn from all there is; what is asked in the others
/// takes milliseconds at most, most often.
///
/// # Panics
/// If `whole` is 0.
pub fn case(seed: u64, number: u64, whole: u64) -> Case {
    let mut random = Random::of_case(seed, number);
    let relation = *random.one_of(&Relation::ALL);
    let parts = if random.below(whole) == 0 {
        some_parts(&mut random, relation, Wanted::Anything)
    } else {
        quick::some_parts(&mut random, relation)
    };
    Case { mechanism: sum(&parts), relation, delta: some_delta(&mut random) }
}

/// The case of this number, of a kind that the references know, in one direction.
pub fn case_for_reference(seed: u64, number: u64) -> Case {
    let mut random = Random::of_case(seed, number);
    let relation = *random.one_of(&[Relation::Add, Relation::Remove, Relation::Replace]);
    let parts = match random.below(12) {
        0 => some_parts(&mut random, relation, Wanted::Referenced),
        1 | 2 => quick::some_parts(&mut random, relation),
        _ => quick::with_a_cheap_reference(&mut random, relation),
    };
    Case { mechanism: sum(&parts), relation, delta: some_delta(&mut random) }
}

/// What may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Anything,
    /// Leaves with a reference, in sums, each sampled at most once.
    Referenced,
}

fn sum(parts: &[String]) -> Mechanism {
    let text = parts.join(" + ");
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn some_delta(random: &mut Random) -> f64 {
    let least = if random.chance(0.4) { 1e-300 } else { 1e-16 };
    random.log_uniform(least, 0.9)
}

fn some_parts(random: &mut Random, relation: Relation, wanted: Wanted) -> Vec<String> {
    let many = if random.chance(0.65) { 1 } else { 2 + random.below(3) };
    (0..many).map(|_| part(random, relation, wanted)).collect()
}

/// From one to 10⁹, small and round numbers more often than others.
fn some_count(random: &mut Random) -> u64 {
    let count = if random.chance(0.25) { 1 + random.below(6) } else { random.log_uniform(1.0, 1e9) as u64 };
    if random.chance(0.2) { 10u64.pow(count.ilog10()) } else { count }
}

/// The standard deviation of all losses together.
fn some_total(random: &mut Random) -> f64 {
    if random.chance(0.85) { random.log_uniform(0.02, 12.0) } else { random.log_uniform(1e-4, 60.0) }
}

/// A number as it is, or in one or two digits, as people write them.
fn rounded(random: &mut Random, value: f64) -> f64 {
    let digits = random.below(8) as usize;
    if digits < 2 { format!("{value:.digits$e}").parse().unwrap_or(value) } else { value }
}

/// Some uses of a mechanism that together have a loss of an ordinary size, most often.
fn part(random: &mut Random, relation: Relation, wanted: Wanted) -> String {
    let count = if random.chance(0.25) { 1 + random.below(6) } else { random.log_uniform(1.0, 1e9) as u64 };
    let count = if random.chance(0.2) { 10u64.pow(count.ilog10()) } else { count };
    let total =
        if random.chance(0.85) { random.log_uniform(0.02, 12.0) } else { random.log_uniform(1e-4, 60.0) };
    let leaf = some_leaf(random, relation, wanted);
    let is_sampled = leaf.has_pair && random.chance(0.45);
    let rate = random.log_uniform(1e-5, 0.9);
    let rate = if is_sampled { rounded(random, rate) } else { 1.0 };
    let spread = (total / (count as f64).sqrt() / rate).min(3.0);
    let mut one = leaf.text(random, spread);
    let may_nest = wanted == Wanted::Anything && is_sampled && relation != Relation::Replace;
    if may_nest && random.chance(0.05) {
        let other = some_leaf(random, relation, wanted);
        if other.has_pair {
            one = format!("{one} * {} + {}", 1 + random.below(3), other.text(random, spread));
        }
    }
    let subset = relation == Relation::Replace || (leaf.is_symmetric && random.chance(0.3));
    let sampler = if subset { "subset" } else { "poisson" };
    let mut text = if is_sampled { format!("{sampler}({one}, rate={rate:?})") } else { one };
    if may_nest && !subset && random.chance(0.05) {
        text = format!("poisson({text}, rate={:?})", random.uniform(0.1, 1.0));
    }
    times(text, count)
}

fn times(text: String, count: u64) -> String {
    if count == 1 { text } else { format!("{text} * {count}") }
}

fn some_leaf(random: &mut Random, relation: Relation, wanted: Wanted) -> &'static Leaf {
    loop {
        let leaf = random.one_of(LEAVES);
        let fits = relation != Relation::Replace || leaf.is_symmetric;
        if fits && (wanted == Wanted::Anything || leaf.has_reference) {
            return leaf;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick::mechanism::catalogue;

    #[test]
    fn every_mechanism_is_drawn() {
        let texts: Vec<String> = (0..2000).map(|number| case(1, number, 2).mechanism.to_string()).collect();
        for entry in catalogue() {
            let count = texts.iter().filter(|text| text.contains(&format!("{}(", entry.name))).count();
            assert!(count > 10, "{}: {count}", entry.name);
        }
        for sign in [" + ", " * ", "poisson(poisson("] {
            assert!(texts.iter().any(|text| text.contains(sign)), "{sign}");
        }
    }

    #[test]
    fn cases_are_those_of_their_number() {
        assert_eq!(case(3, 5, 40), case(3, 5, 40));
        assert_ne!(case(3, 5, 40), case(3, 6, 40));
        assert_ne!(case(3, 5, 40), case(4, 5, 40));
    }

    #[test]
    fn references_are_asked_in_one_direction() {
        for number in 0..500 {
            let case = case_for_reference(1, number);
            assert_ne!(case.relation, Relation::AddRemove);
            assert!(!case.mechanism.to_string().contains("zcdp"));
        }
    }
}
