//! The leading bins of a law as exponential sums: for later laws, when only these matter in the product so far.

use hockeystick_numerics::{exponential_sums::ExponentialSums, rounding::UNIT_ROUNDOFF};
use num_complex::Complex;
use std::f64::consts::TAU;

/// The first `bins` bins of a law on a window of `length` points, and a bound on the 2-norm of the error of their `count`-th powers.
/// `None` if that is more than is harmless.
///
/// # Guarantee
/// For masses that add up to 1 at most. The step `2π/N` is rounded, by less than u in proportion, which turns a mass at the place j by at most
/// `2πnj/N · u` in the bin n. Each bin counts twice, for its conjugate.
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
    // The transform's sign is the other one.
    values.iter_mut().for_each(|bin| bin.im = -bin.im);
    (error < harmless).then_some((values, error))
}
