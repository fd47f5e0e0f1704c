//! Real transforms of length N of signals that are 0 after their first M values, where M is a small part of N.
//!
//! With N = MR, bin Rm + p of such a signal is bin m of the complex transform of length M of `xⱼ e^{−2πipj/N}`: R short transforms, of
//! which those with p ≤ R/2 suffice, the others being conjugates. They stay in that order, the *phases* p one after the other. What is
//! done to each bin on its own (powers, products) does not mind; and the way back, to all N values, starts with short transforms, too:
//! `x_{n+Mq} = (1/N) Σ_p e^{2πipq/R} T_p(n)` with `T_p(n) = e^{2πipn/N} Σ_m X_{Rm+p} e^{2πimn/M}`, `n < M`.
//!
//! # Guarantee
//! As in the [module above](super), with ρ(2M) forward and ρ(N) back.
//!
//! # Proof
//! The passes are counted as in [`round_off`](super::round_off), in units of u. Turns `e^{±2πipj/N}`, `pj ≤ N/2`, are products of two from
//! tables. Those are within 5.4 (the angle, at most π, is off by 1.352 relative; [`CIS_ERROR_UNITS`](crate::special::CIS_ERROR_UNITS)), so the
//! products are within 2·5.4 + √5 < 13.1. *Forward*: a turn and the product with a real number, 14.1; log₂ M additions, and
//! log₂ M − 1 passes of twiddle factors at √5 + 11.5. That is less than ρ(2M), which has two more additions and one more pass.
//! *Back*: the same short transforms; a turn, 13.1 + √5; then log₂ R additions, and log₂ R − 2 passes of factors within 5.4, at √5 + 5.4.
//! That is less than ρ(N), which has one more addition, and log₂ R more passes at √5 + 11.5 in place of these and of the turn. The passes over
//! conjugate phases are √2 times isometries in the norm over all N bins. `T_0` and `T_{R/2}` are real: leaving out what imaginary part
//! the given bins lead to can only take away from an error.

