//! The a-priori bound on the round-off of a real transform of length N = 2ᴸ, and its proof.
//!
//! # Proof
//! Let u = 2⁻⁵³. The transform is a chain of passes: additions, and multiplications by twiddle factors.
//!
//! *Passes preserve relative errors.* Each pass maps a vector by a matrix whose column blocks are orthogonal:
//! butterflies (a + b, a − b) scale every norm by √2, twiddles by 1. (In split-radix steps the blocks have
//! different scales; orthogonal blocks suffice.) So a vector that is off by a relative ε in the 2-norm leaves
//! an exact pass off by the same ε, and an inexact pass with relative error η makes it (1 + ε)(1 + η) − 1.
//! This is Higham, *Accuracy and Stability of Numerical Algorithms* (2nd ed.), Theorem 24.2, with the
//! constants of this library.
//!
//! *An addition pass* rounds every component once: η ≤ u.
//!
//! *A twiddle pass* has η ≤ (1 + √5 u)(1 + μ) − 1. The product of complex numbers by the schoolbook formula
//! has normwise relative error at most √5 u (Brent, Percival & Zimmermann, Math. Comp. 76, 2007) and at most
//! 2u with a fused multiply-add (Jeannerod, Kornerup, Louvet & Muller, Math. Comp. 86, 2017); RustFFT uses
//! one or the other. Factors of an eighth turn are applied as a rounded addition and a product with the
//! rounded √½, in total below 2.7 u. Quarter turns are exact.
//!
//! *Twiddle factors* are computed by `rustfft::twiddles::compute_twiddle` and by its twin in realfft as the
//! cosine and sine of the double α = (−2π/n)·index with index < n. The double 2π is off by 0.352 u, the
//! division by a power of two exact, the product rounded: |α| < 2π is off by less than 2π·1.352 u < 8.50 u,
//! and so is e^{iα}. The platform's cosine and sine are taken to be within 2 ulp, that is 2u each as they are
//! below 1, or 2√2 u together. So μ ≤ 8.50 u + 2.83 u < [`TWIDDLE_ERROR_UNITS`]·u. (Rust does not promise the
//! accuracy of its sine. `tests/fft.rs` checks the assumption for every twiddle up to 2¹⁶ on the platform it
//! runs on.)
//!
//! *Counting.* realfft packs the signal into N/2 complex numbers, whose transform RustFFT does for powers of
//! two by radix-4 steps (portable, SSE, NEON, WASM) or radix-2, 4, 8 and 16 steps (AVX) on butterflies of up
//! to 512 points. Unfolded into radix 2, any of them has at most L − 1 addition passes with at most L − 2
//! twiddle passes between them. The step between packed and real spectrum, in either direction, is an
//! addition pass, a twiddle pass and an addition pass, and also √2 times an isometry in the norm over all N
//! bins (a pair of bins k, N/2 − k takes the place of itself and its conjugates). In total at most L + 1
//! addition passes and L − 1 twiddle passes:
//!
//! ```text
//! ρ(N) ≤ (1 + u)^(L+1) · ((1 + √5 u)(1 + μ))^(L−1) − 1 ≈ ((L + 1) + (L − 1)(√5 + 11.5)) u.
//! ```
//!
//! *One bin.* Unfolded, every value of the packed signal z comes to every bin of its transform on one path of factors of modulus 1, each with
//! its roundings: relative errors of the sums and products on the path, all of them normwise. So a bin is off by at most `ρ′·‖z‖₁`, with
//! ρ′ from the passes so far, whatever the other bins are. A bin of the real spectrum is `E + τO`, where E and O are half the sum and the difference
//! of two packed bins, both at most `‖z‖₁` and off by at most `ρ′·‖z‖₁`; it is off by at most `2ρ(N)·‖z‖₁`. Where a signal is far from flat that is
//! much less than `ρ(N)·√N·‖x‖₂`.
//!
//! (Read in rustfft 6.4.1 and realfft 3.5.1. Updates of either need this page read again.)

use crate::rounding::UNIT_ROUNDOFF;

use num_complex::Complex;

/// μ: a bound on |computed − exact| of a twiddle factor, in units of u = 2⁻⁵³.
pub const TWIDDLE_ERROR_UNITS: f64 = 11.5;

/// The relative error √5·u of a complex product, in units of u, rounded up.
const PRODUCT_ERROR_UNITS: f64 = 2.2361;

