//! Privacy buckets from tails alone: the mass between two points of the lattice goes to one of them.

use super::{
    super::super::law::{LatticeLaw, Optimistic, Pessimistic},
    super::Grid,
};
use crate::pair::SharedPair;
use hockeystick_numerics::ball::Ball;

/// Every loss is rounded up; what is above the last point becomes infinite ([Doroshenko22, Sec. 4.1]).
///
/// # Guarantee
/// At least as much mass above every loss as under the pair.
pub(in super::super) fn buckets_up(pair: &SharedPair, grid: Grid) -> LatticeLaw<Pessimistic> {
    let tail = |index: i64| pair.tails(grid.point(index)).p.value().upper();
    let mut tails: Vec<f64> = (grid.first..=grid.last).map(tail).collect();
    falling_from_the_right(&mut tails);
    LatticeLaw::from_tails(grid.spacing, grid.first, 1.0, &tails, grid.offset)
}

/// Every loss is rounded down; what is below the first point is dropped, and so is what lies above the last.
///
/// # Guarantee
/// At most as much mass above every loss as under the pair.
pub(in super::super) fn buckets_down(pair: &SharedPair, grid: Grid) -> LatticeLaw<Optimistic> {
    // Above the point i lies what was above the point i + 1.
    let tail = |index: i64| pair.tails(grid.point(index + 1)).p.value().lower();
    let whole = pair.tails(grid.point(grid.first) + Ball::from(grid.spacing * 1e-9)).p.value().lower();
    let mut tails: Vec<f64> = (grid.first..grid.last).map(tail).collect();
    let infinite = pair.infinite_mass().value().lower();
    tails.push(infinite);
    falling_from_the_left(whole, &mut tails);
    LatticeLaw::from_tails(grid.spacing, grid.first, whole, &tails, grid.offset)
}

/// Raises each tail to at least the next: more mass above, never less.
pub(super) fn falling_from_the_right(tails: &mut [f64]) {
    let mut least: f64 = 0.0;
    for tail in tails.iter_mut().rev() {
        least = least.max(*tail).min(1.0);
        *tail = least;
    }
}

/// Lowers each tail to at most the one before: less mass above, never more.
pub(super) fn falling_from_the_left(whole: f64, tails: &mut [f64]) {
    let mut most = whole;
    for tail in tails {
        most = most.min(*tail).max(0.0);
        *tail = most;
    }
}
