//! Privacy buckets: every loss is rounded to the next point of the lattice.

use super::{
    super::{
        law::{LatticeLaw, Optimistic, Pessimistic},
        outcomes::Outcomes,
    },
    grid::Grid,
    rounded::{rounded_down, rounded_up},
};
use crate::pair::SharedPair;

/// Every loss is rounded up; what is above the last point becomes infinite ([Doroshenko22, Sec. 4.1]). For discrete losses it is
/// the right grid of [Koskela21, Sec. 4.2].
///
/// # Guarantee
/// At least as much mass above every loss as under the pair, but for the relative error of the law.
pub(in super::super) fn buckets_up(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Pessimistic>> {
    rounded_up(pair, outcomes, grid, |_, cell| cell.mass.p)
}

/// Every loss is rounded down; what is below the first point is dropped, and so is what lies above the last. For discrete
/// losses it is the left grid of [Koskela21, Sec. 4.2].
///
/// # Guarantee
/// At most as much mass above every loss as under the pair, but for the relative error of the law.
pub(in super::super) fn buckets_down(
    pair: &SharedPair,
    outcomes: &Outcomes,
    grid: Grid,
) -> Option<LatticeLaw<Optimistic>> {
    rounded_down(pair, outcomes, grid, |_, cell| cell.mass.p)
}
