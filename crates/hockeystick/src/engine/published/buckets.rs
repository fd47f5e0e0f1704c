//! Privacy buckets: every loss is rounded to the next point of the grid.

use super::rounded::{rounded_both, rounded_down, rounded_up};
use crate::{
    engine::lattice::{
        Discretisation, Discretise, Gap, Grid, LatticeLaw, LooseAtoms, Optimistic, Outcomes, Pessimistic,
        falling_from_the_left, falling_from_the_right,
    },
    pair::SharedPair,
};
use hockeystick_numerics::ball::Ball;

/// Rounded up and down: errors of the order of the spacing. For discrete losses it is the right and the left grid of
/// [Koskela21, Sec. 4.2].
pub const BUCKETS: Discretisation = Discretisation::new(&Buckets);

/// Every loss rounded up for the law above, and down for the law below ([Doroshenko22, Sec. 4.1]). For discrete losses these are the right
/// and the left grid of [Koskela21, Sec. 4.2].
#[derive(Debug)]
struct Buckets;

impl Discretise for Buckets {
    fn name(&self) -> &'static str {
        "buckets"
    }

    /// Every use is rounded by `Δ/2` up and by `Δ/2` down, on average.
    fn gap(&self, uses: f64, _atoms: LooseAtoms, c: f64) -> Gap {
        Gap { linear: c * uses, square: 0.0 }
    }

    /// What is above the last point becomes infinite.
    ///
    /// # Guarantee
    /// At least as much mass above every loss as under the pair, but for the relative error of the law.
    fn above(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Pessimistic> {
        let by_outcomes =
            outcomes.and_then(|outcomes| rounded_up(pair, outcomes, grid, |_, cell| cell.mass.p));
        by_outcomes.unwrap_or_else(|| up_by_tails(pair, grid))
    }

    /// What is below the first point is dropped, and so is what lies above the last.
    ///
    /// # Guarantee
    /// At most as much mass above every loss as under the pair, but for the relative error of the law.
    fn below(&self, pair: &SharedPair, outcomes: Option<&Outcomes>, grid: Grid) -> LatticeLaw<Optimistic> {
        let by_outcomes =
            outcomes.and_then(|outcomes| rounded_down(pair, outcomes, grid, |_, cell| cell.mass.p));
        by_outcomes.unwrap_or_else(|| down_by_tails(pair, grid))
    }

    fn both(
        &self,
        pair: &SharedPair,
        outcomes: Option<&Outcomes>,
        grid: Grid,
    ) -> (LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>) {
        let by_outcomes =
            outcomes.and_then(|outcomes| rounded_both(pair, outcomes, grid, |_, cell| [cell.mass.p; 2]));
        by_outcomes.unwrap_or_else(|| (up_by_tails(pair, grid), down_by_tails(pair, grid)))
    }
}

/// Every loss rounded up, from tails alone.
///
/// # Guarantee
/// At least as much mass above every loss as under the pair.
pub(super) fn up_by_tails(pair: &SharedPair, grid: Grid) -> LatticeLaw<Pessimistic> {
    let tail = |index: i64| pair.tails(grid.point(index)).p.value().upper();
    let mut tails: Vec<f64> = (grid.first..=grid.last).map(tail).collect();
    falling_from_the_right(&mut tails);
    LatticeLaw::from_tails(grid.spacing, grid.first, 1.0, &tails, grid.offset)
}

/// Every loss rounded down, from tails alone.
///
/// # Guarantee
/// At most as much mass above every loss as under the pair.
pub(super) fn down_by_tails(pair: &SharedPair, grid: Grid) -> LatticeLaw<Optimistic> {
    // Above the point i lies what was above the point i + 1.
    let tail = |index: i64| pair.tails(grid.point(index + 1)).p.value().lower();
    let whole = pair.tails(grid.point(grid.first) + Ball::from(grid.spacing * 1e-9)).p.value().lower();
    let mut tails: Vec<f64> = (grid.first..grid.last).map(tail).collect();
    let infinite = pair.infinite_mass().value().lower();
    tails.push(infinite);
    falling_from_the_left(whole, &mut tails);
    LatticeLaw::from_tails(grid.spacing, grid.first, whole, &tails, grid.offset)
}
