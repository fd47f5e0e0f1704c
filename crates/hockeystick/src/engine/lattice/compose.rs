//! Composition by an exponentially tilted FFT.
//!
//! Masses are multiplied by `e^{cx}` and normalised before they are transformed, and divided by it after: the tilt puts the
//! probability where the answer is, so that round-off and wrap-around are relative to δ itself.

use super::{
    buffers::{Buffers, Window},
    composed::{Aliasing, Composed, Sums},
    law::LatticeLaw,
    leading_bins::sharpen,
    power::{NOTHING, PRODUCT_ERROR, Power, multiply},
    tails::Tails,
    tilt::Tilted,
    waves::Waves,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    exponential_sums::ExponentialSums,
    fft::{FftError, RealFft, round_off::relative_round_off, short::ShortFft},
    limits::{Claim, check, claim},
    rounding::{UNIT_ROUNDOFF, add_up},
};
use num_complex::Complex;
use std::{f64::consts::TAU, marker::PhantomData, sync::Arc};

/// The part of the round-off so far that bins may be to be left out.
const FAINT_PART: f64 = 0.01;
/// The most that a bin may be to be left out, however large the round-off is.
const MOST_FAINT: f64 = 1e-6;
/// A law of at most so many waves is not transformed back, nor if that has fewer points for each of them: every answer adds all waves.
const MOST_WAVES: usize = 1024;
const POINTS_PER_WAVE: usize = 32;

/// What a mass and a bin cost in an exponential sum, in units of what a point of a transform does.
const MASS_WORK: usize = 8;
const BIN_WORK: usize = 8;
/// The part of a harmless error that leading bins of one law may be off: hundreds of laws are composed like that.
const SMALL_PART: f64 = 1e-3;

/// A composition while parts are being added.
///
/// # Guarantee
/// The composed object's errors bound, for every ε, what wrap-around and round-off change.
///
/// With `w` the tilted, normalised masses of a law as they are stored, `|F| ≤ 1` for their transform. The computed `F̂`, pulled back into
/// the unit disc, is off by `e` in the 2-norm over all bins, so `F̂^k` by at most `k·e`, or less if the bins that matter are summed directly; the products that take the power and
/// multiply the parts are off by `3u` each, relative to a spectrum whose norm is at most `√N·‖w‖₂`. Bins that are a small part of these
/// errors are left out. Dividing by `√N`, the inverse transform passes all of this on. How far the stored masses are from the exact ones is relative to each of them, so their composition
/// is off by a factor.
pub(crate) struct Composition<Side> {
    fft: Arc<RealFft>,
    tilt: f64,
    spacing: f64,
    /// Orders below and above the tilt, for the bounds on what wraps around.
    orders: [f64; 2],
    /// An error of the spectrum that nobody will see.
    harmless: f64,
    /// How many bins can matter.
    limit: usize,
    /// The bins that are not negligible, from the first on; or all of them, in the order of a transform of a short law.
    spectrum: Option<Vec<Complex<f64>>>,
    phases: Option<Arc<ShortFft>>,
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
    _claim: Claim,
}

