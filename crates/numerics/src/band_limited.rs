//! Band-limited functions above and below a hockey stick under a tilt, known by their transforms at the points of a line.
//!
//! With `a = cτ`, `b = τ`, `τ = 2π/T`, both interpolate `φ(y) = e^{−ay} − e^{−(a+b)y}`, y > 0, to the second order, the lower one at
//! 0, 1, 2, …, the upper one at α, 1 + α, 2 + α, …, and are of exponential type 2π. `docs/design/majorants.md` has the proofs.

use crate::rounding::UNIT_ROUNDOFF;
use crate::special::{cis, exp, expm1, ln_1p, modulus};
use num_complex::Complex;
use std::f64::consts::TAU;

/// A computed number, and what it may be off.
#[derive(Clone, Copy, Debug)]
pub struct Approximate {
    /// As computed.
    pub value: Complex<f64>,
    /// A bound of its distance from the truth.
    pub error: f64,
}

impl Approximate {
    /// Half of it for the first point of a line, which its mirror image shares.
    #[must_use]
    pub fn halved(self, is_first: bool) -> Self {
        let share = if is_first { 0.5 } else { 1.0 };
        Self { value: self.value * share, error: self.error * share }
    }
}

/// The transforms of both functions at the same point, in place of `1/(z(z + 1))`.
#[derive(Clone, Copy, Debug)]
pub struct Kernels {
    /// Of the function above.
    pub above: Approximate,
    /// Of the function below.
    pub below: Approximate,
}

/// Both functions for a line `Re z = c` of points `c + inh`, n < N, and `T = Nh`.
#[derive(Clone, Copy, Debug)]
pub struct Majorants {
    /// a.
    tilt: f64,
    /// b.
    unit: f64,
    points: usize,
    /// `1 − e^{−x}` and `e^{−x}` for x = a and x = a + b.
    ends: [(f64, f64); 2],
    /// Of the function below, interpolated at the integers.
    plain: Scales,
    /// Of the function above, interpolated α to the right of them.
    moved: Scales,
    /// What α may be off.
    offset_error: f64,
    /// `h(a + b) − h(a)`, and what it may be off.
    rise: f64,
    rise_error: f64,
}

/// The roundings of a value, relative to the moduli of what is added up to it, in units of u: about 60, those of the arguments included.
const UNITS: f64 = 200.0;

impl Majorants {
    /// Of `e^{−cx} − e^{−(c+1)x}`, x > 0, with c the `tilt`, on so many points at this step.
    #[must_use]
    pub fn new(tilt: f64, step: f64, points: usize) -> Self {
        let unit = TAU / (step * points as f64);
        let (tilt, b) = (tilt * unit, unit);
        let ends = [tilt, tilt + b].map(|x| (-expm1(-x), exp(-x)));
        let plain = Scales::new(tilt, b, 0.0);
        let foot = Fractions::at(Turn::of(tilt, 0.0, ends), b, &plain);
        let (rise, size) = foot.rise();
        let rise_error = UNITS * UNIT_ROUNDOFF * size;
        // h(a) ≥ 1, so that the logarithm is off by no more than the rise.
        let offset = ln_1p(rise.re / foot.product()) / b;
        Self {
            tilt,
            unit,
            points,
            ends,
            plain,
            moved: Scales::new(tilt, b, offset),
            offset_error: (rise_error + UNITS * UNIT_ROUNDOFF * rise.re.abs()) / b,
            rise: rise.re,
            rise_error,
        }
    }

    /// The transforms at the nth point.
    ///
    /// # Guarantee
    /// With the exact transforms and their sums over all n, `Σ_m e^{cBm} g(ε + Bm)` lies between the sums: see `docs/design/majorants.md`.
    #[must_use]
    pub fn at(&self, n: usize) -> Kernels {
        let is_low = 2 * n <= self.points;
        let angle = |n: usize| TAU * n as f64 / self.points as f64;
        let turn = Turn::of(self.tilt, if is_low { angle(n) } else { -angle(self.points - n) }, self.ends);
        let plain = Fractions::at(turn, self.unit, &self.plain);
        let moved = Fractions::at(turn, self.unit, &self.moved);
        let ((rise, size), (fall, size_moved)) = (plain.rise(), moved.rise());
        let over_turn = Complex::new(0.0, 1.0 / TAU);
        let (mut below, mut above) = (over_turn * (self.rise - rise), -over_turn * fall);
        let (mut of_below, mut of_above) = ((size + self.rise.abs()) / TAU, size_moved / TAU);
        // What an error of α does: ∂/∂α of the fractions and of their products with w.
        let mut of_offset = (1.0 + modulus(turn.w) + self.unit) * size_moved;
        if is_low {
            below += plain.difference;
            above += moved.difference;
            of_below += plain.size_of_difference;
            of_above += moved.size_of_difference;
        } else {
            above *= cis(-TAU * self.moved.offset);
            of_offset += size_moved;
        }
        let rounding = UNITS * UNIT_ROUNDOFF;
        Kernels {
            above: Approximate {
                value: above * self.unit,
                error: (rounding * of_above + 2.0 * self.offset_error * of_offset) * self.unit,
            },
            below: Approximate {
                value: below * self.unit,
                error: (rounding * of_below + self.rise_error) * self.unit,
            },
        }
    }
}

/// What depends on w alone.
#[derive(Clone, Copy, Debug)]
struct Turn {
    w: Complex<f64>,
    /// `e^{−i Im w}`.
    turn: Complex<f64>,
    /// `1 − e^{−w−b}`, and its product with `1 − e^{−w}`.
    far: Complex<f64>,
    product: Complex<f64>,
}

