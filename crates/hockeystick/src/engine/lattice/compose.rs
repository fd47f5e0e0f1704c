//! Composition by an exponentially tilted FFT.
//!
//! Masses are multiplied by `e^{cx}` and normalised before they are transformed, and divided by it after: the tilt puts the
//! probability where the answer is, so that round-off and wrap-around are relative to δ itself.

use super::{
    composed::{Composed, Errors},
    law::LatticeLaw,
    window::Window,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    fft::{FftError, RealFft},
    rounding::UNIT_ROUNDOFF,
    summation::CompensatedSum,
};
use num_complex::Complex;

/// Composes each law as often as its count says, under the tilt `c`, in a cyclic window of `N` points.
///
/// # Guarantee
/// The composed object's errors bound, for every ε, what truncation, wrap-around and round-off change.
///
/// With `ŵ` the tilted, normalised masses of a law, `|F| ≤ 1` for its transform. The computed `F̂`, pulled back into the unit
/// disc, is off by `e` in the 2-norm over all bins, so `F̂^k` by at most `k·e`; the logarithm and exponential that take the
/// power are off by less than `(6k + 6|log F^k|)u` relative. Dividing by `√N`, the inverse transform passes these on.
pub(super) fn compose<Side>(
    parts: &[(LatticeLaw<Side>, u64)],
    tilt: f64,
    window: Window,
) -> Result<Composed<Side>, FftError> {
    let fft = RealFft::of_length(window.length)?;
    let root = (window.length as f64).sqrt();
    let mut log_spectrum = vec![Complex::<f64>::ZERO; fft.bins()];
    let (mut log_scale, mut shift, mut spectrum_error, mut uses, mut smallest_norm) =
        (Enclosure::ZERO, 0i64, 0.0, 0.0, 1.0f64);
    let mut log_finite = Enclosure::ZERO;
    let mut offset = Enclosure::ZERO;
    for (law, count) in parts {
        let k = *count as f64;
        let tilted = Tilted::new(law, tilt, window.length);
        smallest_norm = smallest_norm.min(tilted.norm);
        log_scale = log_scale + tilted.log_scale * k;
        shift += law.first * *count as i64;
        log_finite = log_finite + Enclosure::point(-law.infinite).ln_1p() * k;
        offset = offset + Enclosure::point(law.offset) * k;
        let transformed = fft.forward(tilted.masses)?;
        // The masses themselves are rounded: η relative each, at most η in the 1-norm, so in every bin.
        spectrum_error += k * (transformed.error + tilted.error * root);
        uses += k;
        for (sum, value) in log_spectrum.iter_mut().zip(transformed.values) {
            let size = value.norm();
            // The exact transform lies in the unit disc: going back to it only helps.
            let log_size = if size < 1.0 { size.ln() } else { 0.0 };
            *sum += Complex::new(k * log_size.max(-1e300 / k), k * value.arg());
        }
    }
    let last = log_spectrum.len() - 1;
    let mut largest_exponent = 1.0f64;
    let spectrum: Vec<Complex<f64>> = log_spectrum
        .iter()
        .enumerate()
        .map(|(bin, exponent)| {
            if exponent.re < -745.0 {
                return Complex::ZERO;
            }
            largest_exponent = largest_exponent.max(exponent.re.abs());
            let value = exponent.exp();
            if bin == 0 || bin == last { Complex::new(value.re, 0.0) } else { value }
        })
        .collect();
    let inverse = fft.inverse(spectrum)?;
    // ‖F^k‖₂ = √N‖r‖₂ ≤ √N·min‖ŵ‖₂, and bins below e^{−745} were dropped.
    // Each part adds a rounding of the whole exponent to those of its own.
    let roundings = 8.0 + 2.0 * parts.len() as f64;
    let power_error =
        (roundings * (uses * std::f64::consts::PI + largest_exponent) + 16.0) * UNIT_ROUNDOFF * smallest_norm
            + 1e-320;
    let distance = (spectrum_error / root + power_error + inverse.error) * (1.0 + 1e-9);
    // Index 0 of the transform is the smallest sum; the window begins elsewhere.
    let mut masses = inverse.values;
    let turn = (window.first - shift).rem_euclid(window.length as i64) as usize;
    masses.rotate_left(turn);
    Ok(Composed::new(
        parts[0].0.spacing,
        window.first,
        masses,
        tilt,
        Errors { distance, outside: window.outside, summation: summation_error(tilt * parts[0].0.spacing) },
        log_scale,
        log_finite,
        offset,
    ))
}

/// Round-off of `s ← s·e^{−cΔ} + r`, for masses that add up to about 1: a mass `m` steps up the window carries the rounding of
/// `m` products and factors, `3mu` relative, and the weight `e^{−cΔm}`; `m·e^{−cΔm} ≤ 1/(e·cΔ)`.
fn summation_error(step: f64) -> f64 {
    2.0 * 3.0 * UNIT_ROUNDOFF * (1.0 / (std::f64::consts::E * step) + 2.0)
}

/// The masses of a law, tilted, normalised and laid on the cyclic window.
struct Tilted {
    masses: Vec<f64>,
    /// `log E[e^{cL}; L < ∞]`.
    log_scale: Enclosure,
    /// The relative error of each mass.
    error: f64,
    /// A bound of the 2-norm.
    norm: f64,
}

impl Tilted {
    fn new<Side>(law: &LatticeLaw<Side>, tilt: f64, length: usize) -> Self {
        let [log_moment, _, _] = law.log_moment(tilt);
        let mut masses = vec![0.0; length];
        let (low, high) = law.ends();
        let reach = (tilt.abs() + 1.0) * low.abs().max(high.abs()) + log_moment.abs();
        let mut total = CompensatedSum::new();
        for (i, &mass) in law.masses.iter().enumerate() {
            let x = (law.first + i as i64) as f64 * law.spacing;
            let tilted = mass * (tilt * x - log_moment).exp();
            total.add(tilted);
            masses[i % length] += tilted;
        }
        // The difference of tails, the exponent (three times), the exponential and the products are rounded.
        let error = (8.0 * reach + 16.0) * UNIT_ROUNDOFF;
        let (sum_error, total) = (total.error_bound(), total.value());
        let norm = masses.iter().map(|mass| mass * mass).sum::<f64>().sqrt() * (1.0 + 1e-9);
        // The masses add up to `total` instead of 1: that is part of the scale.
        let scale = Enclosure::relative(total, error + sum_error / total + f64::EPSILON);
        for mass in &mut masses {
            *mass /= total;
        }
        Self {
            masses,
            log_scale: scale.ln() + log_moment,
            error: 2.0 * error,
            norm: norm / total * (1.0 + 1e-9),
        }
    }
}
