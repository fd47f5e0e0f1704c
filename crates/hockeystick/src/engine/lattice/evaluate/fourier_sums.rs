//! Tail sums from the few bins of a smooth law, without transforming back.
//!
//! The sum of many losses is smooth, so only the lowest bins of its spectrum are not negligible. With the masses
//! `r_m = (1/N) Σ_j X_j e^{iθ_j m}`, `θ_j = 2πj/N`, the periodic sums that δ needs are geometric series:
//! `Σ_{m ≥ n} r_m e^{−s(m−n)} = (1/N) Σ_j X_j e^{iθ_j n}/(1 − e^{−s+iθ_j})`.

use hockeystick_numerics::{
    fft::{FftError, RealFft},
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp, expm1},
};
use num_complex::Complex;
use std::f64::consts::{PI, TAU};

/// Bins in the lanes of a vector.
const LANES: usize = 4;
/// The relative error of a coefficient, in units. Of `1 − e^{−s+iθ}`: the step s (2); the angle (2.2, because the modulus is at least
/// `0.63e^{−s}θ`); the functions, with the worst error found in tests plus a margin, and their products, all of one sign (9 for each part). Then
/// the quotient (8).
const COEFFICIENT_ERROR: f64 = 24.0;
/// The error of `e^{iθ_j n}` over j, in units: of the first power (4.3 for the angle; 1.1 for sine and cosine, tested), a product, and a margin for
/// the powers between.
const WAVE_ERROR: f64 = 12.0;

/// The leading bins of a spectrum of length N, and the coefficients of both tail sums.
#[derive(Clone, Debug)]
pub(crate) struct FourierSums {
    length: usize,
    /// Bins 0, 1, …
    bins: Vec<Complex<f64>>,
    /// The coefficients of both sums, in groups of lanes.
    groups: Vec<[Coefficients; 2]>,
    /// A bound on the round-off of a sum.
    error: f64,
}

/// Coefficients of adjacent bins.
#[derive(Clone, Copy, Debug)]
struct Coefficients {
    re: [f64; LANES],
    im: [f64; LANES],
}

impl Coefficients {
    const ZERO: Self = Self { re: [0.0; LANES], im: [0.0; LANES] };

    /// `self·z + other`, lane by lane.
    #[inline]
    fn step(&mut self, z: Complex<f64>, other: &Self) {
        for i in 0..LANES {
            let (re, im) = (self.re[i], self.im[i]);
            self.re[i] = (re * z.re - im * z.im) + other.re[i];
            self.im[i] = (re * z.im + im * z.re) + other.im[i];
        }
    }

    /// The real part of the sum of `coefficient·z^i`.
    fn total(&self, powers: &[Complex<f64>; LANES]) -> f64 {
        (0..LANES).map(|i| self.re[i] * powers[i].re - self.im[i] * powers[i].im).sum()
    }
}

impl FourierSums {
    /// For the steps `s = cΔ` and `cΔ + Δ` of the exponents, and the leading bins of a spectrum of `length`, a power of two; the others
    /// are 0, and the last must be among them.
    pub(crate) fn new(step: f64, spacing: f64, length: usize, bins: Vec<Complex<f64>>) -> Self {
        debug_assert!(bins.len() <= length / 2);
        let size = length as f64;
        let mut groups = vec![[Coefficients::ZERO; 2]; bins.len().div_ceil(LANES)];
        let steps = [step, step + spacing].map(|step| (-expm1(-step), exp(-step)));
        let mut errors = [0.0; 2];
        for (j, bin) in bins.iter().enumerate() {
            // Each bin counts twice, for its conjugate.
            let part = if j == 0 { 1.0 } else { 2.0 } / size;
            let half = cis(PI * (j as f64 / size));
            // 2 sin²(θ/2), and sin θ.
            let (rise, turn) = (2.0 * half.im * half.im, 2.0 * half.im * half.re);
            for (i, (fall, rest)) in steps.into_iter().enumerate() {
                let coefficient = bin * part / Complex::new(fall + rest * rise, -rest * turn);
                errors[i] += coefficient.norm() * (COEFFICIENT_ERROR + WAVE_ERROR * j as f64);
                let group = &mut groups[j / LANES][i];
                (group.re[j % LANES], group.im[j % LANES]) = (coefficient.re, coefficient.im);
            }
        }
        // Each step of Horner's rule adds 4 units, which is included in the error over j.
        let error = errors[0].max(errors[1]) * UNIT_ROUNDOFF * (1.0 + 1e-3);
        Self { length, bins, groups, error }
    }

    /// The points of a period.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// A bound on the round-off of [`from`](Self::from) for exact bins.
    pub(crate) fn error(&self) -> f64 {
        self.error
    }

    /// Both sums from a point on.
    pub(crate) fn from(&self, place: usize) -> [f64; 2] {
        let turn = if 2 * place > self.length { place as f64 - self.length as f64 } else { place as f64 };
        let first = cis(TAU * (turn / self.length as f64));
        let second = first * first;
        let powers = [Complex::ONE, first, second, first * second];
        let stride = second * second;
        let mut sums = [Coefficients::ZERO; 2];
        for group in self.groups.iter().rev() {
            sums[0].step(stride, &group[0]);
            sums[1].step(stride, &group[1]);
        }
        [sums[0].total(&powers), sums[1].total(&powers)]
    }

    /// The masses of one period, in plain floats.
    pub(crate) fn masses(&self) -> Result<Vec<f64>, FftError> {
        let mut masses = Vec::new();
        RealFft::of_length(self.length)?.inverse_into(
            &mut self.bins.clone(),
            &mut masses,
            &mut Vec::new(),
        )?;
        Ok(masses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against sums over many periods of what the bins are transformed back to, term by term.
    #[test]
    fn sums_are_those_of_the_masses() {
        for (waves, length, step, spacing) in
            [(1, 64, 0.02, 0.01), (6, 64, 0.3, 0.1), (21, 256, 0.011, 0.004), (128, 256, 0.05, 0.05)]
        {
            let bin = |j: usize| {
                let size = (-2e-3 * (j * j) as f64).exp();
                if j == 0 { Complex::ONE } else { Complex::from_polar(size, 1.3 * j as f64) }
            };
            let waves = FourierSums::new(step, spacing, length, (0..waves).map(bin).collect());
            let masses = waves.masses().unwrap();
            for place in [0, 1, 17, length / 2, length / 2 + 1, length - 1] {
                for (sum, step) in waves.from(place).into_iter().zip([step, step + spacing]) {
                    let term = |m: usize| masses[(place + m) % length] * (-step * m as f64).exp();
                    let exact: f64 = (0..6000).rev().map(term).sum();
                    assert!((sum - exact).abs() <= waves.error() + 1e-13, "{length} {place}: {sum} {exact}");
                    assert!(waves.error() < 1e-12);
                }
            }
        }
    }
}
