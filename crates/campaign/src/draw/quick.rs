//! Compositions that are known to be answered quickly: single uses, closed forms, and sums that a Gaussian makes smooth.

use super::{
    amounts::{some_count, some_total, times},
    leaf::{LEAVES, Leaf},
};
use hockeystick::mechanism::Relation;
use hockeystick_chance::Random;

/// Mechanisms whose losses have two values, and may be infinite. Together with others the outcomes of many uses are summed one by one.
const TWO_POINTS: [&str; 6] =
    ["randomized_response", "dp", "report_noisy_max", "permute_and_flip", "sparse_vector", "uniform"];

/// The parts of such a composition.
pub(super) fn some_parts(random: &mut Random, relation: Relation) -> Vec<String> {
    match random.below(8) {
        0..=2 => vec![used(random, relation, 1, |leaf| leaf.has_pair && leaf.has_reference)],
        3..=6 => closed_form(random),
        _ => beside_a_gaussian(random, relation),
    }
}

/// Compositions whose references need no integral: single uses, Gaussians alone, many uses of two points, and a few uses of laws that
/// are exponential between atoms.
pub(super) fn with_a_cheap_reference(random: &mut Random, relation: Relation) -> Vec<String> {
    let named = |random: &mut Random, names: &[&str], count: u64| {
        let name = random.one_of(names);
        let leaf = LEAVES.iter().find(|leaf| leaf.name == *name).expect("is there");
        let spread = (some_total(random) / (count as f64).sqrt()).min(3.0);
        times(leaf.text(random, spread), count)
    };
    match random.below(8) {
        0 => {
            let many = 1 + random.below(4);
            (0..many)
                .map(|_| {
                    let count = some_count(random);
                    named(random, &["gaussian", "gdp"], count)
                })
                .collect()
        }
        1 => {
            let count = random.log_uniform(1.0, 1e5) as u64;
            vec![named(random, &TWO_POINTS[..5], count)]
        }
        2 => {
            let count = 1 + random.below(30);
            let names = ["laplace", "truncated_laplace", "exponential", "stability"];
            let names = if relation == Relation::Replace { &names[..3] } else { &names };
            vec![named(random, names, count)]
        }
        _ => vec![used(random, relation, 1, |leaf| leaf.has_pair && leaf.has_reference)],
    }
}

/// Mechanisms whose losses are normal or have two values.
fn closed_form(random: &mut Random) -> Vec<String> {
    const NORMAL: [&str; 2] = ["gaussian", "gdp"];
    let many = 1 + random.below(4);
    // The outcomes of all two-point losses are summed one by one.
    let most = [60, 12, 4, 3][many as usize - 1];
    let part = |random: &mut Random| {
        let is_normal = random.chance(0.5);
        let name = random.one_of(if is_normal { &NORMAL[..] } else { &TWO_POINTS[..] });
        let count = if is_normal { some_count(random) } else { 1 + random.below(most) };
        let leaf = LEAVES.iter().find(|leaf| leaf.name == *name).expect("is there");
        let spread = (some_total(random) / (count as f64).sqrt()).min(3.0);
        times(leaf.text(random, spread), count)
    };
    (0..many).map(|_| part(random)).collect()
}

/// A Gaussian that is used some number of times, and others, sampled or not, that do not exceed it by much.
fn beside_a_gaussian(random: &mut Random, relation: Relation) -> Vec<String> {
    let count = some_count(random);
    let sigma = (count as f64).sqrt() / some_total(random).min(20.0);
    let mut parts = vec![times(format!("gaussian(sigma={sigma:?})"), count)];
    for _ in 0..=random.below(3) {
        let others = ["discrete_gaussian", "discrete_laplace", "binomial", "uniform", "skellam"];
        let count = some_count(random);
        parts.push(used(random, relation, count, |leaf| leaf.has_reference && !others.contains(&leaf.name)));
    }
    parts
}

/// Some uses of a mechanism, perhaps on samples.
fn used(random: &mut Random, relation: Relation, count: u64, is_wanted: impl Fn(&Leaf) -> bool) -> String {
    let leaf = loop {
        let leaf = random.one_of(LEAVES);
        if is_wanted(leaf) && (relation != Relation::Replace || leaf.is_symmetric) {
            break leaf;
        }
    };
    let rate = if random.chance(0.5) { random.log_uniform(1e-4, 0.9) } else { 1.0 };
    let count = if rate == 1.0 && TWO_POINTS.contains(&leaf.name) { count.min(12) } else { count };
    let spread = (some_total(random) / (count as f64).sqrt() / rate).min(2.0);
    let one = leaf.text(random, spread);
    let is_subset = relation == Relation::Replace || (leaf.is_symmetric && random.chance(0.3));
    let sampler = if is_subset { "subset" } else { "poisson" };
    times(if rate < 1.0 { format!("{sampler}({one}, rate={rate:?})") } else { one }, count)
}
