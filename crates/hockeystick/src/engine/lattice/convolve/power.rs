//! Powers of the bins of a spectrum, and their products.

use num_complex::Complex;
use pulp::{Arch, Scalar, Simd, WithSimd, bytemuck::cast_slice_mut};

/// The relative error of a complex product, in units, with a margin for products of errors: `√5`, and 3 for a square as
/// `(a − b)(a + b) + 2abi`, whose real part has three roundings and whose imaginary part has one.
pub(crate) const PRODUCT_ERROR: f64 = 3.01;
/// Bins below this are set to 0.
pub(crate) const NOTHING: f64 = 1e-150;
/// Vectors of bins in flight at once, to hide the latency of products.
const SIDE_BY_SIDE: usize = 2;

/// `z ↦ z^count` by repeated squaring.
#[derive(Clone, Copy)]
pub(crate) struct Power {
    count: u64,
    /// Numbers with a smaller squared modulus have a power that is set to 0.
    smallest: f64,
}

impl Power {
    /// Powers below `faint`, at least [`NOTHING`], are set to 0. The count is at least 1.
    pub(crate) fn new(count: u64, faint: f64) -> Self {
        let smallest = (2.0 * faint.max(NOTHING).ln() / count.max(1) as f64).exp() * (1.0 - 1e-12);
        Self { count: count.max(1), smallest }
    }

    /// Is its power set to 0?
    pub(crate) fn is_faint(self, z: Complex<f64>) -> bool {
        z.norm_sqr() < self.smallest
    }

    /// Raises bins after projecting them onto the unit disc: with a relative error of at most `3u` per factor, or 0 if negligible. Returns the
    /// number of bins up to the last non-zero one.
    pub(crate) fn raise(self, bins: &mut [Complex<f64>]) -> usize {
        Arch::new().dispatch(Raising { power: self, bins })
    }

    /// Projects bins onto the unit disc.
    #[cold]
    fn pull(bins: &mut [Complex<f64>]) {
        for bin in bins {
            let size = bin.norm_sqr();
            if size > 1.0 {
                *bin /= size.sqrt();
            }
        }
    }
}

/// Dispatched to the widest vectors of the processor.
struct Raising<'a> {
    power: Power,
    bins: &'a mut [Complex<f64>],
}

impl WithSimd for Raising<'_> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        let Self { power, bins } = self;
        let rest = bins.len() % (SIDE_BY_SIDE * S::F64_LANES);
        let (whole, rest) = bins.split_at_mut(bins.len() - rest);
        let leading = raise_blocks::<S, SIDE_BY_SIDE>(simd, power, whole);
        match raise_blocks::<Scalar, 1>(Scalar, power, rest) {
            0 => leading,
            more => whole.len() + more,
        }
    }
}

/// Raises bins in blocks of `SIDE` vectors each. Returns the number of bins up to the last non-zero block.
#[inline(always)]
fn raise_blocks<S: Simd, const SIDE: usize>(simd: S, power: Power, bins: &mut [Complex<f64>]) -> usize {
    let points = SIDE * S::F64_LANES;
    let mut leading = 0;
    for (i, block) in bins.chunks_exact_mut(points).enumerate() {
        let mut parts = Parts::<S, SIDE>::of(simd, block);
        let Bright { any: true, outside } = parts.without_faint(simd, power.smallest) else {
            // The common case for a large power.
            block.fill(Complex::ZERO);
            continue;
        };
        if outside {
            Power::pull(block);
            parts = Parts::of(simd, block);
            parts.without_faint(simd, power.smallest);
        }
        leading = (i + 1) * points;
        parts.raised(simd, power.count).store(simd, block);
    }
    leading
}

/// Are any bins of a block not negligible, and any outside of the unit disc?
struct Bright {
    any: bool,
    outside: bool,
}

/// Real and imaginary parts of the bins of a block, `[re, im]` each, in the order of the deinterleaved lanes.
#[derive(Clone, Copy)]
struct Parts<S: Simd, const SIDE: usize>([[S::f64s; 2]; SIDE]);

impl<S: Simd, const SIDE: usize> Parts<S, SIDE> {
    #[inline(always)]
    fn of(simd: S, block: &mut [Complex<f64>]) -> Self {
        let (vectors, _) = S::as_mut_simd_f64s(cast_slice_mut(block));
        Self(std::array::from_fn(|i| simd.deinterleave_shfl_f64s([vectors[2 * i], vectors[2 * i + 1]])))
    }

    #[inline(always)]
    fn store(self, simd: S, block: &mut [Complex<f64>]) {
        let (vectors, _) = S::as_mut_simd_f64s(cast_slice_mut(block));
        for (to, parts) in vectors.chunks_exact_mut(2).zip(self.0) {
            to.copy_from_slice(&simd.interleave_shfl_f64s(parts));
        }
    }

    /// Sets negligible bins to 0.
    #[inline(always)]
    fn without_faint(&mut self, simd: S, smallest: f64) -> Bright {
        let (zero, one, smallest) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0), simd.splat_f64s(smallest));
        let none = simd.less_than_f64s(one, one);
        let (mut any, mut outside) = (none, none);
        for [re, im] in &mut self.0 {
            let size = simd.add_f64s(simd.mul_f64s(*re, *re), simd.mul_f64s(*im, *im));
            let is_bright = simd.less_than_or_equal_f64s(smallest, size);
            *re = simd.select_f64s(is_bright, *re, zero);
            *im = simd.select_f64s(is_bright, *im, zero);
            any = simd.or_m64s(any, is_bright);
            outside = simd.or_m64s(outside, simd.less_than_f64s(one, size));
        }
        let is_any = |mask: S::m64s| simd.first_true_m64s(mask) < S::F64_LANES;
        Bright { any: is_any(any), outside: is_any(outside) }
    }

    #[inline(always)]
    fn raised(mut self, simd: S, count: u64) -> Self {
        let mut left = count;
        while left & 1 == 0 {
            self.square(simd);
            left >>= 1;
        }
        let mut result = self;
        while left > 1 {
            self.square(simd);
            left >>= 1;
            if left & 1 == 1 {
                result.multiply(simd, &self);
            }
        }
        result
    }

    #[inline(always)]
    fn square(&mut self, simd: S) {
        for z in &mut self.0 {
            let [re, im] = *z;
            let product = simd.mul_f64s(simd.sub_f64s(re, im), simd.add_f64s(re, im));
            *z = [product, simd.mul_f64s(simd.add_f64s(re, re), im)];
        }
    }

    #[inline(always)]
    fn multiply(&mut self, simd: S, by: &Self) {
        for (z, [c, d]) in self.0.iter_mut().zip(by.0) {
            let [a, b] = *z;
            let product = |x, y| simd.mul_f64s(x, y);
            *z = [simd.sub_f64s(product(a, c), product(b, d)), simd.add_f64s(product(a, d), product(b, c))];
        }
    }
}

/// Multiplies two spectra bin by bin. Products below `faint`, at least [`NOTHING`], become 0, which avoids slow subnormal numbers. Returns the
/// number of bins up to the last non-zero one.
pub(crate) fn multiply(spectrum: &mut [Complex<f64>], by: &[Complex<f64>], faint: f64) -> usize {
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
