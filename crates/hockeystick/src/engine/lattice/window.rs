//! How much of the lattice a composed law needs.

use super::law::LatticeLaw;
use hockeystick_numerics::{minimize::minimize, roots::Tolerance};

/// A cyclic window of the lattice, and how likely the tilted sum is outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// The index of the first point.
    pub(super) first: i64,
    /// The number of points, a power of two.
    pub(super) length: usize,
    /// A bound on the probability under the tilted law that the sum lies outside.
    pub(super) outside: f64,
}

/// The probability outside that is aimed at.
const OUTSIDE: f64 = 1e-20;

impl Window {
    /// From Chernoff's bounds on the tilted sum: `P_c(S ≥ b) ≤ e^{K(c+h) − K(c) − hb}` for any `h > 0`, and likewise below.
    ///
    /// `None` if it would take more than `most` points.
    pub(super) fn around<Side>(parts: &[(LatticeLaw<Side>, u64)], tilt: f64, most: usize) -> Option<Self> {
        let spacing = parts[0].0.spacing;
        let log_moment = |c: f64| -> [f64; 3] {
            parts.iter().fold([0.0; 3], |sum, (law, count)| {
                let one = law.log_moment(c);
                std::array::from_fn(|i| sum[i] + one[i] * *count as f64)
            })
        };
        let ends = parts.iter().fold((0.0, 0.0), |(low, high), (law, count)| {
            let (a, b) = law.ends();
            (low + a * *count as f64, high + b * *count as f64)
        });
        let [at_tilt, mean, variance] = log_moment(tilt);
        let wanted = -OUTSIDE.ln();
        let natural = (2.0 * wanted / variance.max(spacing * spacing)).sqrt();
        // The end that Chernoff's bound reaches with a step h to the side, and the best of a few steps.
        let end = |sign: f64| {
            let reach = |log_factor: f64| {
                let h = log_factor.exp() * natural;
                sign * mean + (log_moment(tilt + sign * h)[0] - at_tilt - sign * h * mean + wanted) / h
            };
            minimize(reach, -4.0, 1.0, Tolerance::absolute(0.2)).map_or(f64::INFINITY, |found| found.value)
        };
        let (high, low) = (end(1.0).min(ends.1), -end(-1.0).min(-ends.0));
        let first = (low / spacing).floor() as i64 - 2;
        let last = (high / spacing).ceil() as i64 + 2;
        let length = ((last - first + 1).max(2) as usize).checked_next_power_of_two()?;
        // Sums of rounded terms in the exponents: far less than a factor of 1.1.
        (length <= most).then_some(Self { first, length, outside: 2.0 * 1.1 * OUTSIDE })
    }
}