use super::{
    FftError, MAX_LENGTH,
    round_off::{relative_round_off, underflow},
};
use crate::special::cis;
use num_complex::Complex;
use pulp::{Arch, Simd, WithSimd};
use rustfft::{Fft, FftPlanner};
use std::{
    collections::HashMap,
    f64::consts::TAU,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

/// The fewest and the most phases of all R.
const FEWEST_PHASES: usize = 8;
const MOST_PHASES: usize = 32;
/// Values that are transformed side by side.
const LANES: usize = 8;
/// The length of the transform for a sample of the bins, of which all but conjugates are shown.
const SAMPLE: usize = 64;
/// The fewest values of a short transform.
const FEWEST_VALUES: usize = 64;

/// Numbers side by side.
type Lanes = [f64; LANES];

/// The transforms of signals of up to M values in a period of N. Cheap to share; obtain it from [`ShortFft::of_length`].
pub struct ShortFft {
    length: usize,
    /// M.
    values: usize,
    /// R.
    phases: usize,
    forward: Arc<dyn Fft<f64>>,
    inverse: Arc<dyn Fft<f64>>,
    sample: Arc<dyn Fft<f64>>,
    /// `e^{−2πipj/N}` for j below [`LANES`], for each phase p.
    fine: Vec<[Lanes; 2]>,
    /// The same for multiples j of [`LANES`] below M, one phase after the other.
    coarse: Vec<Complex<f64>>,
    /// `e^{2πip/S}` for p below S/4, for S = R, R/2, …, 8.
    twiddles: Vec<Vec<Complex<f64>>>,
}

type Plans = (FftPlanner<f64>, HashMap<(usize, usize), Arc<ShortFft>>);

static PLANS: LazyLock<Mutex<Plans>> = LazyLock::new(|| Mutex::new((FftPlanner::new(), HashMap::new())));

impl ShortFft {
    /// The plan for signals of `values` values in a period of `length`, made once per process. `None` if they are no small part of it.
    ///
    /// # Errors
    /// [`FftError::Length`] unless the length is a power of two from 2 to 2⁴⁰.
    pub fn of_length(length: usize, values: usize) -> Result<Option<Arc<Self>>, FftError> {
        if !length.is_power_of_two() || length < 2 || length as u64 > MAX_LENGTH {
            return Err(FftError::Length(length));
        }
        let values = values.max(FEWEST_VALUES).next_power_of_two().max(length / MOST_PHASES);
        if values > length / FEWEST_PHASES {
            return Ok(None);
        }
        // A panic elsewhere leaves at worst a missing plan.
        let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        let (planner, known) = &mut *plans;
        let plan =
            known.entry((length, values)).or_insert_with(|| Arc::new(Self::new(length, values, planner)));
        Ok(Some(Arc::clone(plan)))
    }

    fn new(length: usize, values: usize, planner: &mut FftPlanner<f64>) -> Self {
        let phases = length / values;
        let turn = |m: usize, n: usize| cis(TAU * (m as f64 / n as f64));
        let fine =
            |p: usize| -> [Complex<f64>; LANES] { std::array::from_fn(|j| turn(p * j, length).conj()) };
        let coarse = |p: usize| (0..values).step_by(LANES).map(move |j| turn(p * j, length).conj());
        let sizes = std::iter::successors(Some(phases), |size| Some(size / 2)).take_while(|size| *size >= 8);
        Self {
            length,
            values,
            phases,
            forward: planner.plan_fft_forward(values),
            inverse: planner.plan_fft_inverse(values),
            sample: planner.plan_fft_forward(SAMPLE),
            fine: (0..=phases / 2)
                .map(fine)
                .map(|f| [f.map(|turn| turn.re), f.map(|turn| turn.im)])
                .collect(),
            coarse: (0..=phases / 2).flat_map(coarse).collect(),
            twiddles: sizes.map(|size| (0..size / 4).map(|p| turn(p, size)).collect()).collect(),
        }
    }

    /// The number of bins, those that stand for conjugates of others left out: R/2 + 1 phases of M.
    #[must_use]
    pub fn bins(&self) -> usize {
        (self.phases / 2 + 1) * self.values
    }

    /// A few bins from 0 to N/2, as they are computed, and how far they are apart: those of the signal wrapped around a short period.
    #[must_use]
    pub fn sampled(&self, signal: &[f64]) -> ([Complex<f64>; SAMPLE / 2 + 1], usize) {
        let (whole, rest) = signal.as_chunks::<SAMPLE>();
        let mut wrapped = [0.0; SAMPLE];
        wrapped[..rest.len()].copy_from_slice(rest);
        for period in whole {
            (0..SAMPLE).for_each(|i| wrapped[i] += period[i]);
        }
        let mut bins = wrapped.map(|x| Complex::new(x, 0.0));
        let mut scratch = [Complex::ZERO; SAMPLE];
        self.sample.process_with_scratch(&mut bins, &mut scratch[..self.sample.get_inplace_scratch_len()]);
        (std::array::from_fn(|i| bins[i]), self.length / SAMPLE)
    }

    /// The bins of a signal whose 2-norm is at most `norm`, phase by phase, in memory that is used again. Returns a bound on the 2-norm
    /// of their error, over all N bins.
    ///
    /// # Errors
    /// If the signal has more than M values, or its norm is not finite or so large that the transform might overflow.
    pub fn forward_of_norm(
        &self,
        signal: &[f64],
        norm: f64,
        bins: &mut Vec<Complex<f64>>,
        scratch: &mut Vec<Complex<f64>>,
    ) -> Result<f64, FftError> {
        if signal.len() > self.values {
            return Err(FftError::InputLength { expected: self.values, got: signal.len() });
        }
        let exact_norm = (self.length as f64).sqrt().next_up() * norm;
        let error = self.error(exact_norm, 2 * self.values)?;
        bins.resize(self.bins(), Complex::ZERO);
        Arch::new().dispatch(Turned { plan: self, signal, bins });
        scratch.resize(self.forward.get_inplace_scratch_len(), Complex::ZERO);
        self.forward.process_with_scratch(bins, scratch);
        Ok(error)
    }

    /// All N values of the real signal that has these bins, phase by phase, given a bound of their 2-norm over all N bins. Bins that
    /// are given twice, as conjugates, count as their mean. Returns a bound on the 2-norm of the error; see
    /// [`RealFft::inverse`](super::RealFft::inverse).
    ///
    /// # Errors
    /// If these are not all bins, or the norm is not finite or too large.
    pub fn inverse_of_norm(
        &self,
        bins: &mut [Complex<f64>],
        norm: f64,
        values: &mut Vec<f64>,
        scratch: &mut Vec<Complex<f64>>,
    ) -> Result<f64, FftError> {
        if bins.len() != self.bins() {
            return Err(FftError::InputLength { expected: self.bins(), got: bins.len() });
        }
        let length = self.length as f64;
        let error = self.error(length.sqrt().next_up() * norm, self.length)? / length;
        scratch.resize(self.inverse.get_inplace_scratch_len(), Complex::ZERO);
        self.inverse.process_with_scratch(bins, scratch);
        values.resize(self.length, 0.0);
        Arch::new().dispatch(Columns { plan: self, bins, values });
        // 1/N is a power of two: products with it are exact, but for what becomes subnormal.
        Ok((error + 2.0 * underflow(self.length)).next_up())
    }

    /// Bins 0 to N/2 in order.
    #[must_use]
    pub fn in_order(&self, bins: &[Complex<f64>]) -> Vec<Complex<f64>> {
        let (values, phases) = (self.values, self.phases);
        let bin = |j: usize| {
            let (m, p) = (j / phases, j % phases);
            // Above R/2 it is the conjugate of bin N − j.
            if p <= phases / 2 {
                bins[p * values + m]
            } else {
                bins[(phases - p + 1) * values - 1 - m].conj()
            }
        };
        (0..=self.length / 2).map(bin).collect()
    }

    fn error(&self, exact_norm: f64, length: usize) -> Result<f64, FftError> {
        if !(2.0 * exact_norm).is_finite() {
            return Err(FftError::NotFinite);
        }
        Ok((exact_norm * relative_round_off(length) + underflow(self.length)).next_up())
    }
}

/// Some turns side by side, the product of those of the tables.
#[inline(always)]
fn turns(fine: &[Lanes; 2], coarse: Complex<f64>) -> [Lanes; 2] {
    let [re, im] = fine;
    [
        std::array::from_fn(|i| re[i] * coarse.re - im[i] * coarse.im),
        std::array::from_fn(|i| re[i] * coarse.im + im[i] * coarse.re),
    ]
}

/// A signal times the turns of each phase, and zeros: to be done with the widest vectors that the processor has.
struct Turned<'a> {
    plan: &'a ShortFft,
    signal: &'a [f64],
    bins: &'a mut [Complex<f64>],
}