impl Turn {
    /// For `w = a + iy`, |y| ≤ π: `1 − e^{−x−iy} = (1 − e^{−x}) cos y + 2 sin²(y/2) + ie^{−x} sin y`, without cancellation where it is small.
    fn of(tilt: f64, angle: f64, ends: [(f64, f64); 2]) -> Self {
        let half = cis(-0.5 * angle);
        let turn = half * half;
        let versine = 2.0 * half.im * half.im;
        let [near, far] =
            ends.map(|(missing, left)| Complex::new(missing * turn.re + versine, -left * turn.im));
        Self { w: Complex::new(tilt, angle), turn, far, product: near * far }
    }
}

/// What depends on α alone.
#[derive(Clone, Copy, Debug)]
struct Scales {
    /// α.
    offset: f64,
    /// `e^{−αa}` and `e^{−α(a + b)}`.
    near: f64,
    far: f64,
    /// `1 − e^{−αb}` and `e^{−a−αb}(1 − e^{−(1−α)b})`.
    first: f64,
    second: f64,
}

impl Scales {
    fn new(tilt: f64, b: f64, offset: f64) -> Self {
        Self {
            offset,
            near: exp(-offset * tilt),
            far: exp(-offset * (tilt + b)),
            first: -expm1(-offset * b),
            second: exp(-tilt - offset * b) * -expm1(-(1.0 - offset) * b),
        }
    }
}

/// `E(w) = e^{−αw}/(1 − e^{−w})` at w and `w + b`.
struct Fractions {
    w: Complex<f64>,
    b: f64,
    /// `E(w) − E(w + b)`.
    difference: Complex<f64>,
    /// The moduli of what adds up to that.
    size_of_difference: f64,
    /// `E(w + b)`.
    farther: Complex<f64>,
}

impl Fractions {
    /// Without cancellation: `E(w) − E(w + b) = e^{−αw}·((1 − e^{−αb}) + e^{−w}e^{−αb}(1 − e^{−(1−α)b})) / ((1 − e^{−w})(1 − e^{−w−b}))`.
    fn at(Turn { w, turn, far, product }: Turn, b: f64, scales: &Scales) -> Self {
        let moved = if scales.offset == 0.0 { Complex::new(1.0, 0.0) } else { cis(-scales.offset * w.im) };
        let over = moved * scales.near / product;
        Self {
            w,
            b,
            difference: (turn * scales.second + scales.first) * over,
            size_of_difference: (scales.first + scales.second) * modulus(over),
            farther: moved * scales.far / far,
        }
    }

    /// `h(w + b) − h(w)` with `h = wE`, and the moduli of what adds up to it.
    fn rise(&self) -> (Complex<f64>, f64) {
        let size = modulus(self.farther) * self.b + modulus(self.w) * self.size_of_difference;
        (self.farther * self.b - self.w * self.difference, size)
    }

    /// `h(w)` of a real w.
    fn product(&self) -> f64 {
        (self.difference.re + self.farther.re) * self.w.re
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    /// `(h/π) Re Σ_n` of a kernel at x, and what that may be off.
    fn periodic(kernels: impl Iterator<Item = Approximate>, step: f64, x: f64) -> (f64, f64) {
        let terms = kernels.enumerate().map(|(n, kernel)| {
            let Approximate { value, error } = kernel.halved(n == 0);
            let turned = (value * cis(step * n as f64 * x)).re;
            // What the angle, the product and the sum may be off.
            (turned, error + (n as f64 * (step * x).abs() + 100.0) * UNIT_ROUNDOFF * modulus(value))
        });
        let (sum, error) = terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        (sum * step / PI, error * step / PI)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// `Σ_m f(x + Bm)`, f the hockey stick times `e^{−cx}`, is a geometric series.
        #[test]
        fn the_hockey_stick_lies_between(
            log_tilt in -5f64..9.0,
            log_period in -1f64..4.0,
            points in 1usize..200,
            place in 0f64..1.0,
        ) {
            let tilt = exp(log_tilt);
            // In units in which the tilted function falls.
            let period = exp(log_period) / tilt;
            let step = TAU / period;
            let x = place * period;
            let majorants = Majorants::new(tilt, step, points);
            let series = |rate: f64| exp(-rate * x) / -expm1(-rate * period);
            let truth = series(tilt) - series(tilt + 1.0);
            let rounding = 1e-14 * (1.0 + tilt * period) * series(tilt);
            let (high, high_error) = periodic((0..points).map(|n| majorants.at(n).above), step, x);
            let (low, low_error) = periodic((0..points).map(|n| majorants.at(n).below), step, x);
            prop_assert!(low <= truth + low_error + rounding, "{low:e} above {truth:e}");
            prop_assert!(high >= truth - high_error - rounding, "{high:e} below {truth:e}");
            // The errors are of the size of round-off, and the functions meet the truth where they interpolate.
            prop_assert!(high_error + low_error <= 1e-9 * (series(tilt) + 1.0 / tilt), "{high_error:e} {low_error:e}");
        }
    }

    /// Between them is an area of `τ²/8` as τ falls: 1/12 and 1/24 of `τ²` are the best there is for a kink of slope 1.
    #[test]
    fn they_are_as_close_as_the_extremal_ones() {
        for tilt in [0.1, 1.0, 30.0] {
            let (step, points) = (0.3 * tilt, 10_000);
            let unit = TAU / (step * points as f64);
            let Kernels { above, below } = Majorants::new(tilt, step, points).at(0);
            let area = (above.value - below.value).re / (unit * unit);
            assert!((area - 0.125).abs() < 1e-3, "{tilt}: {area}");
            let exact = 1.0 / (tilt * (tilt + 1.0));
            let low = (exact - below.value.re) / (unit * unit);
            assert!((low - 1.0 / 12.0).abs() < 1e-3, "{tilt}: {low}");
        }
    }
}
