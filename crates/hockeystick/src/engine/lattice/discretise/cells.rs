//! The cells of a grid along a stretch of outcomes.

use super::super::{
    grid::{Grid, Strides},
    outcomes::{Loss, Mass, Stretch},
    tuning::TUNING,
};
use hockeystick_numerics::limits::check;

/// Cells between two checks of the time limit: some hundredths of a millisecond.
const MANY: usize = 128;

/// A cell: outcomes whose losses lie between two points, up to the stated distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The index of the point below.
    pub(crate) index: i64,
    /// The index of the point above.
    pub(crate) next: i64,
    /// Its mass.
    pub(crate) mass: Mass,
    /// How far losses may lie below the lower point.
    pub(crate) below: f64,
    /// How far losses may lie above the upper point: usually 0.
    pub(crate) above: f64,
    /// Its first and last outcome, in the order of losses.
    pub(crate) edges: (f64, f64),
}

/// The tolerance for edges with a requested spacing, in spacings: as close as doubles allow.
const CLOSE: f64 = 1e-12;

/// Calls `each` with every cell of a stretch between the first and the last point of the grid, in the order of losses.
///
/// Edges are outcomes, as floats that count as exact. Their losses are aimed slightly below the points, so that losses of a cell can lie beyond its
/// lower point only.
pub(crate) fn cells(stretch: &Stretch, grid: Grid, mut each: impl FnMut(Cell)) {
    let (lowest, highest) = (stretch.loss(stretch.bottom), stretch.loss(stretch.top));
    let enough = TUNING.edge_of(grid.spacing).max(CLOSE);
    let within = grid.spacing * if grid.strides == Strides::NONE { CLOSE } else { enough };
    let rounding = |point: f64| 2.0 * f64::EPSILON * (point.abs() + grid.spacing);
    let slips = |point: f64, loss: Loss| {
        let off = loss.error + rounding(point);
        ((point - loss.value + off).max(0.0), (loss.value + off - point).max(0.0))
    };
    let mut index = grid.below(lowest.value - lowest.error);
    let (mut edge, mut loss, mut below) = (stretch.bottom, lowest, 0.0);
    if index < grid.first && !grid.is_cut_below {
        // (Does not occur with grids that cover all losses; sound all the same.)
        below = grid.near(grid.first) - lowest.value + lowest.error;
        index = grid.first;
    } else if index < grid.first {
        index = grid.first;
        let point = grid.near(index);
        if point >= highest.value {
            return;
        }
        (edge, loss) = stretch.outcome(point, 0.5 * (stretch.bottom + stretch.top), within);
        below = slips(point, loss).0;
    }
    let mut bend = 0.0;
    let mut cells = 0usize;
    while index < grid.last {
        cells += 1;
        if cells.is_multiple_of(MANY) {
            check();
        }
        let after = (index + grid.stride(index, 1.0)).min(grid.last);
        let point = grid.near(after);
        if point >= highest.value {
            // The end of the stretch, whose loss is rounded.
            let above = slips(point, highest).1;
            let edges = (edge, stretch.top);
            return each(Cell {
                index,
                next: after,
                mass: stretch.mass(edge, stretch.top),
                below,
                above,
                edges,
            });
        }
        let aim = point - 2.0 * (loss.error + rounding(point) + within);
        let step = (aim - loss.value) / loss.slope;
        let (next, next_loss) = stretch.outcome(aim, edge + step * (1.0 - 0.5 * bend * step), within);
        let (next_below, above) = slips(point, next_loss);
        let mass = stretch.mass(edge, next);
        each(Cell { index, next: after, mass, below, above, edges: (edge, next) });
        // The ratio of second to first derivative, for the next guess.
        bend = if next == edge {
            0.0
        } else {
            2.0 * (next_loss.slope - loss.slope) / ((next - edge) * (next_loss.slope + loss.slope))
        };
        (index, edge, loss, below) = (after, next, next_loss, next_below);
    }
    if !grid.is_cut_above {
        let above = slips(grid.near(index + 1), highest).1;
        let edges = (edge, stretch.top);
        each(Cell { index, next: index + 1, mass: stretch.mass(edge, stretch.top), below, above, edges });
    }
}
