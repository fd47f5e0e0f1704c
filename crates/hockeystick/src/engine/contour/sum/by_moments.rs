//! `Σ p (e^{zL} − 1 − z(1 − e^{−L}))` for losses so small that `zL` is small all along a line: by the moments of the loss.
//!
//! Thousands of nodes are then twenty-five numbers, and a point of the line costs as many products.

use super::small_losses::{LANES, SmallLosses, UNDERFLOW, loss_less_drop};
use hockeystick_numerics::{rounding::UNIT_ROUNDOFF, special::exp};
use num_complex::Complex;

/// The largest `|zL|`, ρ.
pub(crate) const LARGEST: f64 = 2.0;
/// Moments from the second on: `ρ^{27}/27!` is below 10⁻¹⁹ of `ρ²/2`.
const MOMENTS: usize = 25;
/// `e^ρ`, or a little more.
const GROWTH: f64 = 7.39;
/// Roundings in units of u, relative to `e^ρ |z|²L²/2`, but for those of sums over nodes: see [`SmallLosses::sums_by_moments`].
const UNITS: f64 = 64.0;

impl SmallLosses {
    /// The sums at `z = c + i n step`, n = 0 … count − 1, and what each may be off; infinite if `|zL|` exceeds [`LARGEST`].
    ///
    /// # Guarantee
    /// `e^{zL} − 1 − z(1 − e^{−L}) = Σ_{j≥2} (zL)^j/j! + z(L − 1 + e^{−L})`. With `x = |zL| ≤ ρ`, `Σ x^j/j! ≤ e^ρ x²/2` and
    /// `Σ j x^j/j! ≤ e^ρ x²`, so that roundings in proportion to j, two in each moment and six in each step of Horner's rule, of which
    /// two are those of z, are at most `8 u e^ρ x²`, the others fewer than 30 u of `e^ρ x²/2`. The last summand is below `|z| L² v/2`, known to
    /// 12 u. Sums over nodes are rounded once for every node of a lane.
    pub(crate) fn sums_by_moments(&self, step: f64, count: usize) -> (Vec<Complex<f64>>, Vec<f64>) {
        let farthest = self.losses.iter().fold(0.0f64, |farthest, loss| farthest.max(loss.abs()));
        let unit = if farthest > 0.0 { farthest } else { 1.0 };
        let (coefficients, drift) = self.coefficients(unit);
        let adds = (self.losses.len() / LANES) as f64 + LANES as f64;
        let relative = UNIT_ROUNDOFF * (UNITS + adds) * GROWTH * 0.5 * self.squares();
        let point = |n: usize| Complex::new(self.tilt, step * n as f64);
        let mut values = Vec::with_capacity(count + LANES);
        for first in (0..count).step_by(LANES) {
            // Several points at once, for each sum has to wait for the one before.
            let w: [Complex<f64>; LANES] = std::array::from_fn(|lane| point(first + lane) * unit);
            let [mut re, mut im] = [[0.0; LANES]; 2];
            for c in coefficients.iter().rev() {
                for lane in 0..LANES {
                    let (x, y) = (re[lane], im[lane]);
                    re[lane] = x * w[lane].re - y * w[lane].im + c;
                    im[lane] = x * w[lane].im + y * w[lane].re;
                }
            }
            for lane in 0..LANES {
                let series = Complex::new(re[lane], im[lane]) * w[lane] * w[lane];
                values.push(series + point(first + lane) * drift);
            }
        }
        values.truncate(count);
        let error = |n: usize| {
            let z = point(n);
            let size = z.norm_sqr().sqrt() * (1.0 + 1e-12);
            let second = size * (size + 1.0);
            let uncertain = self.uncertain() * exp((size + 1.0) * self.farthest());
            let error = second * (relative + uncertain) * (1.0 + 1e-6) + UNDERFLOW * (1.0 + second);
            if size * unit <= LARGEST { error } else { f64::INFINITY }
        };
        let errors = (0..count).map(error).collect();
        (values, errors)
    }

    /// `Σ p (L/s)^j/j!` for j = 2, 3, … and `Σ p (L − 1 + e^{−L})`.
    fn coefficients(&self, unit: f64) -> ([f64; MOMENTS], f64) {
        let mut moments = [[0.0; LANES]; MOMENTS];
        let mut drift = [0.0; LANES];
        let chunks = self.weights.chunks(LANES).zip(self.losses.chunks(LANES)).zip(self.drops.chunks(LANES));
        for ((weights, losses), drops) in chunks {
            let (mut ratios, mut terms) = ([0.0; LANES], [0.0; LANES]);
            for (lane, ((p, loss), drop)) in weights.iter().zip(losses).zip(drops).enumerate() {
                ratios[lane] = loss / unit;
                terms[lane] = p * ratios[lane] * ratios[lane];
                drift[lane] += p * loss_less_drop(*loss, *drop);
            }
            for moment in &mut moments {
                for lane in 0..LANES {
                    moment[lane] += terms[lane];
                    terms[lane] *= ratios[lane];
                }
            }
        }
        let mut factorial = 1.0;
        let coefficients = std::array::from_fn(|i| {
            factorial *= (i + 2) as f64;
            moments[i].iter().sum::<f64>() / factorial
        });
        (coefficients, drift.iter().sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::contour::sum::Blocks;
    use proptest::prelude::*;

    proptest! {
        /// The recurrence is an independent way to the same sums.
        #[test]
        fn moments_and_the_recurrence_agree(
            losses in prop::collection::vec((-1f64..1.0, -9i32..1, 1e-6f64..1.0), 1..40),
            tilt in 0.01f64..30.0,
            height in 0f64..300.0,
        ) {
            let most = LARGEST * (1.0 - 1e-9) / tilt.hypot(height);
            let mut small = SmallLosses::new(tilt);
            for (loss, e, p) in losses {
                small.push(p, (loss * most * 10f64.powi(e)).clamp(-0.99, 0.99), 1e-15, 1e-30);
            }
            let (values, errors) = small.sums(height / 60.0, 61, Blocks::LONG);
            let (by_moments, moment_errors) = small.sums_by_moments(height / 60.0, 61);
            for n in 0..61 {
                let distance = (values[n] - by_moments[n]).norm();
                prop_assert!(distance <= errors[n] + moment_errors[n], "{n}: {distance:e}");
                prop_assert!(moment_errors[n].is_finite());
            }
            // Not so wide as to say nothing.
            prop_assert!(moment_errors[0] <= 1e-12 * tilt * (tilt + 1.0) * small.squares() + 1e-280);
        }
    }

    #[test]
    fn losses_that_are_too_large_are_refused() {
        let mut small = SmallLosses::new(1.0);
        small.push(0.5, 0.5, 0.0, 0.0);
        let (_, errors) = small.sums_by_moments(1.0, 6);
        assert!(errors[3].is_finite() && errors[4].is_infinite());
    }
}
