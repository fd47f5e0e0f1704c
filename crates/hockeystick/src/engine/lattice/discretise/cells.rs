//! The cells of a lattice along a stretch of outcomes.

use super::{
    super::outcomes::{Mass, Stretch},
    grid::Grid,
};

/// A cell: outcomes whose losses lie between two neighbouring points of the lattice, or are off by no more than `slip`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The index of the point below.
    pub(super) index: i64,
    /// What is in it.
    pub(super) mass: Mass,
    /// How far the losses may lie outside.
    pub(super) slip: f64,
}

/// How close to a point of the lattice an edge is looked for, in spacings: it need not be closer, the slip is accounted for.
const CLOSE: f64 = 1e-8;

/// Calls `each` with every cell of a stretch between the first and the last point of the grid, in the order of losses.
///
/// Edges are floats, and the masses between them have all their digits; that the loss of an edge is not exactly a point of the
/// lattice is left to the slip.
pub(super) fn cells(stretch: &Stretch, grid: Grid, mut each: impl FnMut(Cell)) {
    let (lowest, highest) = (stretch.loss(stretch.bottom), stretch.loss(stretch.top));
    let within = CLOSE * grid.spacing;
    let slip_at = |point: f64, loss: super::super::outcomes::Loss| {
        (loss.value - point).abs() + loss.error + 2.0 * f64::EPSILON * (point.abs() + grid.spacing)
    };
    let mut index = grid.below(lowest.value - lowest.error);
    let (mut edge, mut loss, mut slip) = (stretch.bottom, lowest, 0.0);
    if index < grid.first && !grid.is_cut_below {
        // Not meant to happen; sound all the same.
        slip = grid.near(grid.first) - lowest.value + lowest.error;
        index = grid.first;
    } else if index < grid.first {
        index = grid.first;
        let point = grid.near(index);
        if point >= highest.value {
            return;
        }
        (edge, loss) = stretch.outcome(point, 0.5 * (stretch.bottom + stretch.top), within);
        slip = slip_at(point, loss);
    }
    let mut bend = 0.0;
    while index < grid.last {
        let point = grid.near(index + 1);
        if point >= highest.value {
            // The end of the stretch: its loss may be rounded, too.
            let end_slip = (highest.value + highest.error - point).max(0.0);
            each(Cell { index, mass: stretch.mass(edge, stretch.top), slip: slip.max(end_slip) });
            return;
        }
        let step = (point - loss.value) / loss.slope;
        let (next, next_loss) = stretch.outcome(point, edge + step * (1.0 - 0.5 * bend * step), within);
        let next_slip = slip_at(point, next_loss);
        each(Cell { index, mass: stretch.mass(edge, next), slip: slip.max(next_slip) });
        // The second derivative over the first, for the next guess.
        bend = if next == edge {
            0.0
        } else {
            2.0 * (next_loss.slope - loss.slope) / ((next - edge) * (next_loss.slope + loss.slope))
        };
        (index, edge, loss, slip) = (index + 1, next, next_loss, next_slip);
    }
    if !grid.is_cut_above {
        each(Cell { index, mass: stretch.mass(edge, stretch.top), slip });
    }
}
