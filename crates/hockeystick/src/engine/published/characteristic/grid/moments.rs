//! `Σ pⱼ e^{inaⱼ}` from moments of blocks: for many cells whose angles are close to each other.

use super::{
    cells::Cells,
    law::{Law, angle},
};
use hockeystick_numerics::special::cis;
use num_complex::Complex;

/// Terms of the exponential series. What is left out is at most `1/20!` of the mass, a hundredth of a unit of round-off.
const TERMS: usize = 20;
/// The cells of a partial sum.
const RUN: usize = 64;
/// The error of a transform in units of u, beside that of sums over cells: powers and products with masses `TERMS + 1`, Horner's rule for both
/// parts at arguments up to 1 at most `e·(2·TERMS + 4)`, the turn 3 and its product 2.3; and a margin.
pub(super) const MOMENT_ERROR: f64 = 160.0;
/// What a block costs, in cells that are turned one by one.
pub(super) const BLOCK_COST: usize = 6;

/// Neighbouring cells with angles `middle + reach·x`, |x| ≤ 1, and `Σ p xᵐ/m!`.
struct Block {
    middle: f64,
    moments: [f64; TERMS],
}

/// The half-width of blocks, a power of two: `n·reach ≤ 1` for all frequencies.
fn reach(frequencies: usize) -> f64 {
    (frequencies.max(1).next_power_of_two() as f64).recip()
}

/// About how many blocks cells take.
pub(super) fn blocks(cells: &Cells, spacing: f64, frequencies: usize) -> usize {
    let width = 2.0 * reach(frequencies) / spacing;
    let (mut count, mut start) = (0, f64::NEG_INFINITY);
    for &low in &cells.low {
        // (A loss below the start of its block begins another.)
        if !(low >= start && low - start <= width) {
            (count, start) = (count + 1, low);
        }
    }
    count
}

/// The transform of one of the four laws.
///
/// # Guarantee
/// Angles are rounded to the side of the law. The error is that of [`MOMENT_ERROR`] and of the sums: a partial sum has `RUN` roundings, and a
/// block one for each of its partial sums. The number of roundings of such sums is added. They come to that many units times `cosh 1` in the
/// even powers and `sinh 1` in the odd ones, in norm 1.94: less than the 2 by which the caller multiplies for both parts.
pub(super) fn transform(
    cells: &Cells,
    law: Law,
    spacing: f64,
    frequencies: usize,
) -> (Vec<Complex<f64>>, f64) {
    let mut values = vec![Complex::ZERO; frequencies];
    let blocks = all(cells, law, spacing, reach(frequencies));
    for block in &blocks {
        block.add_to(&mut values, reach(frequencies));
    }
    (values, (RUN + cells.len() / RUN + blocks.len() + 4) as f64)
}

fn all(cells: &Cells, law: Law, spacing: f64, reach: f64) -> Vec<Block> {
    let (losses, masses) = law.of(cells);
    let angles: Vec<f64> = losses.iter().map(|loss| angle(spacing, *loss, law.is_high())).collect();
    let mut blocks = Vec::new();
    let mut from = 0;
    while from < angles.len() {
        let middle = angles[from] + 0.75 * reach;
        let is_near = |angle: &&f64| (**angle - middle).abs() <= 0.99 * reach;
        let to = from + angles[from..].iter().take_while(is_near).count().max(1);
        blocks.push(Block::new(middle, &angles[from..to], &masses[from..to], law.is_high(), reach));
        from = to;
    }
    blocks
}

impl Block {
    fn new(middle: f64, angles: &[f64], masses: &[f64], is_high: bool, reach: f64) -> Self {
        // (If not even the first angle is near, its magnitude is beyond the reach of doubles.)
        let middle = if (angles[0] - middle).abs() <= reach { middle } else { angles[0] };
        let mut moments = [0.0; TERMS];
        for (angles, masses) in angles.chunks(RUN).zip(masses.chunks(RUN)) {
            let mut sums = [0.0; TERMS];
            for (angle, mass) in angles.iter().zip(masses) {
                let off = angle - middle;
                // The difference is rounded: once more to the side of the law. The division is exact.
                let off = if off == 0.0 {
                    0.0
                } else if is_high {
                    off.next_up()
                } else {
                    off.next_down()
                };
                let x = off / reach;
                let mut term = *mass;
                for sum in &mut sums {
                    *sum += term;
                    term *= x;
                }
            }
            moments.iter_mut().zip(sums).for_each(|(moment, sum)| *moment += sum);
        }
        let mut factorial = 1.0;
        for (m, moment) in moments.iter_mut().enumerate() {
            factorial *= m.max(1) as f64;
            *moment /= factorial;
        }
        Self { middle, moments }
    }

    /// Adds `e^{in·middle} Σ (iny)ᵐ μₘ/m!`, with `ny` exact.
    fn add_to(&self, values: &mut [Complex<f64>], reach: f64) {
        for (index, value) in values.iter_mut().enumerate() {
            let n = (index + 1) as f64;
            let y = n * reach;
            let square = -(y * y);
            let part = |first: usize| {
                (first..TERMS).step_by(2).rev().fold(0.0, |sum, m| sum * square + self.moments[m])
            };
            let (re, im) = (part(0), y * part(1));
            let hi = n * self.middle;
            let lo = n.mul_add(self.middle, -hi);
            let turn = cis(hi);
            let turn = turn + Complex::new(-turn.im, turn.re) * lo;
            *value += Complex::new(re * turn.re - im * turn.im, re * turn.im + im * turn.re);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Term by term, with angles that are the rounded ones.
    #[test]
    fn moments_are_as_good_as_terms() {
        let mut cells = Cells::default();
        for j in 0..300 {
            let loss = 0.01 * f64::from(j) - 1.0 + 1e-3 * f64::from(j % 7);
            cells.low.push(loss);
            cells.high.push(loss + 0.004);
            cells.p.push(1.0 / f64::from(j + 1));
            cells.q.push(0.5 / f64::from(j + 2));
        }
        let (spacing, frequencies) = (0.37, 100);
        for law in Law::ALL {
            let (found, _) = transform(&cells, law, spacing, frequencies);
            let (losses, masses) = law.of(&cells);
            let total: f64 = masses.iter().sum();
            for (index, value) in found.iter().enumerate() {
                let term = |(loss, mass): (&f64, &f64)| {
                    cis((index + 1) as f64 * angle(spacing, *loss, law.is_high())) * *mass
                };
                let exact: Complex<f64> = losses.iter().zip(masses).map(term).sum();
                // The sum of terms has rounded multiples of angles.
                assert!((value - exact).norm() < 1e-13 * total, "{law:?} {index}: {value} {exact}");
            }
        }
        assert!(blocks(&cells, spacing, frequencies) < 100);
        assert!(blocks(&cells, spacing, 1) <= 2);
    }
}
