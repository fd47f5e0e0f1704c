//! Tail sums from the masses of one period, block by block.

use hockeystick_numerics::rounding::UNIT_ROUNDOFF;
use pulp::{Arch, Simd, WithSimd};

/// Masses in a block. Its terms are independent products with a table of weights.
const BLOCK: usize = 64;

/// The periodic sums `Σ_{m ≥ n} r_m e^{−c(x_m − x_n)}` and the same with `c + 1`, for the first point n of each block.
#[derive(Clone, Debug)]
pub(crate) struct WindowSums {
    /// `e^{−cΔj}` and `e^{−(c+1)Δj}` for `0 ≤ j ≤` [`BLOCK`].
    weights: Box<[[f64; BLOCK + 1]; 2]>,
    /// One for each block, and the first again at the end.
    blocks: Vec<[f64; 2]>,
}

impl WindowSums {
    /// For the steps `cΔ` and `(c+1)Δ = cΔ + Δ` of the exponents. The number of masses must be a power of two.
    pub(crate) fn new(step: f64, spacing: f64, masses: &[f64]) -> Self {
        let powers = |step: f64| std::array::from_fn(|j| (-step * j as f64).exp());
        let weights = Box::new([powers(step), powers(step + spacing)]);
        let tails = Self { weights, blocks: Vec::new() };
        let (whole, rest) = masses.as_chunks::<BLOCK>();
        let mut blocks = vec![[0.0; 2]; whole.len()];
        tails.over(whole, &mut blocks);
        // A window shorter than a block.
        blocks.extend((!rest.is_empty()).then(|| tails.within(rest)));
        let decay = tails.decay(masses.len().min(BLOCK));
        let before =
            |after: [f64; 2], own: [f64; 2]| [own[0] + decay[0] * after[0], own[1] + decay[1] * after[1]];
        // One period, then all periods above it: a geometric series.
        let once = blocks.iter().rev().fold([0.0; 2], |after, own| before(after, *own));
        let length = masses.len() as f64;
        let next = [once[0] / -(-step * length).exp_m1(), once[1] / -(-(step + spacing) * length).exp_m1()];
        let mut sums = blocks;
        sums.push(next);
        for i in (0..sums.len() - 1).rev() {
            sums[i] = before(sums[i + 1], sums[i]);
        }
        Self { blocks: sums, ..tails }
    }

    /// Both weights after this many points.
    fn decay(&self, points: usize) -> [f64; 2] {
        [self.weights[0][points], self.weights[1][points]]
    }

    /// The sums over the masses of whole blocks.
    fn over(&self, blocks: &[[f64; BLOCK]], sums: &mut [[f64; 2]]) {
        Arch::new().dispatch(OverBlocks { weights: &self.weights, blocks, sums });
    }

    /// The sums over the end of a block.
    fn within(&self, block: &[f64]) -> [f64; 2] {
        let mut whole = [[0.0; BLOCK]];
        whole[0][..block.len()].copy_from_slice(block);
        let mut sums = [[0.0; 2]];
        self.over(&whole, &mut sums);
        sums[0]
    }

    /// Both sums from a point on.
    ///
    /// # Guarantee
    /// With an error of at most twice [`summation_error`], over one minus the decay of a period, for masses of 1-norm 1.
    pub(crate) fn from(&self, place: usize, masses: &[f64]) -> [f64; 2] {
        let block = place / BLOCK;
        let end = ((block + 1) * BLOCK).min(masses.len());
        let (own, after) = (self.within(&masses[place..end]), self.blocks[block + 1]);
        let decay = self.decay(end - place);
        [own[0] + decay[0] * after[0], own[1] + decay[1] * after[1]]
    }
}

/// `Σ m_j w_j` over blocks, for both weights, dispatched to the widest vectors of the processor.
struct OverBlocks<'a> {
    weights: &'a [[f64; BLOCK + 1]; 2],
    blocks: &'a [[f64; BLOCK]],
    sums: &'a mut [[f64; 2]],
}

impl WithSimd for OverBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let vectors = |numbers| S::as_simd_f64s(numbers).0;
        let [first, second] = self.weights.each_ref().map(|weights| vectors(&weights[..BLOCK]));
        for (block, sums) in self.blocks.iter().zip(self.sums) {
            let mut lanes = [[simd.splat_f64s(0.0); 2]; 2];
            let weights = first.chunks_exact(2).zip(second.chunks_exact(2));
            for (masses, (first, second)) in vectors(block).chunks_exact(2).zip(weights) {
                for i in 0..2 {
                    lanes[0][i] = simd.add_f64s(lanes[0][i], simd.mul_f64s(masses[i], first[i]));
                    lanes[1][i] = simd.add_f64s(lanes[1][i], simd.mul_f64s(masses[i], second[i]));
                }
            }
            *sums = lanes.map(|[a, b]| simd.reduce_sum_f64s(simd.add_f64s(a, b)));
        }
    }
}

/// The round-off of a sum, for masses of 1-norm about 1. The weight `e^{−cΔm}` of a mass m steps above has a relative error of at most 3u per step
/// (its exponent, and products of the blocks between) and 40u for its block; and `m·e^{−cΔm} ≤ 1/(e·cΔ)`.
pub(crate) fn summation_error(step: f64) -> f64 {
    2.0 * 3.0 * UNIT_ROUNDOFF * (1.0 / (std::f64::consts::E * step) + 16.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sums over many periods, term by term.
    #[test]
    fn sums_are_those_of_all_periods() {
        for length in [64, 256] {
            let masses: Vec<f64> = (0..length).map(|i| f64::from(i * 37 % 101 + 1)).collect();
            let total: f64 = masses.iter().sum();
            let masses: Vec<f64> = masses.iter().map(|mass| mass / total).collect();
            let (step, spacing) = (0.02, 0.01);
            let tails = WindowSums::new(step, spacing, &masses);
            for place in [0, 1, 63, length as usize - 1, length as usize / 2] {
                let found = tails.from(place, &masses);
                for (sum, step) in found.into_iter().zip([step, step + spacing]) {
                    let term = |m: usize| masses[(place + m) % masses.len()] * (-step * m as f64).exp();
                    let exact: f64 = (0..4000).map(term).sum();
                    let bound = 2.0 * summation_error(step) / -(-step * f64::from(length)).exp_m1();
                    assert!((sum - exact).abs() <= bound + 1e-14, "{place}: {sum} {exact}");
                }
            }
        }
    }
}
