//! `log M` along a line: sums over the nodes of a rule, each in the way that is cheapest and loses the fewest digits.
//!
//! In: a factor, its rule for a line, and how many points there are. Out: [`LogMoments`] of what is meant, and [`Hits`] of what is above a
//! cut. Nodes are sorted by the size of their losses; small ones are summed by a recurrence, large ones by turning them
//! or by one transform.
//!
//! # Guarantee
//! Every value says how far it may be off, round-off and the errors of the rule included.

mod hits;
mod joined;
mod large_losses;
mod log_moments;
mod small_losses;
mod sorted_nodes;

pub(super) use hits::{Avoided, Hits, log_sum};
pub(super) use log_moments::{LogMoments, TiltedLaw};
