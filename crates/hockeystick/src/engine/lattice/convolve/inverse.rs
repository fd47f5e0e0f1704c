//! The inverse transform: composed masses with an error bound.

use super::{
    buffers::{Buffers, Window},
    power::{NOTHING, PRODUCT_ERROR},
    spectrum::{Spectrum, faint},
};
use hockeystick_numerics::{enclosure::Enclosure, fft::FftError, limits::check, rounding::UNIT_ROUNDOFF};
use num_complex::Complex;

/// Composed masses, tilted and normalised. Index 0 is the smallest sum of losses.
pub(crate) struct Inverted {
    pub(crate) masses: Window,
    pub(crate) scales: Scales,
}

/// Position, scale and errors of composed masses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// A bound on the 2-norm of the round-off of all masses.
    pub(crate) distance: f64,
    /// The index of the smallest sum.
    pub(crate) shift: i64,
    /// The logarithm of the scale of the masses.
    pub(crate) log_scale: Enclosure,
    /// The logarithm of the probability of a finite loss.
    pub(crate) log_finite: Enclosure,
    /// The offset of the points.
    pub(crate) offset: Enclosure,
    /// The logarithm of a bound on the relative error of all masses, as a factor.
    pub(crate) log_factor: f64,
}

impl<Side> Spectrum<Side> {
    /// A bound on the 2-norm of the round-off of the composed masses, without that of the inverse transform.
    fn distance(&self) -> f64 {
        let length = self.fft.length() as f64;
        let products = self.products * PRODUCT_ERROR * UNIT_ROUNDOFF * self.smallest_norm;
        // Bins that were set to 0: negligible ones, and those that would underflow, at most once for each part.
        let nothing = NOTHING * (length + self.products);
        let spectrum = self.error / length.sqrt() + faint(self.error, self.fft.length());
        (spectrum + products + nothing) * (1.0 + 1e-9)
    }

    /// A bound on the 2-norm of the computed spectrum over all bins: a product of numbers in the unit disc has at most the norm of each factor.
    fn norm(&self) -> f64 {
        (self.fft.length() as f64).sqrt() * (self.smallest_norm + self.distance()) * (1.0 + 1e-9)
    }

    /// Transforms back.
    pub(crate) fn invert(self, buffers: &mut Buffers) -> Result<Inverted, FftError> {
        check();
        let mut scales = self.scales();
        let norm = self.norm();
        let Buffers { bins, scratch, .. } = buffers;
        match self.bins {
            Some(spectrum) if spectrum.capacity() < bins.capacity() => bins.clone_from(&spectrum),
            Some(spectrum) => *bins = spectrum,
            None => *bins = vec![Complex::ONE; self.fft.bins()],
        }
        let mut masses = Window::taken();
        let error = if let Some(short) = self.short {
            short.inverse_of_norm(bins, norm, &mut masses.0, scratch)?
        } else {
            // The spectrum of a real signal is real there, up to round-off.
            for end in [0, self.fft.bins() - 1] {
                if let Some(bin) = bins.get_mut(end) {
                    bin.im = 0.0;
                }
            }
            self.fft.inverse_into(bins, &mut masses.0, scratch)?
        };
        scales.distance = (scales.distance + error) * (1.0 + 1e-9);
        Ok(Inverted { masses, scales })
    }

    pub(crate) fn scales(&self) -> Scales {
        Scales {
            distance: self.distance(),
            shift: self.shift,
            log_scale: self.log_scale,
            log_finite: self.log_finite,
            offset: self.offset,
            log_factor: self.log_factor,
        }
    }
}