impl<Side> Composition<Side> {
    /// Nobody will see an error of the spectrum of up to `harmless`.
    pub(crate) fn new(
        length: usize,
        spacing: f64,
        tilt: f64,
        orders: [f64; 2],
        harmless: f64,
    ) -> Result<Self, FftError> {
        // Masses, bins and what transforms need besides.
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
            spectrum: None,
            phases: None,
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
            _claim: claim,
        })
    }

    /// An empty composition whose product with this one will be taken: bins that are negligible here are left out there.
    pub(crate) fn beside(&self) -> Result<Self, FftError> {
        let empty = Self::new(self.fft.length(), self.spacing, self.tilt, self.orders, self.harmless)?;
        Ok(Self { limit: self.width(), ..empty })
    }

    /// How many bins are not negligible, from the first on.
    pub(crate) fn width(&self) -> usize {
        let in_order = self.spectrum.as_ref().filter(|_| self.phases.is_none());
        in_order.map_or(self.limit, Vec::len)
    }

    /// Puts bins in order.
    fn sort(&mut self) {
        if let Some(phases) = self.phases.take() {
            self.spectrum = self.spectrum.take().map(|bins| phases.in_order(&bins));
        }
    }

    /// Both together. The other was made [beside](Self::beside) this one.
    pub(crate) fn and(mut self, mut other: Self) -> Self {
        self.sort();
        other.sort();
        self.spectrum_error = add_up(self.spectrum_error, other.spectrum_error);
        self.products += other.products + 1.0;
        self.smallest_norm = self.smallest_norm.min(other.smallest_norm);
        self.log_scale = self.log_scale + other.log_scale;
        self.shift += other.shift;
        self.log_finite = self.log_finite + other.log_finite;
        self.offset = self.offset + other.offset;
        self.log_factor = add_up(self.log_factor, other.log_factor);
        for (sum, more) in self.log_moments.iter_mut().zip(other.log_moments) {
            *sum = add_up(*sum, more);
        }
        let faint = faint(self.spectrum_error, self.fft.length());
        self.spectrum = match (self.spectrum, other.spectrum) {
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
        if !is_rough && let Some(phases) = self.phases_for(&buffers.masses[..filled], power)? {
            let Buffers { masses, bins, scratch, .. } = buffers;
            let error = k * phases.forward_of_norm(&masses[..filled], tilted.norm, bins, scratch)?;
            self.spectrum_error = add_up(self.spectrum_error, error);
            self.products += k + 1.0;
            Power::new(count, faint(self.spectrum_error, length)).raise(bins);
            (self.spectrum, self.phases) = (Some(std::mem::take(bins)), Some(phases));
            return Ok(());
        }
        self.sort();
        if !is_rough && let Some((mut bins, error)) = self.leading_bins(&buffers.masses[..filled], k) {
            self.take_in(&mut bins, count, error);
            return Ok(());
        }
        buffers.masses[filled..].fill(0.0);
        if is_rough {
            buffers.filled.clear();
            buffers.filled.extend_from_slice(&buffers.masses[..filled]);
        }
        let Buffers { masses, filled, bins, scratch } = buffers;
        let error = self.fft.forward_of_norm(masses, tilted.norm, bins, scratch)?;
        let error = if is_rough { sharpen(filled, length, bins, k, error) } else { k * error };
        self.take_in(bins, count, error);
        Ok(())
    }

    /// Multiplies by a power of the leading bins of a law, of which the power is off by `error` in the 2-norm. Memory that is not kept stays where it is.
    fn take_in(&mut self, bins: &mut Vec<Complex<f64>>, count: u64, error: f64) {
        self.spectrum_error = add_up(self.spectrum_error, error);
        self.products += count as f64 + 1.0;
        let faint = faint(self.spectrum_error, self.fft.length());
        let known = self.width();
        let leading = Power::new(count, faint).raise(&mut bins[..known]);
        match &mut self.spectrum {
            Some(spectrum) => {
                spectrum.truncate(leading);
                let leading = multiply(spectrum, bins, faint);
                spectrum.truncate(leading);
            }
            None if 2 * leading < bins.len() => self.spectrum = Some(bins[..leading].to_vec()),
            None => {
                bins.truncate(leading);
                self.spectrum = Some(std::mem::take(bins));
            }
        }
    }

    /// The bins of a law that are not negligible in the product so far, and a bound on the 2-norm of the error of their powers; `None` if a
    /// transform of all bins takes no longer, or is needed for its accuracy.
    ///
    /// # Guarantee
    /// The law has the mass 1 at most. Its bins are exponential sums with the step `2π/N`; that is rounded, by less than u in proportion, which turns a
    /// mass at the place j by no more than `2πnj/N · u` in the bin n. Each bin counts twice, for its conjugate.
    fn leading_bins(&self, masses: &[f64], count: f64) -> Option<(Vec<Complex<f64>>, f64)> {
        let (known, length) = (self.width(), self.fft.length());
        if MASS_WORK * masses.len() + BIN_WORK * known > length {
            return None;
        }
        let places: Vec<f64> = (0..masses.len()).map(|place| place as f64).collect();
        let step = TAU / length as f64;
        let ExponentialSums { mut values, errors } = ExponentialSums::new(masses, &places, step, known);
        let turned = step * masses.len() as f64 * UNIT_ROUNDOFF * 1.01;
        let squares = errors.iter().enumerate().map(|(n, error)| (error + n as f64 * turned).powi(2));
        let error = count * (2.0 * squares.sum::<f64>()).sqrt() * (1.0 + 1e-9);
        // The transform's sign is the other one.
        values.iter_mut().for_each(|bin| bin.im = -bin.im);
        (error < SMALL_PART * self.harmless).then_some((values, error))
    }

    /// For the only part so far, if it is short and its power has too many bins to be left as waves: transforms that take their bins in
    /// whatever order is quickest. A sample of the bins tells, and nothing depends on it but how long it takes.
    fn phases_for(&self, masses: &[f64], power: Power) -> Result<Option<Arc<ShortFft>>, FftError> {
        let length = self.fft.length();
        if self.spectrum.is_some() || self.limit < self.fft.bins() {
            return Ok(None);
        }
        let Some(phases) = ShortFft::of_length(length, masses.len())? else { return Ok(None) };
        let (sample, stride) = phases.sampled(masses);
        let are_many = sample[most_waves(length) / stride + 1..].iter().any(|bin| !power.is_faint(*bin));
        Ok(are_many.then_some(phases))
    }

    /// A bound on the 2-norm of the round-off of the composed masses, if the spectrum were transformed back without any.
    fn distance(&self) -> f64 {
        let length = self.fft.length() as f64;
        let products = self.products * PRODUCT_ERROR * UNIT_ROUNDOFF * self.smallest_norm;
        // Bins that were taken for 0: below the last that counted as faint, or at most once for each part below the least number.
        let nothing = NOTHING * (length + self.products);
        let spectrum = self.spectrum_error / length.sqrt() + faint(self.spectrum_error, self.fft.length());
        (spectrum + products + nothing) * (1.0 + 1e-9)
    }

    /// A bound on the 2-norm of the spectrum as it was computed, over all bins: that of a product of numbers of the unit disc is at most that of
    /// its factors, and the round-off of these is many times what the slack of this bound adds when they are transformed back.
    fn norm(&self) -> f64 {
        (self.fft.length() as f64).sqrt() * (self.smallest_norm + self.distance()) * (1.0 + 1e-9)
    }

    /// Transforms back.
    pub(crate) fn invert(self, buffers: &mut Buffers) -> Result<Inverted, FftError> {
        check();
        let mut scales = self.scales();
        let norm = self.norm();
        let Buffers { bins, scratch, .. } = buffers;
        match self.spectrum {
            Some(spectrum) if spectrum.capacity() < bins.capacity() => bins.clone_from(&spectrum),
            Some(spectrum) => *bins = spectrum,
            None => *bins = vec![Complex::ONE; self.fft.bins()],
        }
        let mut masses = Window::taken();
        let error = if let Some(phases) = self.phases {
            phases.inverse_of_norm(bins, norm, &mut masses.0, scratch)?
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

    /// For a tilt above 0: as waves if they are few, and transformed back if not.
    pub(crate) fn finish(self, buffers: &mut Buffers) -> Result<Composed<Side>, FftError> {
        let length = self.fft.length();
        let aliasing = Aliasing {
            period: length as f64 * self.spacing,
            orders: self.orders,
            log_moments: self.log_moments,
        };
        let (spacing, tilt) = (self.spacing, self.tilt);
        let (scales, sums) = match &self.spectrum {
            Some(spectrum) if self.phases.is_none() && spectrum.len() <= most_waves(length) => {
                let waves = Waves::new(tilt * spacing, spacing, length, spectrum.clone());
                (self.scales(), Sums::Waves(waves))
            }
            Some(_) | None => {
                let Inverted { masses, scales } = self.invert(buffers)?;
                let tails = Tails::new(tilt * spacing, spacing, &masses.0);
                (scales, Sums::Window { masses, tails })
            }
        };
        Ok(Composed::new(spacing, tilt, aliasing, scales, sums))
    }

    fn scales(&self) -> Scales {
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

/// How many waves are not transformed back.
fn most_waves(length: usize) -> usize {
    (length / POINTS_PER_WAVE).min(MOST_WAVES)
}

/// How large a bin may be, beside the errors of the spectrum so far, to be taken for 0.
fn faint(spectrum_error: f64, length: usize) -> f64 {
    (FAINT_PART * spectrum_error / (length as f64).sqrt()).min(MOST_FAINT)
}

/// Composed masses, tilted and normalised, from the smallest sum on.
pub(crate) struct Inverted {
    pub(crate) masses: Window,
    pub(crate) scales: Scales,
}

/// Where composed masses are, what they are multiples of, and how far they are off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    /// A bound on the 2-norm of the round-off of all masses.
    pub(crate) distance: f64,
    /// The index of the smallest sum.
    pub(crate) shift: i64,
    /// The logarithm of what the masses are multiples of.
    pub(crate) log_scale: Enclosure,
    /// The logarithm of the probability of a finite loss.
    pub(crate) log_finite: Enclosure,
    /// How far the points are moved.
    pub(crate) offset: Enclosure,
    /// The logarithm of the factor by which all masses may be off.
    pub(crate) log_factor: f64,
}

#[cfg(test)]
mod tests {
    use super::{super::law::Pessimistic, *};

    /// Fair coins, whose sums are binomial: `C(20, m)/2²⁰` in closed form. All of them at once, and in two parts.
    #[test]
    fn bins_in_phases_are_as_good_as_bins_in_order() {
        let law: LatticeLaw<Pessimistic> = LatticeLaw {
            spacing: 1.0,
            first: 0,
            masses: vec![0.5, 0.5],
            infinite: 0.0,
            offset: 0.0,
            error: 0.0,
            side: PhantomData,
        };
        for length in [512, 1024, 4096] {
            for counts in [&[20][..], &[7, 13], &[1, 1, 18]] {
                let mut buffers = Buffers::default();
                let mut sum = Composition::new(length, 1.0, 0.0, [0.0; 2], f64::INFINITY).unwrap();
                for (i, count) in counts.iter().enumerate() {
                    // What is left in a window from before must not matter.
                    buffers.masses = vec![0.25; length];
                    sum.add(&law, *count, &mut buffers).unwrap();
                    assert_eq!(sum.phases.is_some(), i == 0, "{length}: {counts:?}");
                }
                let mut both = Composition::new(length, 1.0, 0.0, [0.0; 2], f64::INFINITY).unwrap();
                both.add(&law, 7, &mut buffers).unwrap();
                let mut other = both.beside().unwrap();
                other.add(&law, 13, &mut buffers).unwrap();
                for sum in [sum, both.and(other)] {
                    let Inverted { masses, scales } = sum.invert(&mut buffers).unwrap();
                    let scale = scales.log_scale.midpoint().exp();
                    let mut binomial = 1.0 / f64::from(1 << 20);
                    let mut square = 0.0;
                    for (m, mass) in masses.0.iter().enumerate() {
                        square += (mass * scale - binomial).powi(2);
                        binomial *= (20.0 - m as f64).max(0.0) / (m as f64 + 1.0);
                    }
                    let off = square.sqrt();
                    assert!(scales.distance < 1e-12 && (scale - 1.0).abs() < 1e-12);
                    // What the masses are multiples of is off by a few units itself.
                    assert!(off > 0.0 && off <= scales.distance + 20.0 * f64::EPSILON, "{length}: {off:e}");
                }
            }
        }
    }

    /// A thousand fair coins leave few bins; the next laws are summed at those only. Against the transform of all bins, and as a binomial law.
    #[test]
    fn leading_bins_are_those_of_the_transform() {
        let length = 4096;
        let law = |masses: Vec<f64>| LatticeLaw::<Pessimistic> {
            spacing: 1.0,
            first: 0,
            masses,
            infinite: 0.0,
            offset: 0.0,
            error: 0.0,
            side: PhantomData,
        };
        let coin = law(vec![0.5, 0.5]);
        let mut buffers = Buffers::default();
        let mut sum = Composition::new(length, 1.0, 0.0, [0.0; 2], 1.0).unwrap();
        assert!(sum.leading_bins(&[1.0], 1.0).is_none(), "all bins matter at first");
        // Bins in phases are put in order, and faint ones left out, when the next law comes.
        sum.add(&coin, 989, &mut buffers).unwrap();
        sum.add(&coin, 1, &mut buffers).unwrap();
        let masses: Vec<f64> = (0..60).map(|i| if i % 7 == 3 { 0.0 } else { 1.0 / 60.0 }).collect();
        let (bins, error) = sum.leading_bins(&masses, 1.0).expect("few bins are left");
        assert!(bins.len() < 600 && error < 1e-11, "{} {error:e}", bins.len());
        let mut window = masses.clone();
        window.resize(length, 0.0);
        let all = RealFft::of_length(length).unwrap().forward(window).unwrap();
        let distance = bins.iter().zip(&all.values).map(|(a, b)| (a - b).norm_sqr()).sum::<f64>().sqrt();
        assert!(distance <= error + all.error, "{distance:e}");
        // Ten coins more, one by one.
        (0..10).for_each(|_| sum.add(&coin, 1, &mut buffers).unwrap());
        let Inverted { masses, scales } = sum.invert(&mut buffers).unwrap();
        let exact =
            |m: u64| (hockeystick_numerics::special::log_binomial(1000, m) - 1000.0 * 2f64.ln()).exp();
        let scale = scales.log_scale.midpoint().exp();
        let square: f64 = (0..=1000u64).map(|m| (masses.0[m as usize] * scale - exact(m)).powi(2)).sum();
        assert!(scales.distance < 1e-10 && square.sqrt() <= scales.distance + 1e-12, "{:e}", square.sqrt());
    }
}
