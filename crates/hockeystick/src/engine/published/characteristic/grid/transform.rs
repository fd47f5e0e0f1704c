//! `Σ pⱼ e^{inaⱼ}` for n = 1 … K: the characteristic functions of cells on equidistant frequencies.

use super::{
    cells::Cells,
    law::{Law, angle},
    moments::{self, BLOCK_COST, MOMENT_ERROR},
};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::cis};
use num_complex::Complex;

/// Cells per block.
const BLOCK: usize = 64;
/// Multiplications by `e^{ia}` before `e^{ina}` is evaluated anew.
const TURNS: usize = 32;
/// Lanes of a vectorised sum.
const LANES: usize = 4;
/// The error of `e^{ina}` in units of u: three when it is evaluated anew (its angle is exact in two parts), and for each of up to 31
/// multiplications 1.05 for the factor (tested: the worst error found plus a margin) and 2.3 for the product.
const TURN_ERROR: f64 = 110.0;

/// The transforms of all four laws, in the order of [`Law::ALL`].
#[derive(Clone, Debug)]
pub(super) struct Transforms {
    pub(super) values: [Vec<Complex<f64>>; 4],
    /// A bound of the error of every value, as a part of the mass.
    pub(super) relative_error: f64,
}

impl Transforms {
    /// About what the transforms cost, in cells turned by their angles one by one.
    pub(super) fn cost(cells: &Cells, spacing: f64, frequencies: usize) -> usize {
        (BLOCK_COST * moments::blocks(cells, spacing, frequencies)).min(cells.len()) * frequencies
    }

    /// # Guarantee
    /// Each value is within `relative_error` times the mass of the transform of a law whose losses are at least (for `L⁺`) or at most
    /// (for `L⁻`) those of the cells.
    pub(super) fn new(cells: &Cells, spacing: f64, frequencies: usize) -> Self {
        let blocks = moments::blocks(cells, spacing, frequencies);
        if BLOCK_COST * blocks < cells.len() {
            let laws = Law::ALL.map(|law| moments::transform(cells, law, spacing, frequencies));
            let additions = laws.iter().fold(0.0, |most: f64, (_, own)| most.max(*own));
            // Twice for both parts.
            let relative_error = 2.0 * UNIT_ROUNDOFF * (MOMENT_ERROR + additions);
            return Self { values: laws.map(|(values, _)| values), relative_error };
        }
        let mut values: [Vec<Complex<f64>>; 4] = std::array::from_fn(|_| vec![Complex::ZERO; frequencies]);
        for start in (0..cells.len()).step_by(BLOCK) {
            Block::new(cells, start, spacing).add_to(&mut values);
        }
        // Products with masses, sums within a lane, of lanes, and of blocks; twice for both parts.
        let additions = (BLOCK / LANES + LANES + cells.len() / BLOCK + 4) as f64;
        let relative_error = 2.0 * UNIT_ROUNDOFF * (TURN_ERROR + additions);
        Self { values, relative_error }
    }
}

/// Some cells: their angles, where they are, and their masses.
struct Block {
    low: Turning,
    high: Turning,
    p: [f64; BLOCK],
    q: [f64; BLOCK],
}

/// Points on the unit circle, each rotated by a fixed angle per step.
struct Turning {
    angles: [f64; BLOCK],
    turns: [Complex<f64>; BLOCK],
    re: [f64; BLOCK],
    im: [f64; BLOCK],
}

impl Turning {
    fn new(losses: &[f64], spacing: f64, is_high: bool) -> Self {
        let angles =
            std::array::from_fn(|i| losses.get(i).map_or(0.0, |&loss| angle(spacing, loss, is_high)));
        Self { angles, turns: angles.map(cis), re: [0.0; BLOCK], im: [0.0; BLOCK] }
    }

    /// Turns to n times the angles, afresh: `na = hi + lo` exactly.
    fn set(&mut self, n: f64) {
        for i in 0..BLOCK {
            let hi = n * self.angles[i];
            let lo = n.mul_add(self.angles[i], -hi);
            let at = cis(hi);
            (self.re[i], self.im[i]) = (at.re - lo * at.im, at.im + lo * at.re);
        }
    }

    fn turn(&mut self) {
        for i in 0..BLOCK {
            let (re, im, by) = (self.re[i], self.im[i], self.turns[i]);
            self.re[i] = re * by.re - im * by.im;
            self.im[i] = re * by.im + im * by.re;
        }
    }

    fn sum(&self, masses: &[f64; BLOCK]) -> Complex<f64> {
        let (mut re, mut im) = ([0.0; LANES], [0.0; LANES]);
        for i in (0..BLOCK).step_by(LANES) {
            for lane in 0..LANES {
                re[lane] += masses[i + lane] * self.re[i + lane];
                im[lane] += masses[i + lane] * self.im[i + lane];
            }
        }
        Complex::new(re.iter().sum(), im.iter().sum())
    }
}

impl Block {
    fn new(cells: &Cells, start: usize, spacing: f64) -> Self {
        let mass = |of: &[f64]| std::array::from_fn(|i| of.get(start + i).copied().unwrap_or(0.0));
        Self {
            low: Turning::new(&cells.low[start..], spacing, false),
            high: Turning::new(&cells.high[start..], spacing, true),
            p: mass(&cells.p),
            q: mass(&cells.q),
        }
    }

    fn add_to(&mut self, values: &mut [Vec<Complex<f64>>; 4]) {
        for index in 0..values[0].len() {
            if index % TURNS == 0 {
                self.low.set((index + 1) as f64);
                self.high.set((index + 1) as f64);
            } else {
                self.low.turn();
                self.high.turn();
            }
            for (law, values) in Law::ALL.into_iter().zip(values.iter_mut()) {
                let turning = if law.is_high() { &self.high } else { &self.low };
                values[index] += turning.sum(if law.is_p() { &self.p } else { &self.q });
            }
        }
    }
}
