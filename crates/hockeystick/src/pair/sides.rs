//! A composition of pairs of which some are known by others above and below.

use super::{Bounds, SharedPair, Slack};

/// The pairs on either side, each with its number of uses.
pub(crate) struct Sides {
    pub(crate) above: Vec<(SharedPair, u64)>,
    pub(crate) below: Vec<(SharedPair, u64)>,
    /// Of all uses together.
    pub(crate) slack: Slack,
}

impl Sides {
    /// Both sides; `None` if no pair has any.
    pub(crate) fn of(factors: &[(SharedPair, u64)]) -> Option<Self> {
        if factors.iter().all(|(pair, _)| pair.bounds().is_none()) {
            return None;
        }
        let side = |pick: fn(&Bounds) -> &SharedPair| {
            let one = |(pair, count): &(SharedPair, u64)| {
                (SharedPair::clone(pair.bounds().map_or(pair, pick)), *count)
            };
            factors.iter().map(one).collect()
        };
        let slacks = factors.iter().filter_map(|(pair, count)| Some(pair.bounds()?.slack.of_uses(*count)));
        let slack = slacks.fold(Slack::NONE, Slack::and);
        Some(Self { above: side(|bounds| &bounds.above), below: side(|bounds| &bounds.below), slack })
    }
}
