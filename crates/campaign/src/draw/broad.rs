//! Compositions of every mechanism, sampled or not, nested or not. Some take long to answer.

use super::{
    amounts::{rounded, some_count, some_total, times},
    leaf::{LEAVES, Leaf},
};
use hockeystick::mechanism::Relation;
use hockeystick_chance::Random;

/// What may be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Anything,
    /// Leaves with a reference, in sums, each sampled at most once.
    Referenced,
}

/// The parts of such a composition.
pub(super) fn some_parts(random: &mut Random, relation: Relation, wanted: Wanted) -> Vec<String> {
    let many = if random.chance(0.65) { 1 } else { 2 + random.below(3) };
    (0..many).map(|_| part(random, relation, wanted)).collect()
}

/// Some uses of a mechanism that together have a loss of an ordinary size, most often.
fn part(random: &mut Random, relation: Relation, wanted: Wanted) -> String {
    let count = some_count(random);
    let total = some_total(random);
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
    if !is_sampled && relation != Relation::Replace && leaf.has_pair && random.chance(0.03) {
        // Compositions of allocations look at hundreds of points: few of them.
        text = format!("allocation({text}, steps={})", 2 + random.below(200));
        return times(text, count.min(3));
    }
    if !is_sampled && matches!(leaf.name, "randomized_response" | "laplace") && random.chance(0.1) {
        text = format!("shuffle({text}, users={})", 1 + random.below(100_000));
        return times(text, count.min(3));
    }
    times(text, count)
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
