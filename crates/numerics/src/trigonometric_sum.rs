//! `Σ Re(vₙ e^{−inα})`: a trigonometric polynomial at one angle after the other.

use crate::{
    rounding::UNIT_ROUNDOFF,
    special::{CIS_ERROR_UNITS, cis},
    summation::CompensatedSum,
};
use num_complex::Complex;

/// Terms whose turns are the same in every block, up to that of the block.
const BLOCK: usize = 32;
/// Sums within a block that do not wait for each other.
const LANES: usize = 4;
/// Blocks from one direct turn to the next.
const BLOCKS_PER_TURN: usize = 8;
/// A product of complex numbers, relative to its modulus, in units of u (Brent, Percival & Zimmermann 2007): √5.
const PRODUCT_ERROR: f64 = 2.2361;

/// The coefficients of a trigonometric polynomial, to be evaluated at many angles.
///
/// ```
/// use hockeystick_numerics::trigonometric_sum::TrigonometricSum;
/// use num_complex::Complex;
/// let sum: TrigonometricSum = [1.0, 2.0].map(|v| Complex::new(v, 0.0)).into_iter().collect();
/// let (value, error) = sum.real_part(0.5);
/// assert!((value - (1.0 + 2.0 * 0.5f64.cos())).abs() <= error);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TrigonometricSum {
    /// Real and imaginary parts, with zeros up to a whole number of blocks.
    real: Vec<[f64; BLOCK]>,
    imaginary: Vec<[f64; BLOCK]>,
    length: usize,
    /// An upper bound of `Σ|vₙ|`.
    mass: f64,
}

impl TrigonometricSum {
    /// Adds the coefficient of the next order.
    pub fn push(&mut self, value: Complex<f64>) {
        let place = self.length % BLOCK;
        if place == 0 {
            self.real.push([0.0; BLOCK]);
            self.imaginary.push([0.0; BLOCK]);
        }
        if let (Some(real), Some(imaginary)) = (self.real.last_mut(), self.imaginary.last_mut()) {
            real[place] = value.re;
            imaginary[place] = value.im;
        }
        self.length += 1;
        self.mass = (self.mass + value.norm()) * (1.0 + 4.0 * UNIT_ROUNDOFF);
    }

    /// `Σ Re(vₙ e^{−inα})`, and what rounding may have done to it.
    ///
    /// # Guarantee
    /// The value is off by no more than the second number if the products nα are exact. Where they are not, their
    /// errors turn the terms by as much, which is for the caller to count.
    ///
    /// Proof: a turn within a block is a product of up to 31 factors, each computed by [`cis`] and each product rounded; the
    /// turn of a block is one of up to 7 such. A term is a product with the first, a sum of 9 additions in a lane and of lanes,
    /// and a product with the second. The modulus of every partial sum is at most the sum of the moduli.
    #[must_use]
    pub fn real_part(&self, angle: f64) -> (f64, f64) {
        let turn = cis(-angle);
        let (mut real_turns, mut imaginary_turns) = ([0.0; BLOCK], [0.0; BLOCK]);
        let mut within = Complex::new(1.0, 0.0);
        for place in 0..BLOCK {
            (real_turns[place], imaginary_turns[place]) = (within.re, within.im);
            within *= turn;
        }
        // The product with a power of two is exact.
        let next_block = cis(-angle * BLOCK as f64);
        let mut at_block = next_block;
        let mut sum = CompensatedSum::new();
        for (index, (real, imaginary)) in self.real.iter().zip(&self.imaginary).enumerate() {
            let (mut along, mut across) = ([0.0; LANES], [0.0; LANES]);
            for start in (0..BLOCK).step_by(LANES) {
                for lane in 0..LANES {
                    let (x, y) = (real[start + lane], imaginary[start + lane]);
                    let (u, v) = (real_turns[start + lane], imaginary_turns[start + lane]);
                    along[lane] += x * u - y * v;
                    across[lane] += x * v + y * u;
                }
            }
            let along = (along[0] + along[1]) + (along[2] + along[3]);
            let across = (across[0] + across[1]) + (across[2] + across[3]);
            at_block = if index % BLOCKS_PER_TURN == 0 {
                cis(-angle * (index * BLOCK) as f64)
            } else {
                at_block * next_block
            };
            sum.add(along * at_block.re - across * at_block.im);
        }
        let turns =
            (BLOCK - 1 + BLOCKS_PER_TURN - 1) as f64 * (CIS_ERROR_UNITS + PRODUCT_ERROR) + CIS_ERROR_UNITS;
        let additions = (BLOCK / LANES + 1) as f64;
        // A hundredth more for products of errors, and what underflows.
        let units = 1.01 * (turns + additions + 2.0 * PRODUCT_ERROR);
        (sum.value(), sum.error_bound() + units * UNIT_ROUNDOFF * self.mass + 1e-315)
    }
}

impl FromIterator<Complex<f64>> for TrigonometricSum {
    fn from_iter<I: IntoIterator<Item = Complex<f64>>>(values: I) -> Self {
        let mut sum = Self::default();
        values.into_iter().for_each(|value| sum.push(value));
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coefficients that fall, with signs that do not.
    fn coefficients(length: usize) -> Vec<Complex<f64>> {
        let fall = 8.0 / length as f64;
        (0..length).map(|n| cis(1.7 * (n * n) as f64) * (-fall * n as f64).exp()).collect()
    }

    /// Turn by turn, at angles whose multiples are exact.
    #[test]
    fn agrees_with_direct_turns() {
        for length in [1, 2, 31, 32, 33, 255, 256, 257, 5000] {
            let values = coefficients(length);
            let sum: TrigonometricSum = values.iter().copied().collect();
            let mass: f64 = values.iter().map(|value| value.norm()).sum();
            for numerator in [0, 1, 7, 100, 1023, 3000, -5] {
                let angle = f64::from(numerator) / 1024.0;
                let terms = values.iter().enumerate().map(|(n, value)| (value * cis(-angle * n as f64)).re);
                let direct: CompensatedSum = terms.collect();
                let (found, error) = sum.real_part(angle);
                let doubt = direct.error_bound() + 4.0 * UNIT_ROUNDOFF * mass;
                assert!((found - direct.value()).abs() <= error + doubt, "{length} at {angle}");
                assert!(error <= 160.0 * UNIT_ROUNDOFF * mass + 1e-300, "{length}: {error:e}");
            }
        }
    }

    /// `Σ 2⁻ⁿ cos(nα)` for n below 40 is `(1 − cos(α)/2)/(5/4 − cos α)`, up to 10⁻¹².
    #[test]
    fn agrees_with_a_geometric_series() {
        let sum: TrigonometricSum = (0..40).map(|n| Complex::new(2f64.powi(-n), 0.0)).collect();
        for angle in [0.0, 0.3, 2.0, 3.0] {
            let cosine = f64::cos(angle);
            let (found, error) = sum.real_part(angle);
            assert!((found - (1.0 - 0.5 * cosine) / (1.25 - cosine)).abs() <= error + 4e-12);
        }
    }
}