impl WithSimd for Turned<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let ShortFft { values, fine, coarse, .. } = self.plan;
        let (whole, rest) = self.signal.as_chunks::<LANES>();
        let mut last = [0.0; LANES];
        last[..rest.len()].copy_from_slice(rest);
        let phases =
            self.bins.chunks_exact_mut(*values).zip(fine.iter().zip(coarse.chunks_exact(values / LANES)));
        for (phase, (fine, coarse)) in phases {
            let (places, _) = phase.as_chunks_mut::<LANES>();
            let mut places = places.iter_mut().zip(coarse);
            for (x, (place, coarse)) in whole.iter().zip(places.by_ref()) {
                turn_signal(x, fine, *coarse, place);
            }
            for (place, coarse) in places.by_ref().take(1) {
                turn_signal(&last, fine, *coarse, place);
            }
            places.for_each(|(place, _)| *place = [Complex::ZERO; LANES]);
        }
    }
}

#[inline(always)]
fn turn_signal(x: &Lanes, fine: &[Lanes; 2], coarse: Complex<f64>, place: &mut [Complex<f64>; LANES]) {
    let [re, im] = turns(fine, coarse);
    for i in 0..LANES {
        place[i] = Complex::new(x[i] * re[i], x[i] * im[i]);
    }
}

/// The second half of the way back, from `T_p(n)` to values: to be done with the widest vectors that the processor has.
struct Columns<'a> {
    plan: &'a ShortFft,
    bins: &'a [Complex<f64>],
    values: &'a mut [f64],
}

impl WithSimd for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        match self.plan.phases {
            8 => self.all::<8>(),
            16 => self.all::<16>(),
            _ => self.all::<MOST_PHASES>(),
        }
    }
}

