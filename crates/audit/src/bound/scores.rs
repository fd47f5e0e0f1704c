//! The best threshold of many, chosen after the scores were seen.
//!
//! A threshold that is chosen for its result needs a correction. Thresholds here are *ranks* that are fixed by the number of trials alone: the `k`-th
//! largest score of a member. Whatever the distribution of scores is, the rate of members at or above it is at least `p` but for the probability
//! `P(Binomial(n, p) ≥ k)`: for continuous scores the rate is a Beta(k, n − k + 1) variable, and ties only make it larger. Given the members' scores,
//! the threshold is fixed and the others' scores are independent of it, so that the false positive rate has its Clopper–Pearson end.
//! The same from below with the `k`-th smallest score of the others. A union bound over all ranks shares the error.

use super::{Rates, Sides};
use crate::{
    data::{Counts, Scores},
    proportion::{at_least, at_most},
};
use hockeystick_numerics::enclosure::Enclosure;

/// Ranks are this factor apart: half of a power of two.
const FACTOR: f64 = std::f64::consts::SQRT_2;

/// The largest ε over all ranks, and what shows it.
pub(crate) fn of_scores(scores: &Scores, delta: f64, error: f64, sides: Sides) -> (f64, Rates) {
    let (members, others) = (scores.members.len() as u64, scores.others.len() as u64);
    let (from_above, from_below) = (ranks(members), ranks(others));
    let ends = 2 * (from_above.len() + from_below.len());
    let share = (Enclosure::point(error) / ends as f64).lower();

    let above = from_above.into_iter().map(|rank| {
        let threshold = scores.members[rank as usize - 1];
        let hits = scores.others.partition_point(|&score| score >= threshold) as u64;
        let counts =
            Counts { true_positives: rank, positives: members, false_positives: hits, negatives: others };
        Rates::of(counts, Some(threshold), share)
    });
    let below = from_below.into_iter().map(|rank| {
        // The k-th smallest of the others: what is at or below it is called no member.
        let threshold = scores.others[(others - rank) as usize];
        let misses = members - scores.members.partition_point(|&score| score > threshold) as u64;
        Rates {
            threshold: Some(threshold),
            true_negatives: at_least(rank, others, share),
            false_positives: at_most(others - rank, others, share),
            false_negatives: at_most(misses, members, share),
            true_positives: at_least(members - misses, members, share),
        }
    });
    let judged = above.chain(below).map(|rates| (rates.epsilon(delta, sides), rates));
    judged
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .expect("ranks of at least one trial")
}

/// 1 … n, each about √2 times the one before.
fn ranks(trials: u64) -> Vec<u64> {
    let mut ranks: Vec<u64> = std::iter::successors(Some(trials as f64), |rank| Some(rank / FACTOR))
        .take_while(|&rank| rank >= 1.0)
        .map(|rank| rank as u64)
        .collect();
    ranks.dedup();
    ranks
}
