//! A tilted law: its masses on the cyclic window, and its moments.
//!
//! An exponential function costs as much as a dozen points of a transform. One is evaluated for each block of points, and a table holds the
//! weights within a block.

use super::super::law::LatticeLaw;
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln},
    summation::CompensatedSum,
};

/// The most points of a block.
const BLOCK: usize = 256;
/// Points of the table that share one exponential function.
const RUN: usize = 16;
/// The largest exponent of a weight: far from overflow, even times a block of masses.
const LARGEST: f64 = 100.0;
/// Lanes of a vectorised sum.
const LANES: usize = 8;
/// The relative error of the sum over a block, in units: a product and an addition for each term of a lane, then the lanes.
const SUM_ERROR: f64 = 2.0 * (BLOCK / LANES + 2 * LANES) as f64;

/// The weights `e^{sj}` of the points of a block over the smallest of them, so that nothing underflows.
struct Weights {
    step: f64,
    table: Vec<f64>,
}

/// `Σ_j m_j e^{s(i+j)}` of the blocks of a law, as an exponent and a number.
struct BlockSums {
    blocks: Vec<(f64, f64)>,
    /// Approximately the largest logarithm of a tilted mass.
    largest: f64,
}

impl Weights {
    /// For exponents that rise by `step` from point to point, in blocks of at most so many points, a power of two.
    fn new(step: f64, most: usize) -> Self {
        let mut points = most.min(BLOCK);
        while points > 1 && step.abs() * points as f64 > LARGEST {
            points /= 2;
        }
        let rise = |j: usize| exp(step.abs() * j as f64);
        let within: [f64; RUN] = std::array::from_fn(|j| if j < points { rise(j) } else { 0.0 });
        let mut table = Vec::with_capacity(points);
        for start in (0..points).step_by(RUN) {
            let first = rise(start);
            table.extend(within[..RUN.min(points)].iter().map(|weight| first * weight));
        }
        if step < 0.0 {
            table.reverse();
        }
        Self { step, table }
    }

    /// The exponent of the smallest weight of the block that starts at an index.
    fn exponent(&self, index: i64) -> f64 {
        let smallest = if self.step < 0.0 { index + self.table.len() as i64 - 1 } else { index };
        self.step * smallest as f64
    }

    /// The sum over a block, with an error of at most [`SUM_ERROR`] and that of the weights.
    fn sum(&self, block: &[f64]) -> f64 {
        let mut lanes = [0.0; LANES];
        let (masses, weights) = (block.chunks_exact(LANES), self.table.chunks_exact(LANES));
        let rest = masses.remainder().iter().zip(&self.table[block.len() - masses.remainder().len()..]);
        for (masses, weights) in masses.zip(weights) {
            for i in 0..LANES {
                lanes[i] += masses[i] * weights[i];
            }
        }
        lanes[0] += rest.map(|(mass, weight)| mass * weight).sum::<f64>();
        lanes.iter().sum()
    }

    fn sums<Side>(&self, law: &LatticeLaw<Side>) -> BlockSums {
        let points = self.table.len();
        let blocks: Vec<(f64, f64)> = (law.masses.chunks(points).enumerate())
            .map(|(i, block)| (self.exponent(law.first + (i * points) as i64), self.sum(block)))
            .collect();
        // The binary exponent approximates the logarithm.
        let log = |sum: f64| ((sum.to_bits() >> 52) as f64 - 1023.0) * std::f64::consts::LN_2;
        let exponents =
            blocks.iter().filter(|(_, sum)| *sum > 0.0).map(|(exponent, sum)| exponent + log(*sum));
        let largest = exponents.fold(f64::NEG_INFINITY, f64::max);
        BlockSums { blocks, largest: if largest.is_finite() { largest } else { 0.0 } }
    }
}

impl BlockSums {
    /// The scale of each block over `e^largest`. It is at most `2¹⁰²³` for blocks with mass; it could overflow for an empty block beyond all
    /// others, which gets 0.
    fn factors(&self) -> impl Iterator<Item = f64> + '_ {
        let factor =
            |&(exponent, sum): &(f64, f64)| if sum > 0.0 { exp(exponent - self.largest) } else { 0.0 };
        self.blocks.iter().map(factor)
    }
}

impl<Side> LatticeLaw<Side> {
    /// A number that is at least `log E[e^{cL}; L < ∞]`, the points being multiples of `Δ`.
    pub(crate) fn log_moment_above(&self, tilt: f64) -> f64 {
        let step = tilt * self.spacing;
        let sums = Weights::new(step, BLOCK).sums(self);
        let sum: f64 = sums.blocks.iter().zip(sums.factors()).map(|((_, sum), factor)| sum * factor).sum();
        let largest = sums.largest;
        // This covers the roundings of exponents, weights and sums for any law that fits into memory.
        let reach =
            (step * self.first as f64).abs() + (step * self.masses.len() as f64).abs() + largest.abs();
        largest + ln(sum) + self.error + 1e-15 * (self.masses.len() as f64 + 4.0 * reach) + 1e-12
    }
}

/// The masses of a law, tilted, normalised and wrapped onto the window.
pub(crate) struct Tilted {
    /// The logarithm of their scale.
    pub(crate) log_scale: Enclosure,
    /// The relative error of each mass, apart from underflow, which removes less than 10⁻²⁶⁰ in total.
    pub(crate) error: f64,
    /// A bound of the 2-norm.
    pub(crate) norm: f64,
}

