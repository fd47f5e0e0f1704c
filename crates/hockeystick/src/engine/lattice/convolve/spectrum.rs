//! The product of the laws' spectra: composition by an exponentially tilted FFT.
//!
//! Masses are multiplied by `e^{cx}` and normalised before the transform, and divided by it afterwards. The tilt moves the probability to where the
//! answer is, so that round-off and aliasing are relative to δ.

use super::{
    super::{law::LatticeLaw, tuning::TUNING},
    bin_source::{BinSource, BinSources, LawFacts},
    buffers::Buffers,
    direct_bins::sharpen,
    leading_bins::leading_bins,
    power::{Power, multiply},
    tilt::Tilted,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    fft::{FftError, RealFft, round_off::relative_round_off, short::ShortFft},
    limits::{Claim, check, claim},
    rounding::add_up,
};
use num_complex::Complex;
use std::{marker::PhantomData, sync::Arc};

/// A product of spectra.
///
/// # Guarantee
/// The error bounds cover every step; the proof is in `docs/design/lattice.md`, "Convolution". In short:
///
/// the transform F of stored masses `w` has `|F| ≤ 1`; an error `e` of F in the 2-norm becomes at most `ke` in `F^k`; complex products add `3u` each,
/// relative to a norm of at most `√N·‖w‖₂`; negligible bins are set to 0; the inverse transform divides by `√N`. The relative error of the stored
/// masses becomes a relative error of the composed ones.
pub(crate) struct Spectrum<Side> {
    pub(super) fft: Arc<RealFft>,
    tilt: f64,
    spacing: f64,
    /// Orders below and above the tilt, for the aliasing bounds.
    orders: [f64; 2],
    /// An error of the spectrum, in the 2-norm, that is negligible beside the allowed width.
    harmless: f64,
    /// The number of bins that can be non-negligible.
    limit: usize,
    /// The leading bins up to the last non-negligible one; or all bins, in the order of short transforms.
    pub(super) bins: Option<Vec<Complex<f64>>>,
    /// The short transforms, if bins are in their order.
    pub(super) short: Option<Arc<ShortFft>>,
    /// A bound on the 2-norm of the error of all powers.
    pub(super) error: f64,
    pub(super) products: f64,
    /// The smallest norm of the parts' masses.
    pub(super) smallest_norm: f64,
    pub(super) shift: i64,
    pub(super) log_scale: Enclosure,
    pub(super) log_finite: Enclosure,
    pub(super) offset: Enclosure,
    /// The logarithm of a bound on the relative error of all masses, as a factor.
    pub(super) log_factor: f64,
    /// Bounds on `log E[e^{λL}; L < ∞]` at these orders.
    log_moments: [f64; 2],
    sources: BinSources,
    side: PhantomData<Side>,
    _claim: Claim,
}

impl<Side> Spectrum<Side> {
    /// The product of no laws.
    pub(crate) fn new(
        length: usize,
        spacing: f64,
        tilt: f64,
        orders: [f64; 2],
        harmless: f64,
    ) -> Result<Self, FftError> {
        // Masses, bins and scratch memory.
        let claim = claim::<[f64; 5]>(length);
        let fft = RealFft::of_length(length)?;
        let limit = fft.bins();
        Ok(Self {
            fft,
            limit,
            tilt,
            spacing,
            orders,
            harmless,
            bins: None,
            short: None,
            error: 0.0,
            products: 0.0,
            smallest_norm: 1.0,
            shift: 0,
            log_scale: Enclosure::ZERO,
            log_finite: Enclosure::ZERO,
            offset: Enclosure::ZERO,
            log_factor: 0.0,
            log_moments: [0.0; 2],
            sources: BinSources::default(),
            side: PhantomData,
            _claim: claim,
        })
    }

    /// The tilt, the spacing, the orders at which aliasing is bounded, and the bounds on the logarithms of the moments there.
    pub(crate) fn aliasing(&self) -> (f64, f64, [f64; 2], [f64; 2]) {
        (self.tilt, self.spacing, self.orders, self.log_moments)
    }

    /// The points of the window.
    pub(crate) fn length(&self) -> usize {
        self.fft.length()
    }

    /// How the bins of the laws were computed.
    pub(crate) fn sources(&self) -> BinSources {
        self.sources
    }

    /// The leading bins, if they are few enough for every answer to sum them.
    pub(crate) fn waves(&self) -> Option<&[Complex<f64>]> {
        let few = |bins: &&[Complex<f64>]| bins.len() <= TUNING.waves_of(self.fft.length());
        self.bins.as_deref().filter(|_| self.short.is_none()).filter(few)
    }

    /// An empty product to be multiplied with this one later: it ignores bins that are negligible here.
    pub(crate) fn beside(&self) -> Result<Self, FftError> {
        let empty = Self::new(self.fft.length(), self.spacing, self.tilt, self.orders, self.harmless)?;
        Ok(Self { limit: self.width(), ..empty })
    }

    /// The number of leading bins up to the last non-negligible one.
    pub(crate) fn width(&self) -> usize {
        let in_order = self.bins.as_ref().filter(|_| self.short.is_none());
        in_order.map_or(self.limit, Vec::len)
    }

