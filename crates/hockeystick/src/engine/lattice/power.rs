//! Powers of the bins of a spectrum, and their products.

use num_complex::Complex;

/// The relative error of a complex product, in units, and a little more for products of errors.
pub(super) const PRODUCT_ERROR: f64 = 2.3;
/// A bin of a spectrum below this is taken for 0.
pub(super) const NOTHING: f64 = 1e-150;
/// Bins that are raised side by side, so that the processor can take several at a time.
const LANES: usize = 8;

/// `z ↦ z^count` by repeated squaring.
#[derive(Clone, Copy)]
pub(super) struct Power {
    count: u64,
    /// Numbers whose squared size is below this have powers that are taken for 0.
    smallest: f64,
}

/// Bins, as two arrays.
#[derive(Clone, Copy)]
struct Lanes {
    re: [f64; LANES],
    im: [f64; LANES],
}

impl Lanes {
    fn of(bins: &[Complex<f64>; LANES]) -> Self {
        Self { re: bins.map(|bin| bin.re), im: bins.map(|bin| bin.im) }
    }

    /// The smallest and the largest squared size.
    #[inline]
    fn sizes(&self) -> (f64, f64) {
        let sizes: [f64; LANES] = std::array::from_fn(|i| self.re[i] * self.re[i] + self.im[i] * self.im[i]);
        (sizes.into_iter().fold(f64::INFINITY, f64::min), sizes.into_iter().fold(0.0, f64::max))
    }

    #[inline]
    fn square(&mut self) {
        for i in 0..LANES {
            let (re, im) = (self.re[i], self.im[i]);
            self.re[i] = re * re - im * im;
            self.im[i] = 2.0 * (re * im);
        }
    }

    #[inline]
    fn multiply(&mut self, by: &Self) {
        for i in 0..LANES {
            let (re, im) = (self.re[i], self.im[i]);
            self.re[i] = re * by.re[i] - im * by.im[i];
            self.im[i] = re * by.im[i] + im * by.re[i];
        }
    }

    fn store(&self, bins: &mut [Complex<f64>; LANES]) {
        for (i, bin) in bins.iter_mut().enumerate() {
            *bin = Complex::new(self.re[i], self.im[i]);
        }
    }
}

impl Power {
    /// What is below `faint`, at least [`NOTHING`], is taken for 0. The count is 1 at least.
    pub(super) fn new(count: u64, faint: f64) -> Self {
        let smallest = (2.0 * faint.max(NOTHING).ln() / count.max(1) as f64).exp() * (1.0 - 1e-12);
        Self { count: count.max(1), smallest }
    }

    /// Raises bins that are pulled back into the unit disc before: off by at most `2.3u` per factor, relative; 0 if faint. Returns after how
    /// many of them all are 0.
    pub(super) fn raise(self, bins: &mut [Complex<f64>]) -> usize {
        let (blocks, rest) = bins.as_chunks_mut::<LANES>();
        let mut leading = 0;
        for (i, block) in blocks.iter_mut().enumerate() {
            if self.raise_block(block) {
                leading = (i + 1) * LANES;
            }
        }
        let mut block = [Complex::ZERO; LANES];
        block[..rest.len()].copy_from_slice(rest);
        let are_some = self.raise_block(&mut block);
        rest.copy_from_slice(&block[..rest.len()]);
        if are_some { bins.len() } else { leading }
    }

    /// Are there any that are not faint?
    #[inline]
    fn raise_block(self, block: &mut [Complex<f64>; LANES]) -> bool {
        let mut square = Lanes::of(block);
        let (least, largest) = square.sizes();
        // Most blocks of a large power.
        if largest < self.smallest {
            *block = [Complex::ZERO; LANES];
            return false;
        }
        if least < self.smallest || largest > 1.0 {
            block.iter_mut().for_each(|bin| *bin = self.pulled(*bin));
            square = Lanes::of(block);
        }
        if self.count == 1 {
            return true;
        }
        let mut left = self.count;
        while left & 1 == 0 {
            square.square();
            left >>= 1;
        }
        let mut result = square;
        while left > 1 {
            square.square();
            left >>= 1;
            if left & 1 == 1 {
                result.multiply(&square);
            }
        }
        result.store(block);
        true
    }
}

impl Power {
    /// A number pulled back into the unit disc, or 0 if its power is.
    #[cold]
    fn pulled(self, z: Complex<f64>) -> Complex<f64> {
        let size = z.norm_sqr();
        if size < self.smallest {
            Complex::ZERO
        } else if size > 1.0 {
            z / size.sqrt()
        } else {
            z
        }
    }
}

/// Multiplies a spectrum by another, bin by bin; what is below `faint`, at least [`NOTHING`], becomes 0, so that nothing underflows slowly.
/// Returns after how many bins all are 0.
pub(super) fn multiply(spectrum: &mut [Complex<f64>], by: &[Complex<f64>], faint: f64) -> usize {
    let least = faint.max(NOTHING) * faint.max(NOTHING);
    let mut leading = 0;
    for (i, (product, factor)) in spectrum.iter_mut().zip(by).enumerate() {
        let value = *product * factor;
        let is_faint = value.norm_sqr() < least;
        *product = if is_faint { Complex::ZERO } else { value };
        leading = if is_faint { leading } else { i + 1 };
    }
    leading
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against powers in polar form, of numbers around the unit circle and within, in odd numbers of bins.
    #[test]
    fn powers_are_those_of_modulus_and_angle() {
        for (count, bins) in [(1, 5), (2, 8), (3, 9), (100, 23), (1_000_003, 41)] {
            let size = |i: usize| {
                if i % 7 == 6 { 1.0 + 1e-15 } else { 1.0 - 3.0 * i as f64 / (count as f64 * 40.0) }
            };
            let angle = |i: usize| 0.1 + i as f64 / 3.0;
            let mut values: Vec<Complex<f64>> =
                (0..bins).map(|i| Complex::from_polar(size(i), angle(i))).collect();
            assert_eq!(Power::new(count, 0.0).raise(&mut values), bins);
            for (i, value) in values.into_iter().enumerate() {
                let expected =
                    Complex::from_polar(size(i).min(1.0).powf(count as f64), angle(i) * count as f64);
                assert!((value - expected).norm() <= 1e-14 * (count as f64 + 8.0), "{count} {i}");
            }
        }
        let mut values = [Complex::new(0.5, 0.0), Complex::new(1.0, 0.0)];
        Power::new(1000, 0.0).raise(&mut values);
        assert_eq!(values, [Complex::ZERO, Complex::ONE]);
    }

    #[test]
    fn faint_bins_become_nothing() {
        let size = |i: i32| 1.0 - 0.05 * f64::from(i);
        let mut values: Vec<Complex<f64>> = (0..19).map(|i| Complex::new(0.0, size(i))).collect();
        // 0.7^20 = 8.0e-4 and 0.65^20 = 1.8e-4: bins 0 to 6 are left, and a block ends after the next.
        assert_eq!(Power::new(20, 4e-4).raise(&mut values), 8);
        for (i, value) in values.iter().enumerate() {
            let expected = if i < 7 { size(i as i32).powi(20) } else { 0.0 };
            assert!((value.norm() - expected).abs() < 1e-14, "{i}");
        }
        let halves = [Complex::new(0.5, 0.0); 8];
        // 0.5·0.75^20 = 1.6e-3 and 0.5·0.7^20 = 4.0e-4.
        assert_eq!(multiply(&mut values[..8], &halves, 1e-3), 6);
        assert_eq!((values[5].norm() > 1e-3, values[6]), (true, Complex::ZERO));
    }
}
