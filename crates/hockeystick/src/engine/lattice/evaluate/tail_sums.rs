//! Tail sums of the periodic masses, from one point upwards.

use super::{
    super::convolve::Window,
    fourier_sums::FourierSums,
    window_sums::{WindowSums, summation_error},
};
use num_complex::Complex;
use std::borrow::Cow;

/// `Σ_{m ≥ n} r_m e^{−s(m−n)}` for `s = cΔ` and `(c+1)Δ`.
#[derive(Clone, Debug)]
pub(crate) enum TailSums {
    /// From the masses of one period.
    Window { masses: Window, sums: WindowSums },
    /// From the few bins of their spectrum that are not negligible.
    Fourier(FourierSums),
}

impl TailSums {
    /// From masses. The step is `cΔ`.
    pub(crate) fn of_masses(step: f64, spacing: f64, masses: Window) -> Self {
        let sums = WindowSums::new(step, spacing, &masses.0);
        Self::Window { masses, sums }
    }

    /// From the leading bins of a window of `length` points.
    pub(crate) fn of_bins(step: f64, spacing: f64, length: usize, bins: Vec<Complex<f64>>) -> Self {
        Self::Fourier(FourierSums::new(step, spacing, length, bins))
    }

    /// The number of points of a period.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::Window { masses, .. } => masses.0.len(),
            Self::Fourier(sums) => sums.length(),
        }
    }

    /// Both sums from a point on.
    #[inline]
    pub(crate) fn from(&self, place: usize) -> [f64; 2] {
        match self {
            Self::Window { masses, sums } => sums.from(place, &masses.0),
            Self::Fourier(sums) => sums.from(place),
        }
    }

    /// A bound on their round-off, for masses with an error of `distance` in the 2-norm.
    pub(crate) fn error(&self, step: f64, distance: f64) -> f64 {
        match self {
            Self::Window { .. } => {
                let length = self.length() as f64;
                let repeats = -(-step * length).exp_m1();
                // Twice: in the sum over one period, and in those of the blocks that start from it.
                2.0 * summation_error(step) / repeats * (1.0 + distance * length.sqrt())
            }
            Self::Fourier(sums) => sums.error(),
        }
    }

    /// The masses of one period, in plain floats.
    pub(crate) fn masses(&self) -> Cow<'_, [f64]> {
        match self {
            Self::Window { masses, .. } => Cow::Borrowed(&masses.0),
            Self::Fourier(sums) => Cow::Owned(sums.masses().unwrap_or_default()),
        }
    }
}
