//! The leading bins of a law as exponential sums: for later laws, once the product so far is negligible elsewhere.

use hockeystick_numerics::{exponential_sums::ExponentialSums, rounding::UNIT_ROUNDOFF};
use num_complex::Complex;
use std::f64::consts::TAU;

/// The first `bins` bins of a law on a window of `length` points, and a bound on the 2-norm of the error of their `count`-th powers.
/// `None` if that exceeds the harmless error.
///
/// # Guarantee
/// For masses that add up to at most 1. The step `2π/N` has a relative error below u, so the angle of the mass j in the bin n has an error of at
/// most `2πnj/N · u`. Each bin counts twice, for its conjugate.
pub(crate) fn leading_bins(
    masses: &[f64],
    length: usize,
    bins: usize,
    count: f64,
    harmless: f64,
) -> Option<(Vec<Complex<f64>>, f64)> {
    let places: Vec<f64> = (0..masses.len()).map(|place| place as f64).collect();
    let step = TAU / length as f64;
    let ExponentialSums { mut values, errors } = ExponentialSums::new(masses, &places, step, bins);
    let turned = step * masses.len() as f64 * UNIT_ROUNDOFF * 1.01;
    let squares = errors.iter().enumerate().map(|(n, error)| (error + n as f64 * turned).powi(2));
    let error = count * (2.0 * squares.sum::<f64>()).sqrt() * (1.0 + 1e-9);
    // The transform has the opposite sign in the exponent.
    values.iter_mut().for_each(|bin| bin.im = -bin.im);
    (error < harmless).then_some((values, error))
}
