//! The losses of one pair in plain floats, with what is above and below any of them.

use crate::engine::contour::factors::Factor;
use hockeystick_numerics::{
    special::quick::{exp, expm1, expm1_near_zero, ln_1p},
    vectorised::vectorised,
};
use std::ops::Range;

/// The losses of one pair, from the smallest on.
#[derive(Clone, Debug)]
pub(super) struct ScaledLosses {
    pub(super) count: f64,
    losses: Vec<f64>,
    /// `log p`, `p` and `e^{−L} − 1`.
    logs: Vec<f64>,
    masses: Vec<f64>,
    rises: Vec<f64>,
    /// `P` and `P − Q` from each loss on.
    above: Vec<[f64; 2]>,
}

impl ScaledLosses {
    pub(super) fn new(factor: &Factor, largest: f64) -> Option<Self> {
        let nodes = factor.losses_up_to(largest)?;
        let losses: Vec<f64> = nodes.iter().map(|at| at.loss).collect();
        let logs: Vec<f64> = nodes.iter().map(|at| at.log_p).collect();
        let masses: Vec<f64> = logs.iter().map(|log| exp(*log)).collect();
        let rises: Vec<f64> = losses.iter().map(|loss| expm1(-loss)).collect();
        let mut above = vec![[0.0; 2]; losses.len() + 1];
        for i in (0..losses.len()).rev() {
            above[i] = [above[i + 1][0] + masses[i], above[i + 1][1] - masses[i] * rises[i]];
        }
        Some(Self { count: factor.count, losses, logs, masses, rises, above })
    }

    fn first_above(&self, loss: f64) -> usize {
        self.losses.partition_point(|at| *at < loss)
    }

    pub(super) fn above(&self, loss: f64) -> [f64; 2] {
        self.above[self.first_above(loss)]
    }

    /// `E[(1 − e^{x−L})₊]` of the losses in a range.
    pub(super) fn excess(&self, x: f64, range: Range<f64>) -> f64 {
        let (from, to) = (self.first_above(range.start.max(x)), self.first_above(range.end));
        if from >= to {
            return 0.0;
        }
        let [p, surplus] = std::array::from_fn(|i| self.above[from][i] - self.above[to][i]);
        exp(x) * surplus - expm1(x) * p
    }

    /// `E[L; L < loss]`.
    pub(super) fn mean(&self, loss: f64) -> f64 {
        let below = self.first_above(loss);
        self.losses[..below].iter().zip(&self.masses).map(|(loss, p)| p * loss).sum()
    }

    /// `E[L²; L < loss]`.
    pub(super) fn square(&self, loss: f64) -> f64 {
        let below = self.first_above(loss);
        self.losses[..below].iter().zip(&self.masses).map(|(loss, p)| p * loss * loss).sum()
    }

    /// `p e^{cL}` and `p (e^{cL} − 1 − c(1 − e^{−L}))` of each loss.
    fn tilted(&self, tilt: f64) -> [Vec<f64>; 2] {
        let mut tilted = [vec![0.0; self.losses.len()], vec![0.0; self.losses.len()]];
        // Losses rise: those with a small exponent are next to each other.
        let (low, high) = (self.first_above(-SMALL_EXPONENT / tilt), self.first_above(SMALL_EXPONENT / tilt));
        vectorised(
            #[inline(always)]
            || {
                self.each(low..high, &mut tilted, |loss, _, p, rise| {
                    let growth = p * expm1_near_zero(tilt * loss);
                    [p + growth, growth + p * tilt * rise]
                });
                for large in [0..low, high..self.losses.len()] {
                    self.each(large, &mut tilted, |loss, log_p, p, rise| {
                        let all = exp(log_p + tilt * loss);
                        [all, all - p + p * tilt * rise]
                    });
                }
            },
        );
        tilted
    }

    /// Some of the losses, with `log p`, `p` and `e^{−L} − 1`.
    #[inline(always)]
    fn each(
        &self,
        range: Range<usize>,
        [all, excess]: &mut [Vec<f64>; 2],
        of: impl Fn(f64, f64, f64, f64) -> [f64; 2],
    ) {
        let (losses, logs) = (&self.losses[range.clone()], &self.logs[range.clone()]);
        let (masses, rises) = (&self.masses[range.clone()], &self.rises[range.clone()]);
        let (all, excess) = (&mut all[range.clone()], &mut excess[range]);
        for ((((all, excess), (loss, log_p)), p), rise) in
            all.iter_mut().zip(excess).zip(losses.iter().zip(logs)).zip(masses).zip(rises)
        {
            [*all, *excess] = of(*loss, *log_p, *p, *rise);
        }
    }

    /// `K(c)` of the losses below each cut, and by how much that is more than below the next: `M − 1 = E[e^{cL} − 1 − c(1 − e^{−L})]`,
    /// less what is above.
    pub(super) fn add(&self, tilt: f64, cuts: &[f64], mut found: impl FnMut(usize, f64, f64)) {
        let [tilted, excesses] = self.tilted(tilt);
        let (mut sum, mut next) = (0.0, 0);
        let mut moment_below = 1.0;
        for (cut, loss) in cuts.iter().enumerate().rev() {
            let end = self.first_above(*loss).max(next);
            let more: f64 = tilted[next..end].iter().sum();
            sum += excesses[next..end].iter().sum::<f64>();
            next = end;
            let [p, surplus] = self.above[end];
            let excess = (sum - p - tilt * surplus).max(-0.999_999);
            found(cut, self.count * ln_1p(excess), self.count * ln_1p(more / moment_below));
            moment_below = 1.0 + excess;
        }
    }
}

/// Up to this exponent `e^x − 1` is taken as such.
const SMALL_EXPONENT: f64 = 0.35;
