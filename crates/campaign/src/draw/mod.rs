//! Random cases over the whole range of what can be asked: every mechanism, alone and in sums, sampled or not, from one use to 10⁹,
//! δ from 0.9 to 10⁻³⁰⁰.
//!
//! In: a seed and a number. Out: a [`Case`]. [`extreme`] and [`grammar`] give the texts of expressions only.
//!
//! # Guarantee
//! The same seed and number give the same case, and its expression is accepted.

mod amounts;
mod broad;
pub mod extreme;
pub mod grammar;
mod leaf;
mod quick;

use crate::Case;
use broad::Wanted;
use hockeystick::mechanism::{Mechanism, Relation};
use hockeystick_chance::Random;

/// The case of this number in the campaign of this seed. One case in `whole` is drawn from all there is; what is asked in the others
/// takes milliseconds at most, most often.
///
/// # Panics
/// If `whole` is 0.
pub fn case(seed: u64, number: u64, whole: u64) -> Case {
    let mut random = Random::of_case(seed, number);
    let relation = *random.one_of(&Relation::ALL);
    let parts = if random.below(whole) == 0 {
        broad::some_parts(&mut random, relation, Wanted::Anything)
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
        0 => broad::some_parts(&mut random, relation, Wanted::Referenced),
        1 | 2 => quick::some_parts(&mut random, relation),
        _ => quick::with_a_cheap_reference(&mut random, relation),
    };
    Case { mechanism: sum(&parts), relation, delta: some_delta(&mut random) }
}

fn sum(parts: &[String]) -> Mechanism {
    let text = parts.join(" + ");
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn some_delta(random: &mut Random) -> f64 {
    let least = if random.chance(0.4) { 1e-300 } else { 1e-16 };
    random.log_uniform(least, 0.9)
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