/// ρ(N): the relative round-off bound ‖computed − exact‖₂ / ‖exact‖₂ of a forward or inverse transform of
/// `length` values.
#[must_use]
pub fn relative_round_off(length: usize) -> f64 {
    let levels = f64::from(length.ilog2());
    let additions = levels + 1.0;
    let twiddles = (levels - 1.0).max(0.0);
    let first_order = UNIT_ROUNDOFF * (additions + twiddles * (PRODUCT_ERROR_UNITS + TWIDDLE_ERROR_UNITS));
    // Π(1 + ηᵢ) − 1 ≤ s/(1 − s) with s = Σηᵢ < 10⁻¹³.
    first_order * (1.0 + 1e-12)
}

/// An absolute error that covers products below 2⁻¹⁰²² in all passes.
///
/// Each pass makes at most 6 such errors of 2⁻¹⁰⁷⁵ per component, of norm at most 6√(2N)·2⁻¹⁰⁷⁵; later passes
/// multiply a norm by at most √N (or by 2√N in the inverse, whose first step is not halved). With fewer than
/// 2L passes that is at most 12√2·L·N·2⁻¹⁰⁷⁴ < L·2⁻¹⁰²² for N ≤ 2⁴⁰.
pub(super) fn underflow(length: usize) -> f64 {
    f64::from(length.ilog2()) * f64::MIN_POSITIVE
}

/// ‖x‖₂, not below the exact norm. Not a number or infinite if an element is.
pub(super) fn norm_bound(values: &[f64]) -> f64 {
    let plain = sum_of_squares(values);
    if PLAIN.contains(&plain) {
        return rounded_up(plain.sqrt(), values.len());
    }
    // Squares may have left the range: bring the largest value near 1 by a power of two, exactly.
    if values.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let largest = values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 || largest.is_infinite() {
        return largest;
    }
    // (The scale comes as its root s because s² itself may overflow where s²x does not.)
    let root_scale = 2f64.powi(-(largest.log2() as i32) / 2);
    let scaled: f64 = values.iter().map(|x| x * root_scale * root_scale).map(|x| x * x).sum();
    rounded_up(scaled.sqrt() / root_scale / root_scale, values.len())
}

/// `2‖z‖₁`, not below the exact sum, where z are the pairs of values that are packed into complex numbers.
pub(super) fn packed_sum_bound(values: &[f64]) -> f64 {
    /// √2 − 1, rounded up: `√(a² + b²) ≤ a + (√2 − 1)·b` for `a ≥ b ≥ 0`.
    const LESSER: f64 = 0.414_213_562_4;
    const LANES: usize = 4;
    let mut lanes = [0.0; LANES];
    let (blocks, rest) = values.as_chunks::<{ 2 * LANES }>();
    for block in blocks {
        for (lane, sum) in lanes.iter_mut().enumerate() {
            let (a, b) = (block[2 * lane].abs(), block[2 * lane + 1].abs());
            let (greater, lesser) = if a > b { (a, b) } else { (b, a) };
            *sum += greater + LESSER * lesser;
        }
    }
    let sum = lanes.iter().sum::<f64>() + rest.iter().map(|x| x.abs()).sum::<f64>();
    2.0 * rounded_up(sum, values.len())
}

/// ‖X‖₂ over all N bins of a spectrum given by its first bins, up to N/2 if they are the whole of it, not below the exact norm.
pub(super) fn spectrum_norm_bound(bins: &[Complex<f64>], is_whole: bool) -> f64 {
    let Some((first, others)) = bins.split_first() else { return 0.0 };
    let (last, inner) = match others.split_last() {
        Some((last, inner)) if is_whole => (*last, inner),
        Some(_) | None => (Complex::ZERO, others),
    };
    let ends = norm_bound(&[first.re, first.im, last.re, last.im]);
    // Inner bins stand for their conjugates, too.
    let inner = std::f64::consts::SQRT_2 * inner_norm_bound(inner);
    rounded_up(pxfm::f_hypot(ends, inner), 8)
}

