//! Weights of nodes spread over a periodic grid, and what rounding did to the cells.

use super::{
    kernel::{WIDTH, weighted},
    positions::Positions,
};
use crate::rounding::UNIT_ROUNDOFF;

/// Additions into a cell that are not worth a further grid.
const FEW: u32 = 64;

/// A periodic grid, in memory that is used again.
#[derive(Default)]
pub(super) struct Grid {
    /// The cells, a power of two of them.
    pub(super) cells: Vec<f64>,
    /// Another such grid, for the nodes that are dealt out.
    share: Vec<f64>,
}

impl Grid {
    /// Spreads every weight over the sixteen of `length` cells around its position. Returns what rounded sums add to the errors of all cells
    /// together.
    ///
    /// # Guarantee
    /// `Σ |cell − exact sum of what was added to it|` is at most 1 + 10⁻³ times what is returned, plus `10⁻²⁹` of all weights for each node. All
    /// that is added to a cell is positive (but for the error of the kernel: at most 10⁻¹⁴ of all weights), so a cell that takes part
    /// in `a` additions is off by `a·u` of itself.
    ///
    /// Where many nodes meet, they are dealt out to several grids whose sums are added: `a` is then about the square root of what it was.
    /// Additions are counted in stretches of sixteen cells, which only nodes that begin there or in the stretch before can reach.
    pub(super) fn spread(&mut self, weights: &[f64], positions: &Positions, length: usize) -> f64 {
        let Self { cells, share } = self;
        let stretches = length / WIDTH;
        // Past the end for nodes at the seam.
        cells.clear();
        cells.resize(length + WIDTH, 0.0);
        let (mut begun, mut busiest) = (vec![0; stretches], vec![0; stretches]);
        count(&positions.starts, 0, 1, &mut begun, &mut busiest);
        let meeting = busiest.iter().copied().max().unwrap_or(0);
        // And what lies past the end.
        let reached: Vec<bool> =
            busiest.iter().map(|&nodes| nodes > 0).chain(std::iter::once(true)).collect();
        let shares = shares(weights.len(), reached.iter().filter(|&&reached| reached).count(), meeting);
        add(cells, weights, positions, 0, shares);
        if shares > 1 {
            busiest.fill(0);
            count(&positions.starts, 0, shares, &mut begun, &mut busiest);
            share.clear();
            share.resize(length + WIDTH, 0.0);
            for first in 1..shares {
                add(share, weights, positions, first, shares);
                count(&positions.starts, first, shares, &mut begun, &mut busiest);
                let stretches = cells.as_chunks_mut::<WIDTH>().0.iter_mut();
                let shared = share.as_chunks_mut::<WIDTH>().0.iter_mut();
                for ((cells, share), _) in
                    stretches.zip(shared).zip(&reached).filter(|(_, reached)| **reached)
                {
                    cells.iter_mut().zip(&*share).for_each(|(cell, part)| *cell += part);
                    *share = [0.0; WIDTH];
                }
            }
        }
        for cell in 0..WIDTH {
            cells[cell] += cells[length + cell];
        }
        cells.truncate(length);
        let stretches = cells.as_chunks::<WIDTH>().0;
        let weighted = stretches.iter().zip(&busiest).map(|(cells, &additions)| {
            (f64::from(additions) + shares as f64) * cells.iter().map(|cell| cell.abs()).sum::<f64>()
        });
        UNIT_ROUNDOFF * weighted.sum::<f64>()
    }
}

/// Into how many grids nodes are dealt out, where so many meet at most: as many as even out, while adding up the stretches that are reached is
/// little work beside that of spreading and of the transform.
fn shares(nodes: usize, stretches: usize, meeting: u32) -> usize {
    let useful = meeting.div_ceil(FEW).min(meeting.isqrt()) as usize;
    useful.clamp(1, 4 + nodes / (2 * stretches))
}

/// Every `step`-th node from `first` on.
fn add(cells: &mut [f64], weights: &[f64], positions: &Positions, first: usize, step: usize) {
    let nodes = weights.iter().zip(&positions.starts).zip(&positions.offsets);
    for ((&weight, &start), &offset) in nodes.skip(first).step_by(step) {
        let values = weighted(offset, weight);
        let window = cells.get_mut(start as usize..).and_then(|cells| cells.first_chunk_mut::<WIDTH>());
        if let Some(window) = window {
            for lane in 0..WIDTH {
                window[lane] += values[lane];
            }
        }
    }
}

/// How many of these nodes reach a stretch at most: `busiest` is raised to that. `begun` is as it was found, of zeros.
fn count(starts: &[u32], first: usize, step: usize, begun: &mut [u32], busiest: &mut [u32]) {
    for &start in starts.iter().skip(first).step_by(step) {
        begun[start as usize / WIDTH] += 1;
    }
    let mut before = begun[begun.len() - 1];
    for (busiest, begun) in busiest.iter_mut().zip(begun.iter_mut()) {
        *busiest = (*busiest).max(before + *begun);
        before = std::mem::take(begun);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_count_the_nodes_that_reach_them() {
        let starts = [0, 3, 15, 16, 63, 63, 40];
        let (mut begun, mut busiest) = (vec![0; 4], vec![0; 4]);
        count(&starts, 0, 1, &mut begun, &mut busiest);
        assert_eq!(busiest, [5, 4, 2, 3]);
        assert_eq!(begun, [0; 4]);
        // Of every other node: 0, 15, 63, 40.
        busiest.fill(0);
        count(&starts, 0, 2, &mut begun, &mut busiest);
        assert_eq!(busiest, [3, 2, 1, 2]);
    }

    /// The kernel adds up to about 1 over the cells (its aliases are tiny), wherever the node lies.
    #[test]
    fn nothing_is_lost_at_the_seam() {
        let losses: Vec<f64> = (0..640).map(|i| f64::from(i) * 0.1 / 64.0 * std::f64::consts::TAU).collect();
        for (i, _) in losses.iter().enumerate() {
            let positions = Positions::new(&losses[i..=i], 1.0, 64).expect("near");
            let mut grid = Grid::default();
            grid.spread(&[1.0], &positions, 64);
            assert!((grid.cells.iter().sum::<f64>() - 1.0).abs() < 2e-15);
        }
    }

    #[test]
    fn dealing_out_pays_where_nodes_meet() {
        let positions = Positions::new(&[1.0; 10_000], 1.0, 2048).expect("near");
        let rounding = Grid::default().spread(&[1.0; 10_000], &positions, 2048);
        assert!(rounding < 400.0 * UNIT_ROUNDOFF * 1e4, "{:e}", rounding / 1e4);
        assert_eq!(shares(50, 128, 50), 1);
    }
}
