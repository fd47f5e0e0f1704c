//! Real Fourier transforms whose round-off is bounded before they run.
//!
//! In: real values, a power of two of them; or the bins of such. Out: the other of both, with a bound of its error.
//!
//! For a real signal x of N = 2ᴸ values, the forward transform is Xₖ = Σⱼ xⱼ e^{−2πijk/N} for k = 0, …, N/2
//! (the other bins are conjugates), the inverse xⱼ = (1/N) Σₖ Xₖ e^{2πijk/N} over all N bins.
//!
//! # Guarantee
//! ‖computed − exact‖₂ ≤ ρ(N)·‖exact‖₂ with ρ(N) = [`relative_round_off`]: about 14.7·u·log₂ N. The norm runs
//! over all N values or bins; see [`round_off`] for the proof. Each transform returns the bound together with
//! its values.

pub mod round_off;
pub mod short;

use num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use round_off::{norm_bound, packed_sum_bound, relative_round_off, spectrum_norm_bound, underflow};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use thiserror::Error;

/// The transforms of one length. Cheap to share; obtain it from [`RealFft::of_length`].
pub struct RealFft {
    length: usize,
    forward: Arc<dyn RealToComplex<f64>>,
    inverse: Arc<dyn ComplexToReal<f64>>,
}

/// Values, and how far they are from the exact transform of the input.
#[derive(Clone, Debug)]
pub struct Transformed<T> {
    /// The computed values.
    pub values: Vec<T>,
    /// A bound on ‖computed − exact‖₂, over all N values or bins, hence also on the error of each.
    pub error: f64,
}

/// Why a transform was refused.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FftError {
    /// The bound is proved for powers of two, from 2 to 2⁴⁰.
    #[error("a transform of length {0}: must be a power of two from 2 to 2^40")]
    Length(usize),
    /// The input does not fit the plan.
    #[error("the plan takes {expected} values, not {got}")]
    InputLength {
        /// What the plan takes.
        expected: usize,
        /// What it was given.
        got: usize,
    },
    /// The spectrum of a real signal is real at zero and at half the sampling frequency.
    #[error("the first and the last bin of a real signal's spectrum must be real")]
    NotReal,
    /// An input is infinite or not a number, or the transform may overflow.
    #[error("an input of the transform is not finite, or too large to transform")]
    NotFinite,
}

type Plans = (RealFftPlanner<f64>, HashMap<usize, Arc<RealFft>>);

static PLANS: LazyLock<Mutex<Plans>> = LazyLock::new(|| Mutex::new((RealFftPlanner::new(), HashMap::new())));

const MAX_LENGTH: u64 = 1 << 40;

impl RealFft {
    /// The plan for signals of `length` values, made once per process.
    ///
    /// # Errors
    /// [`FftError::Length`] unless the length is a power of two from 2 to 2⁴⁰.
    pub fn of_length(length: usize) -> Result<Arc<Self>, FftError> {
        if !length.is_power_of_two() || length < 2 || length as u64 > MAX_LENGTH {
            return Err(FftError::Length(length));
        }
        // A panic elsewhere leaves at worst a missing plan.
        let mut plans = PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        let (planner, known) = &mut *plans;
        let plan = known.entry(length).or_insert_with(|| {
            let (forward, inverse) = (planner.plan_fft_forward(length), planner.plan_fft_inverse(length));
            Arc::new(Self { length, forward, inverse })
        });
        Ok(Arc::clone(plan))
    }

    /// The number N of values of the signal.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The number N/2 + 1 of bins of the spectrum.
    #[must_use]
    pub fn bins(&self) -> usize {
        self.length / 2 + 1
    }

    /// The spectrum of a real signal, bins 0 to N/2.
    ///
    /// # Guarantee
    /// ‖computed − exact‖₂ ≤ `error`, over all N bins.
    ///
    /// # Errors
    /// If the signal has not N values, or they are not finite or so large that the transform might overflow.
    pub fn forward(&self, mut signal: Vec<f64>) -> Result<Transformed<Complex<f64>>, FftError> {
        let mut values = Vec::new();
        let error = self.forward_into(&mut signal, &mut values, &mut Vec::new())?;
        Ok(Transformed { values, error })
    }

