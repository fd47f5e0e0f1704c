//! Powers of the bins of a spectrum, and their products.

use num_complex::Complex;

/// The relative error of a complex product, in units, and a little more for products of errors.
pub(super) const PRODUCT_ERROR: f64 = 2.3;
/// A bin of a spectrum below this is taken for 0.
pub(super) const NOTHING: f64 = 1e-150;
/// Bins that are raised side by side, so that the processor can take several at a time.
const LANES: usize = 4;

/// `z ↦ z^count` by repeated squaring.
#[derive(Clone, Copy)]
pub(super) struct Power {
    count: u64,
    /// Numbers whose squared size is below this have powers below [`NOTHING`].
    smallest: f64,
}

/// Bins, as two arrays.
#[derive(Clone, Copy)]
struct Lanes {
    re: [f64; LANES],
    im: [f64; LANES],
}

impl Lanes {
    const ONE: Self = Self { re: [1.0; LANES], im: [0.0; LANES] };

    fn of(bins: &[Complex<f64>; LANES]) -> Self {
        Self { re: bins.map(|bin| bin.re), im: bins.map(|bin| bin.im) }
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
    pub(super) fn new(count: u64) -> Self {
        Self { count, smallest: (2.0 * NOTHING.ln() / count as f64).exp() * (1.0 - 1e-12) }
    }

    /// Raises bins that are pulled back into the unit disc before: off by at most `2.3u` per factor, relative; 0 if below
    /// [`NOTHING`].
    pub(super) fn raise(self, bins: &mut [Complex<f64>]) {
        let (blocks, rest) = bins.as_chunks_mut::<LANES>();
        blocks.iter_mut().for_each(|block| self.raise_block(block));
        let mut block = [Complex::ZERO; LANES];
        block[..rest.len()].copy_from_slice(rest);
        self.raise_block(&mut block);
        rest.copy_from_slice(&block[..rest.len()]);
    }

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

    #[inline]
    fn raise_block(self, block: &mut [Complex<f64>; LANES]) {
        // Most blocks of a large power. (Without a jump out of the loop the processor takes several at a time.)
        if block.iter().fold(true, |are_small, bin| are_small & (bin.norm_sqr() < self.smallest)) {
            *block = [Complex::ZERO; LANES];
            return;
        }
        let is_plain = |bin: &Complex<f64>| (self.smallest..=1.0).contains(&bin.norm_sqr());
        if !block.iter().fold(true, |are_plain, bin| are_plain & is_plain(bin)) {
            block.iter_mut().for_each(|bin| *bin = self.pulled(*bin));
        }
        if self.count == 1 {
            return;
        }
        let mut square = Lanes::of(block);
        let (mut result, mut left) = (Lanes::ONE, self.count);
        loop {
            if left & 1 == 1 {
                result.multiply(&square);
            }
            left >>= 1;
            if left == 0 {
                return result.store(block);
            }
            square.square();
        }
    }
}

/// Multiplies a spectrum by another, bin by bin; what is below [`NOTHING`] becomes 0, so that nothing underflows slowly.
pub(super) fn multiply(spectrum: &mut [Complex<f64>], by: &[Complex<f64>]) {
    for (product, factor) in spectrum.iter_mut().zip(by) {
        let value = *product * factor;
        *product = if value.norm_sqr() < NOTHING * NOTHING { Complex::ZERO } else { value };
    }
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
            Power::new(count).raise(&mut values);
            for (i, value) in values.into_iter().enumerate() {
                let expected =
                    Complex::from_polar(size(i).min(1.0).powf(count as f64), angle(i) * count as f64);
                assert!((value - expected).norm() <= 1e-14 * (count as f64 + 8.0), "{count} {i}");
            }
        }
        let mut values = [Complex::new(0.5, 0.0), Complex::new(1.0, 0.0)];
        Power::new(1000).raise(&mut values);
        assert_eq!(values, [Complex::ZERO, Complex::ONE]);
    }
}