    /// Sorts bins that are in the order of short transforms.
    fn sort(&mut self) {
        if let Some(short) = self.short.take() {
            self.bins = self.bins.take().map(|bins| short.in_order(&bins));
        }
    }

    /// The product of both. The other was made [beside](Self::beside) this one.
    pub(crate) fn and(mut self, mut other: Self) -> Self {
        self.sort();
        other.sort();
        self.error = add_up(self.error, other.error);
        self.products += other.products + 1.0;
        self.smallest_norm = self.smallest_norm.min(other.smallest_norm);
        self.log_scale = self.log_scale + other.log_scale;
        self.shift += other.shift;
        self.sources = self.sources.and(other.sources);
        self.log_finite = self.log_finite + other.log_finite;
        self.offset = self.offset + other.offset;
        self.log_factor = add_up(self.log_factor, other.log_factor);
        for (sum, more) in self.log_moments.iter_mut().zip(other.log_moments) {
            *sum = add_up(*sum, more);
        }
        let faint = faint(self.error, self.fft.length());
        self.bins = match (self.bins, other.bins) {
            (Some(mut spectrum), Some(more)) => {
                spectrum.truncate(more.len());
                let leading = multiply(&mut spectrum, &more, faint);
                spectrum.truncate(leading);
                Some(spectrum)
            }
            (spectrum, more) => spectrum.or(more),
        };
        self
    }

    /// Composes `count` uses of a law into it.
    pub(crate) fn add(
        &mut self,
        law: &LatticeLaw<Side>,
        count: u64,
        buffers: &mut Buffers,
    ) -> Result<(), FftError> {
        check();
        let (k, length) = (count as f64, self.fft.length());
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
        let is_rough = expected > self.harmless;
        let (filled, power) = (length.min(law.masses.len()), Power::new(count, faint(expected, length)));
        let short = if is_rough { None } else { self.short_transform(&buffers.masses[..filled], power)? };
        self.sort();
        let facts = LawFacts {
            length,
            points: filled,
            bins: self.width(),
            is_rough,
            is_short_and_bright: short.is_some(),
        };
        let source = BinSource::choose(&facts, &TUNING);
        if let Some(short) = short {
            self.sources.count(source);
            let Buffers { masses, bins, scratch, .. } = buffers;
            let error = k * short.forward_of_norm(&masses[..filled], tilted.norm, bins, scratch)?;
            self.error = add_up(self.error, error);
            self.products += k + 1.0;
            Power::new(count, faint(self.error, length)).raise(bins);
            (self.bins, self.short) = (Some(std::mem::take(bins)), Some(short));
            return Ok(());
        }
        if source == BinSource::ExponentialSums
            && let Some((mut bins, error)) =
                leading_bins(&buffers.masses[..filled], length, self.width(), k, self.harmless)
        {
            self.sources.count(source);
            self.multiply(&mut bins, count, error);
            return Ok(());
        }
        self.sources.count(if is_rough { source } else { BinSource::Transform });
        buffers.masses[filled..].fill(0.0);
        if is_rough {
            buffers.filled.clear();
            buffers.filled.extend_from_slice(&buffers.masses[..filled]);
        }
        let Buffers { masses, filled, bins, scratch } = buffers;
        let error = self.fft.forward_of_norm(masses, tilted.norm, bins, scratch)?;
        let error = if is_rough { sharpen(filled, length, bins, k, error) } else { k * error };
        self.multiply(bins, count, error);
        Ok(())
    }

    /// Short transforms, if this is the first law, much shorter than its window, and its power has too many non-negligible bins for direct sums.
    /// That is judged from a sample of the bins, and affects time only.
    fn short_transform(&self, masses: &[f64], power: Power) -> Result<Option<Arc<ShortFft>>, FftError> {
        let length = self.fft.length();
        if self.bins.is_some() || self.limit < self.fft.bins() {
            return Ok(None);
        }
        let Some(short) = ShortFft::of_length(length, masses.len())? else { return Ok(None) };
        let (sample, stride) = short.sampled(masses);
        let first = TUNING.waves_of(length) / stride + 1;
        let are_many = sample[first..].iter().any(|bin| !power.is_faint(*bin));
        Ok(are_many.then_some(short))
    }

    /// Multiplies by the `count`-th power of the leading bins of a law. `error` bounds the error of that power in the 2-norm.
    fn multiply(&mut self, bins: &mut Vec<Complex<f64>>, count: u64, error: f64) {
        self.error = add_up(self.error, error);
        self.products += count as f64 + 1.0;
        let faint = faint(self.error, self.fft.length());
        let known = self.width();
        let leading = Power::new(count, faint).raise(&mut bins[..known]);
        match &mut self.bins {
            Some(spectrum) => {
                spectrum.truncate(leading);
                let leading = multiply(spectrum, bins, faint);
                spectrum.truncate(leading);
            }
            None if 2 * leading < bins.len() => self.bins = Some(bins[..leading].to_vec()),
            None => {
                bins.truncate(leading);
                self.bins = Some(std::mem::take(bins));
            }
        }
    }
}

/// Bins below this are negligible beside the error of the spectrum so far.
pub(crate) fn faint(error: f64, length: usize) -> f64 {
    TUNING.negligible * error / (length as f64).sqrt()
}