    /// The same for many signals, in memory that is used again: `signal` is overwritten, `values` and `scratch` become as long as
    /// they need to be. Returns the error.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn forward_into(
        &self,
        signal: &mut [f64],
        values: &mut Vec<Complex<f64>>,
        scratch: &mut Vec<Complex<f64>>,
    ) -> Result<f64, FftError> {
        let norm = norm_bound(signal);
        self.forward_of_norm(signal, norm, values, scratch)
    }

    /// The same for a signal whose 2-norm is known to be at most `norm`: the error is no better than that.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); it is the norm that must be finite.
    pub fn forward_of_norm(
        &self,
        signal: &mut [f64],
        norm: f64,
        values: &mut Vec<Complex<f64>>,
        scratch: &mut Vec<Complex<f64>>,
    ) -> Result<f64, FftError> {
        self.check_length(self.length, signal.len())?;
        let error = self.error((self.length as f64).sqrt().next_up() * norm)?;
        values.resize(self.bins(), Complex::ZERO);
        scratch.resize(self.forward.get_scratch_len(), Complex::ZERO);
        self.forward.process_with_scratch(signal, values, scratch).map_err(|_| FftError::NotFinite)?;
        Ok(error)
    }

    /// As [`forward_into`](Self::forward_into), with an error that holds for each bin, not for all together: for a signal with few large values it
    /// is much smaller.
    ///
    /// # Guarantee
    /// |computed − exact| ≤ `error` for every bin.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn forward_by_bin(
        &self,
        signal: &mut [f64],
        values: &mut Vec<Complex<f64>>,
        scratch: &mut Vec<Complex<f64>>,
    ) -> Result<f64, FftError> {
        let by_sum = self.error(packed_sum_bound(signal))?;
        Ok(self.forward_into(signal, values, scratch)?.min(by_sum))
    }

    /// The real signal with the given bins 0 to N/2.
    ///
    /// # Guarantee
    /// ‖computed − exact‖₂ ≤ `error`, where exact is the inverse transform of the given spectrum; an error ε
    /// that the spectrum itself carries (2-norm, all N bins) adds ε/√N.
    ///
    /// # Errors
    /// If the spectrum has not N/2 + 1 bins, its first or last is not real, or they are not finite or too
    /// large.
    pub fn inverse(&self, mut spectrum: Vec<Complex<f64>>) -> Result<Transformed<f64>, FftError> {
        self.check_length(self.bins(), spectrum.len())?;
        let mut values = Vec::new();
        let error = self.inverse_into(&mut spectrum, &mut values, &mut Vec::new())?;
        Ok(Transformed { values, error })
    }

    /// The same in memory that is used again: `spectrum` is overwritten, `values` and `scratch` become as long as they need to be. Bins
    /// that are not given are 0. Returns the error.
    ///
    /// # Errors
    /// As [`inverse`](Self::inverse), for more than N/2 + 1 bins.
    pub fn inverse_into(
        &self,
        spectrum: &mut Vec<Complex<f64>>,
        values: &mut Vec<f64>,
        scratch: &mut Vec<Complex<f64>>,
    ) -> Result<f64, FftError> {
        if spectrum.len() > self.bins() {
            return Err(FftError::InputLength { expected: self.bins(), got: spectrum.len() });
        }
        // The transform without its factor 1/N passes through √N times the norm of the spectrum.
        let length = self.length as f64;
        let is_whole = spectrum.len() == self.bins();
        let spectrum_norm = spectrum_norm_bound(spectrum, is_whole);
        let error = self.error(length.sqrt().next_up() * spectrum_norm)? / length;
        let part = 1.0 / length;
        spectrum.iter_mut().for_each(|bin| *bin *= part);
        spectrum.resize(self.bins(), Complex::ZERO);
        values.resize(self.length, 0.0);
        scratch.resize(self.inverse.get_scratch_len(), Complex::ZERO);
        self.inverse.process_with_scratch(spectrum, values, scratch).map_err(|_| FftError::NotReal)?;
        // Lengths are powers of two: the product is exact, but for bins that become subnormal.
        Ok((error + 2.0 * underflow(self.length)).next_up())
    }

    fn check_length(&self, expected: usize, got: usize) -> Result<(), FftError> {
        if expected == got { Ok(()) } else { Err(FftError::InputLength { expected, got }) }
    }

    /// The absolute bound for an exact result of this norm. While the norm, doubled for the intermediate
    /// sums, is finite, no component of any pass can overflow.
    fn error(&self, exact_norm: f64) -> Result<f64, FftError> {
        if !(2.0 * exact_norm).is_finite() {
            return Err(FftError::NotFinite);
        }
        Ok((exact_norm * relative_round_off(self.length) + underflow(self.length)).next_up())
    }
}