/// ‖X‖₂ of bins, not below the exact norm.
fn inner_norm_bound(bins: &[Complex<f64>]) -> f64 {
    let (blocks, rest) = bins.as_chunks::<4>();
    let mut lanes = [0.0; 8];
    for block in blocks {
        for (i, z) in block.iter().enumerate() {
            lanes[2 * i] += z.re * z.re;
            lanes[2 * i + 1] += z.im * z.im;
        }
    }
    let plain = lanes.iter().sum::<f64>() + rest.iter().map(Complex::norm_sqr).sum::<f64>();
    if PLAIN.contains(&plain) {
        return rounded_up(plain.sqrt(), 2 * bins.len());
    }
    // Block by block, so that no copy of the whole is made.
    let mut parts = Vec::with_capacity(2 * NORM_BLOCK);
    let blocks: Vec<f64> = (bins.chunks(NORM_BLOCK))
        .map(|block| {
            parts.clear();
            parts.extend(block.iter().flat_map(|z| [z.re, z.im]));
            norm_bound(&parts)
        })
        .collect();
    norm_bound(&blocks)
}

/// Bins whose norm is taken at once.
const NORM_BLOCK: usize = 1024;

/// Sums of squares in which nothing that matters underflowed or overflowed.
const PLAIN: std::ops::Range<f64> = 1e-270..1e270;

/// Σ x² in eight interleaved partial sums, which the processor can overlap.
fn sum_of_squares(values: &[f64]) -> f64 {
    let (blocks, rest) = values.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for block in blocks {
        for (lane, x) in lanes.iter_mut().zip(block) {
            *lane += x * x;
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().map(|x| x * x).sum::<f64>()
}

/// A norm of `count` values plus twice what its roundings can have taken: (count + 8)·u for scalings,
/// squares, additions and root; squares that underflow beside a sum above 10⁻²⁷⁰ are far below that.
fn rounded_up(norm: f64, count: usize) -> f64 {
    norm * (1.0 + (count as f64 + 8.0) * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_just_above(bound: f64, exact: f64) -> bool {
        bound >= exact && bound <= exact * (1.0 + 1e-13)
    }

    #[test]
    fn norms_survive_extreme_scales() {
        for scale in [1.0, 1e-200, 1e200, 1e-305, 2e307] {
            let values = [3.0 * scale, 0.0, -4.0 * scale];
            assert!(is_just_above(norm_bound(&values), 5.0 * scale), "{scale}: {}", norm_bound(&values));
        }
        // Subnormal, where only the floor of the transforms' bounds matters.
        assert!((norm_bound(&[3e-310, 4e-310]) / 5e-310 - 1.0).abs() < 1e-13);
        assert!(norm_bound(&[1.0, f64::NAN, 2.0]).is_nan());
        assert_eq!(norm_bound(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert_eq!(norm_bound(&[0.0; 4]), 0.0);
    }

    #[test]
    fn inner_bins_count_twice() {
        let bins = [Complex::new(1.0, 0.0), Complex::new(1.0, 1.0), Complex::new(2.0, 0.0)];
        // 1 + 2·2 + 4 = 9.
        assert!(is_just_above(spectrum_norm_bound(&bins, true), 3.0));
        // 1 + 2·2 + 2·4 = 13.
        assert!(is_just_above(spectrum_norm_bound(&bins, false), 13f64.sqrt()));
        assert_eq!(spectrum_norm_bound(&[], false), 0.0);
    }

    #[test]
    fn packed_pairs_are_summed_by_moduli() {
        let values: Vec<f64> = (0..38).map(|i| f64::from(i * i % 13) - 6.0).collect();
        let exact: f64 = values.chunks_exact(2).map(|pair| pair[0].hypot(pair[1])).sum();
        let bound = packed_sum_bound(&values);
        assert!(bound >= 2.0 * exact && bound <= 2.0 * 1.13 * exact, "{bound} {exact}");
        // Equal halves: √2 of the larger.
        let equal = packed_sum_bound(&[1.0; 16]) / (16.0 * std::f64::consts::SQRT_2);
        assert!((1.0..1.0 + 1e-10).contains(&equal), "{equal}");
        assert!(packed_sum_bound(&[1.0, f64::NAN]).is_nan());
    }

    #[test]
    fn bound_grows_by_the_same_amount_per_level() {
        let per_level = relative_round_off(1 << 21) - relative_round_off(1 << 20);
        assert!((per_level / UNIT_ROUNDOFF - 14.7361).abs() < 1e-6);
        assert!(relative_round_off(2) >= 2.0 * UNIT_ROUNDOFF);
    }
}