impl Tilted {
    /// The masses add up to at most 1. The rest of the window is left unchanged.
    pub(crate) fn new<Side>(law: &LatticeLaw<Side>, tilt: f64, length: usize, window: &mut Vec<f64>) -> Self {
        let step = tilt * law.spacing;
        let weights = Weights::new(step, length);
        let sums = weights.sums(law);
        let (scale, factors): (f64, Vec<f64>) = (sums.largest, sums.factors().collect());
        let mut total = CompensatedSum::new();
        sums.blocks.iter().zip(&factors).for_each(|((_, sum), factor)| total.add(sum * factor));
        // At least the sum of what will be stored, with the roundings of sums and of three products.
        let total = (total.value() + total.error_bound()) * (1.0 + (SUM_ERROR + 8.0) * UNIT_ROUNDOFF);
        let filled = length.min(law.masses.len());
        if window.len() != length {
            *window = vec![0.0; length];
        }
        // The points of a block are a power of two, and so is the window: no block goes across its end.
        let points = weights.table.len();
        for (i, (masses, factor)) in law.masses.chunks(points).zip(&factors).enumerate() {
            let factor = factor / total;
            let start = (i * points) & (length - 1);
            let places = window[start..].iter_mut().zip(masses.iter().zip(&weights.table));
            // In this order nothing overflows: a term of the block's sum first.
            if i * points < length {
                places.for_each(|(place, (mass, weight))| *place = (mass * weight) * factor);
            } else {
                places.for_each(|(place, (mass, weight))| *place += (mass * weight) * factor);
            }
        }
        let reach = step.abs() * (law.first.unsigned_abs() as f64 + law.masses.len() as f64) + scale.abs();
        // The step, its multiple and the difference are rounded, and once more the step and its multiples within a block; then three
        // exponentials, products, and sums of points that coincide in the window.
        let coinciding = (law.masses.len() / length) as f64;
        let error = (3.0 * reach + 2.0 * step.abs() * BLOCK as f64 + 16.0 + coinciding) * UNIT_ROUNDOFF;
        let norm = squares(&window[..filled]).sqrt() * (1.0 + 1e-9);
        Self { log_scale: Enclosure::point(total).ln() + scale, error, norm }
    }
}

/// The sum of squares, rounded.
fn squares(values: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let blocks = values.chunks_exact(LANES);
    let rest: f64 = blocks.remainder().iter().map(|x| x * x).sum();
    for block in blocks {
        for i in 0..LANES {
            lanes[i] += block[i] * block[i];
        }
    }
    rest + lanes.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::{super::super::law::Pessimistic, *};
    use std::marker::PhantomData;

    fn law(spacing: f64, first: i64, count: usize) -> LatticeLaw<Pessimistic> {
        let masses: Vec<f64> =
            (0..count).map(|i| if i % 3 == 1 { 0.0 } else { 1.0 / (i as f64 + 1.0) }).collect();
        LatticeLaw { spacing, first, masses, infinite: 0.0, offset: 0.0, error: 0.0, side: PhantomData }
    }

    /// A block without mass had an infinite factor, and 0·∞ is no number.
    #[test]
    fn empty_blocks_beyond_all_others_do_not_matter() {
        for (tilt, first) in [(2e5, -2), (-2e5, -2), (2e4, 3)] {
            let mut law = law(0.1, first, 5);
            law.masses = vec![0.0, 1e-300, 0.5, 0.0, 0.0];
            let mut window = Vec::new();
            let tilted = Tilted::new(&law, tilt, 64, &mut window);
            assert!(
                (window.iter().sum::<f64>() - 1.0).abs() < 1e-12 && tilted.norm.is_finite(),
                "{tilt}: {window:?}"
            );
            assert!(law.log_moment_above(tilt).is_finite());
        }
        // One table for all of them: a tiny mass far below where the others would be.
        let mut law = law(0.01, 0, 64);
        law.masses = (0..64).map(|i| if i == 0 { 1e-307 } else { 0.0 }).collect();
        let mut window = Vec::new();
        Tilted::new(&law, 150.0, 64, &mut window);
        assert!((window[0] - 1.0).abs() < 1e-12 && window[1..].iter().all(|mass| *mass == 0.0));
    }

    /// Term by term, for rising and falling weights, gentle and steep, and laws longer and shorter than blocks and windows.
    #[test]
    fn blocks_are_as_good_as_terms() {
        for (tilt, count) in
            [(0.3, 200), (-0.3, 200), (700.0, 37), (-90.0, 130), (2.0, 5), (0.0, 64), (1.0, 300)]
        {
            let law = law(0.01, -17, count);
            let term = |i: usize| law.masses[i] * (tilt * 0.01 * (i as f64 - 17.0)).exp();
            let total: f64 = (0..count).map(term).sum();
            let above = law.log_moment_above(tilt) - total.ln();
            assert!((0.0..1e-11).contains(&above), "{tilt} {count}: {above}");
            let mut window = Vec::new();
            let tilted = Tilted::new(&law, tilt, 128, &mut window);
            let sum: f64 = window.iter().sum();
            assert!(sum <= 1.0 + 1e-15 && sum > 1.0 - 1e-13, "{tilt} {count}: {sum}");
            let scale = tilted.log_scale.midpoint().exp();
            for (place, found) in window.iter().enumerate() {
                let exact: f64 = (place..count).step_by(128).map(term).sum();
                assert!((found * scale - exact).abs() <= 1e-12 * exact, "{tilt} {count} {place}");
            }
            let norm = window.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!(tilted.norm >= norm && tilted.norm <= norm * (1.0 + 1e-8));
        }
    }
}
