//! The few bins of a spectrum that are not negligible after a large power, summed directly.
//!
//! The error of a transform is bounded in the 2-norm over all bins. In the worst case all of it is in one bin near 0, and the power k multiplies it
//! by k. Only a few bins there have a modulus near 1. They are summed term by term, each with its own error bound.

use super::super::tuning::TUNING;
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::cis, summation::CompensatedSum};
use num_complex::Complex;
use std::f64::consts::TAU;

/// Terms of a plain sum before it enters the compensated sum.
const BLOCK: usize = 32;
/// Lanes of a vectorised sum.
const LANES: usize = 4;
/// The error of a term `x·e^{−iθ}` relative to `|x|`, in units: three factors of 10 each (8.5 for the angle; 1.1 for sine and cosine, the worst
/// error found in tests plus a margin), two products of them (2.3 each), the product with x, and the plain sums of a block.
const TERM_ERROR: f64 = 30.0 + 4.6 + 1.0 + BLOCK as f64;

/// Replaces the leading bins of a transform by direct sums. The masses add up to at most 1, the rest of the window is 0.
///
/// Returns a bound on the 2-norm, over all bins, of the error of the `count`-th power; `error` bounds that of the transform.
pub(crate) fn sharpen(
    masses: &[f64],
    length: usize,
    bins: &mut [Complex<f64>],
    count: f64,
    error: f64,
) -> f64 {
    // |F|^{k−1} ≥ TUNING.smallest_power, with an error of F of at most `error`.
    let least = TUNING.smallest_power.powf(1.0 / (count - 1.0).max(1.0)) - error - 1e-15;
    if least <= 0.0 {
        return count * error;
    }
    let leading = bins.iter().take_while(|bin| bin.norm_sqr() >= least * least).count();
    let others_are_small = bins[leading..].iter().all(|bin| bin.norm_sqr() < least * least);
    if leading == 0
        || leading == bins.len()
        || leading * masses.len() > TUNING.most_direct_products
        || !others_are_small
    {
        return count * error;
    }
    let turns = Turns::new(length);
    for (j, bin) in bins.iter_mut().enumerate().take(leading) {
        let within = BlockTurns::new(j, length);
        let (mut re, mut im) = (CompensatedSum::new(), CompensatedSum::new());
        for (i, block) in masses.chunks(BLOCK).enumerate() {
            let sum = within.sum(block) * turns.by((j * i * BLOCK) & (length - 1));
            re.add(sum.re);
            im.add(sum.im);
        }
        *bin = Complex::new(re.value(), im.value());
    }
    // Each bin counts twice, for its conjugate.
    let summed = (2.0 * leading as f64).sqrt() * (TERM_ERROR + 4.0) * UNIT_ROUNDOFF;
    count * (summed + TUNING.smallest_power * error) * (1.0 + 1e-6)
}

/// `e^{−2πim/N}`.
fn turn(m: usize, length: usize) -> Complex<f64> {
    cis(-TAU * (m as f64 / length as f64))
}

/// `e^{−2πijm/N}` for the points m of a block.
struct BlockTurns {
    re: [f64; BLOCK],
    im: [f64; BLOCK],
}

impl BlockTurns {
    fn new(j: usize, length: usize) -> Self {
        let turns: [Complex<f64>; BLOCK] = std::array::from_fn(|m| turn((j * m) & (length - 1), length));
        Self { re: turns.map(|turn| turn.re), im: turns.map(|turn| turn.im) }
    }

    /// The sum over the masses of a block.
    #[inline]
    fn sum(&self, block: &[f64]) -> Complex<f64> {
        let mut whole = [0.0; BLOCK];
        let block: &[f64; BLOCK] = match block.try_into() {
            Ok(block) => block,
            Err(_) => {
                whole[..block.len()].copy_from_slice(block);
                &whole
            }
        };
        let (mut re, mut im) = ([0.0; LANES], [0.0; LANES]);
        for start in (0..BLOCK).step_by(LANES) {
            for i in 0..LANES {
                re[i] += block[start + i] * self.re[start + i];
                im[i] += block[start + i] * self.im[start + i];
            }
        }
        Complex::new((re[0] + re[1]) + (re[2] + re[3]), (im[0] + im[1]) + (im[2] + im[3]))
    }
}

/// `e^{−2πim/N}` for a power of two N, as a product from two tables.
struct Turns {
    coarse: Vec<Complex<f64>>,
    fine: Vec<Complex<f64>>,
    shift: u32,
}

impl Turns {
    fn new(length: usize) -> Self {
        let shift = length.ilog2() / 2;
        let fine = (0..1 << shift).map(|m| turn(m, length)).collect();
        let coarse = (0..length >> shift).map(|m| turn(m << shift, length)).collect();
        Self { coarse, fine, shift }
    }

    #[inline]
    fn by(&self, m: usize) -> Complex<f64> {
        self.coarse[m >> self.shift] * self.fine[m & ((1 << self.shift) - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hockeystick_numerics::fft::RealFft;

    #[test]
    fn direct_sums_agree_with_the_transform_and_are_sharper() {
        let length = 4096;
        let mut masses: Vec<f64> =
            (0..length).map(|i| if i < 300 { (-0.03 * f64::from(i)).exp() } else { 0.0 }).collect();
        let total: f64 = masses.iter().sum::<f64>() * (1.0 + 1e-12);
        masses.iter_mut().for_each(|mass| *mass /= total);
        let transformed = RealFft::of_length(length as usize).unwrap().forward(masses.clone()).unwrap();
        let mut bins = transformed.values.clone();
        let error = sharpen(&masses[..300], length as usize, &mut bins, 1e3, transformed.error);
        assert!(error < 0.25 * 1e3 * transformed.error, "{error} {}", transformed.error);
        let distance: f64 = bins.iter().zip(&transformed.values).map(|(a, b)| (a - b).norm_sqr()).sum();
        let limit = transformed.error;
        assert!(distance > 0.0 && distance.sqrt() <= limit, "{} {limit}", distance.sqrt());
    }
}
