//! Composition by an exponentially tilted FFT.
//!
//! Masses are multiplied by `e^{cx}` and normalised before they are transformed, and divided by it after: the tilt puts the
//! probability where the answer is, so that round-off and wrap-around are relative to δ itself.

use super::{
    composed::{Aliasing, Composed},
    law::LatticeLaw,
    leading_bins::{places, sharpen},
    power::{NOTHING, PRODUCT_ERROR, Power, multiply},
    tilt::Tilted,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    fft::{FftError, RealFft, round_off::relative_round_off},
    rounding::{UNIT_ROUNDOFF, add_up},
};
use num_complex::Complex;
use std::{marker::PhantomData, sync::Arc};

/// A composition while parts are being added.
///
/// # Guarantee
/// The composed object's errors bound, for every ε, what wrap-around and round-off change.
///
/// With `w` the tilted, normalised masses of a law as they are stored, `|F| ≤ 1` for their transform. The computed `F̂`, pulled back into
/// the unit disc, is off by `e` in the 2-norm over all bins, so `F̂^k` by at most `k·e`, or less if the bins that matter are summed directly; the products that take the power and
/// multiply the parts are off by `2.3u` each, relative to a spectrum whose norm is at most `√N·‖w‖₂`. Dividing by `√N`, the inverse
/// transform passes these on. How far the stored masses are from the exact ones is relative to each of them, so their composition
/// is off by a factor.
pub(super) struct Composition<Side> {
    fft: Arc<RealFft>,
    tilt: f64,
    spacing: f64,
    /// Orders below and above the tilt, for the bounds on what wraps around.
    orders: [f64; 2],
    /// An error of the spectrum that nobody will see.
    harmless: f64,
    buffers: Buffers,
    spectrum: Option<Vec<Complex<f64>>>,
    /// The errors of the parts' powers.
    spectrum_error: f64,
    products: f64,
    /// The smallest norm of the parts' masses.
    smallest_norm: f64,
    shift: i64,
    log_scale: Enclosure,
    log_finite: Enclosure,
    offset: Enclosure,
    /// The logarithm of the factor by which all masses may be off.
    log_factor: f64,
    /// Bounds on `log E[e^{λL}; L < ∞]` at these orders.
    log_moments: [f64; 2],
    side: PhantomData<Side>,
}

/// Memory that every part uses again, and so does the next composition.
#[derive(Default)]
pub(super) struct Buffers {
    masses: Vec<f64>,
    bins: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
}

impl<Side> Composition<Side> {
    /// Nobody will see an error of the spectrum of up to `harmless`.
    pub(super) fn new(
        length: usize,
        spacing: f64,
        tilt: f64,
        orders: [f64; 2],
        harmless: f64,
        buffers: Buffers,
    ) -> Result<Self, FftError> {
        Ok(Self {
            fft: RealFft::of_length(length)?,
            tilt,
            spacing,
            orders,
            harmless,
            buffers,
            spectrum: None,
            spectrum_error: 0.0,
            products: 0.0,
            smallest_norm: 1.0,
            shift: 0,
            log_scale: Enclosure::ZERO,
            log_finite: Enclosure::ZERO,
            offset: Enclosure::ZERO,
            log_factor: 0.0,
            log_moments: [0.0; 2],
            side: PhantomData,
        })
    }

    /// Composes `count` uses of a law into it.
    pub(super) fn add(&mut self, law: &LatticeLaw<Side>, count: u64) -> Result<(), FftError> {
        let (k, length) = (count as f64, self.fft.length());
        let buffers = &mut self.buffers;
        let tilted = Tilted::new(law, self.tilt, length, &mut buffers.masses);
        self.smallest_norm = self.smallest_norm.min(tilted.norm);
        self.log_scale = self.log_scale + tilted.log_scale * k;
        self.shift += law.first * count as i64;
        self.log_finite = self.log_finite + Enclosure::point(-law.infinite).ln_1p() * k;
        self.offset = self.offset + Enclosure::point(law.offset) * k;
        self.log_factor = add_up(self.log_factor, k * (law.error + tilted.error) * (1.0 + 1e-3));
        for (sum, order) in self.log_moments.iter_mut().zip(self.orders) {
            *sum = add_up(*sum, k * law.log_moment_above(order));
        }
        let expected = k * relative_round_off(length) * (length as f64).sqrt() * tilted.norm;
        let places = (expected > self.harmless).then(|| places(&buffers.masses));
        let error = self.fft.forward_into(&mut buffers.masses, &mut buffers.bins, &mut buffers.scratch)?;
        let error = places.map_or(k * error, |places| sharpen(&places, length, &mut buffers.bins, k, error));
        self.spectrum_error = add_up(self.spectrum_error, error);
        self.products += k + 1.0;
        Power::new(count).raise(&mut buffers.bins);
        match &mut self.spectrum {
            Some(spectrum) => multiply(spectrum, &buffers.bins),
            None => self.spectrum = Some(std::mem::take(&mut buffers.bins)),
        }
        Ok(())
    }

    /// Transforms back. The memory can be used again.
    pub(super) fn invert(self) -> Result<(Inverted, Buffers), FftError> {
        let Buffers { mut masses, scratch: mut memory, .. } = self.buffers;
        let bins = self.fft.bins();
        let mut spectrum = self.spectrum.unwrap_or_else(|| vec![Complex::ONE; bins]);
        // The spectrum of a real signal is real there, up to round-off.
        for end in [0, bins - 1] {
            spectrum[end].im = 0.0;
        }
        let inverse_error = self.fft.inverse_into(&mut spectrum, &mut masses, &mut memory)?;
        let length = self.fft.length() as f64;
        let products = self.products * PRODUCT_ERROR * UNIT_ROUNDOFF * self.smallest_norm;
        // Bins that were taken for 0, at most once for each part.
        let nothing = NOTHING * (length + self.products);
        let distance =
            (self.spectrum_error / length.sqrt() + products + inverse_error + nothing) * (1.0 + 1e-9);
        let inverted = Inverted {
            masses,
            distance,
            shift: self.shift,
            log_scale: self.log_scale,
            log_finite: self.log_finite,
            offset: self.offset,
            log_factor: self.log_factor,
        };
        Ok((inverted, Buffers { masses: Vec::new(), bins: spectrum, scratch: memory }))
    }

    /// Transforms back, for a tilt above 0.
    pub(super) fn finish(self) -> Result<(Composed<Side>, Buffers), FftError> {
        let aliasing = Aliasing {
            period: self.fft.length() as f64 * self.spacing,
            orders: self.orders,
            log_moments: self.log_moments,
        };
        let (spacing, tilt) = (self.spacing, self.tilt);
        let (inverted, buffers) = self.invert()?;
        Ok((Composed::new(spacing, tilt, aliasing, inverted), buffers))
    }
}

/// Composed masses, tilted and normalised, from the smallest sum on, and what they are multiples of.
pub(super) struct Inverted {
    pub(super) masses: Vec<f64>,
    /// A bound on the 2-norm of their round-off.
    pub(super) distance: f64,
    /// The index of the smallest sum.
    pub(super) shift: i64,
    /// The logarithm of what the masses are multiples of.
    pub(super) log_scale: Enclosure,
    /// The logarithm of the probability of a finite loss.
    pub(super) log_finite: Enclosure,
    /// How far the points are moved.
    pub(super) offset: Enclosure,
    /// The logarithm of the factor by which all masses may be off.
    pub(super) log_factor: f64,
}