impl Columns<'_> {
    #[inline(always)]
    fn all<const R: usize>(self) {
        let Self { plan, bins, values } = self;
        let (mut lanes, mut other) = (Box::new([[0.0; LANES]; R]), Box::new([[0.0; LANES]; R]));
        for start in (0..plan.values).step_by(LANES) {
            plan.turn_back(bins, start, &mut lanes);
            let mut level = 0;
            if R == 32 {
                halve::<R, 32>(&lanes, &mut other, &plan.twiddles[level]);
                (level, lanes, other) = (level + 1, other, lanes);
            }
            if R >= 16 {
                halve::<R, 16>(&lanes, &mut other, &plan.twiddles[level]);
                (level, lanes, other) = (level + 1, other, lanes);
            }
            halve::<R, 8>(&lanes, &mut other, &plan.twiddles[level]);
            plan.place(&other, start, values);
        }
    }
}

impl ShortFft {
    /// `T_p(n)/N` of all phases, for some n side by side: real parts for p from 0 to R/2, then imaginary parts for p from 1 to R/2 − 1.
    #[inline(always)]
    fn turn_back<const R: usize>(&self, bins: &[Complex<f64>], start: usize, lanes: &mut [Lanes; R]) {
        let part = 1.0 / self.length as f64;
        for p in 0..=R / 2 {
            let [turn_re, turn_im] =
                turns(&self.fine[p], self.coarse[(p * self.values + start) / LANES] * part);
            let Some(column) = bins[p * self.values + start..].first_chunk::<LANES>() else { continue };
            let (re, im) = (column.map(|bin| bin.re), column.map(|bin| bin.im));
            // Times the conjugate.
            lanes[p] = std::array::from_fn(|i| re[i] * turn_re[i] + im[i] * turn_im[i]);
            if p != 0 && p != R / 2 {
                lanes[R / 2 + p] = std::array::from_fn(|i| im[i] * turn_re[i] - re[i] * turn_im[i]);
            }
        }
    }

    /// The last two steps, for S = 4 and S = 2, which have no factors, to values `x_{n+Mq}` in the order of the reversed bits of q.
    #[inline(always)]
    fn place<const R: usize>(&self, from: &[Lanes; R], start: usize, values: &mut [f64]) {
        for first in (0..R).step_by(4) {
            let [a, b, c, d] = [&from[first], &from[first + 1], &from[first + 2], &from[first + 3]];
            let (even, odd) = (sum(a, c), difference(a, c));
            let (re, im) = (b.map(|re| 2.0 * re), d.map(|im| -2.0 * im));
            let four = [sum(&even, &re), difference(&even, &re), sum(&odd, &im), difference(&odd, &im)];
            for (i, lanes) in four.iter().enumerate() {
                let q = (first + i).reverse_bits() >> (usize::BITS - R.ilog2());
                values[q * self.values + start..][..LANES].copy_from_slice(lanes);
            }
        }
    }
}

/// One step of transforms from conjugate bins to S real values, of which there are R/S: from the bins, given as real parts 0 to S/2 and
/// imaginary parts 1 to S/2 − 1, to those of the values with even and with odd index.
///
/// `x_{2s} = Σ_p (T_p + conj T_{S/2−p}) e^{2πi·2sp/S}`, and with `(T_p − conj T_{S/2−p}) e^{2πip/S}` it is `x_{2s+1}`; p below S/2.
#[inline(always)]
fn halve<const R: usize, const S: usize>(from: &[Lanes; R], to: &mut [Lanes; R], twiddles: &[Complex<f64>]) {
    let (half, quarter) = (S / 2, S / 4);
    for first in (0..R).step_by(S) {
        let (even, odd) = (first, first + half);
        let last = first + half;
        to[even] = sum(&from[first], &from[last]);
        to[odd] = difference(&from[first], &from[last]);
        for p in 1..quarter {
            let (re, im) = ([&from[first + p], &from[last - p]], [&from[last + p], &from[first + S - p]]);
            to[even + p] = sum(re[0], re[1]);
            to[even + quarter + p] = difference(im[0], im[1]);
            let (re, im, turn) = (difference(re[0], re[1]), sum(im[0], im[1]), twiddles[p]);
            to[odd + p] = std::array::from_fn(|i| re[i] * turn.re - im[i] * turn.im);
            to[odd + quarter + p] = std::array::from_fn(|i| re[i] * turn.im + im[i] * turn.re);
        }
        to[even + quarter] = from[first + quarter].map(|re| 2.0 * re);
        to[odd + quarter] = from[last + quarter].map(|im| -2.0 * im);
    }
}

#[inline(always)]
fn sum(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|i| a[i] + b[i])
}

#[inline(always)]
fn difference(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|i| a[i] - b[i])
}
