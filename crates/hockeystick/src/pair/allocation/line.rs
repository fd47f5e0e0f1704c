//! `E (X₁ + … + X_t)₊` for independent, equally distributed X with finitely many values: a line under band-limited functions.
//!
//! With `A(z) = Σ mₖ e^{z xₖ}` the hinge is `(1/2πi) ∫ A(z)ᵗ dz/z²` over `Re z = c > 0`. Of sums in which some X is marked it is the same with
//! `A(z)ᵗ − S(z)ᵗ`, S the sum over values without the mark. The band-limited functions that enclose the hockey stick (`docs/design/majorants.md`) enclose the
//! hinge, too: for a small unit κ and u ≥ 0
//!
//! ```text
//! (1 − e^{−κu})/κ ≤ u ≤ (1 − e^{−κu})/κ + κu²/2,      E X₊² ≤ (2/ec)² A(c)ᵗ (or with the difference).
//! ```

use hockeystick_numerics::{
    band_limited::{Approximate, Kernels, Majorants},
    enclosure::Enclosure,
    exponential_sums::ExponentialSums,
    limits,
    rounding::UNIT_ROUNDOFF,
    special::{exp, ln, modulus},
    summation::CompensatedSum,
};
use num_complex::Complex;
use std::f64::consts::{E, PI, TAU};

/// Values with masses. The law that is meant has the values, and masses off by no more than [`MASS_UNITS`] u each, relatively, and by `absolute` at one of the values.
#[derive(Clone, Debug, Default)]
pub(super) struct Atoms {
    pub(super) values: Vec<f64>,
    pub(super) masses: Vec<f64>,
    /// A mass that may be added or missing, and where.
    pub(super) absolute: f64,
    pub(super) at: f64,
}

/// The roundings of a mass: a difference, a share, a difference, a sum.
const MASS_UNITS: f64 = 6.0;
/// The unit κ of losses in which the hinge is a hockey stick, relative to c.
const UNIT: f64 = 1e-10;
/// Powers of ratios below this are bounded together.
const NEGLIGIBLE: f64 = 1e-24;
/// λ/c for the Chernoff bounds of images.
pub(super) const ORDERS: [f64; 5] = [1.05, 1.2, 1.5, 2.0, 3.0];

/// All sums of t values, or those in which some value is marked.
#[derive(Clone, Debug, Default)]
pub(super) struct Measure {
    pub(super) plain: Atoms,
    pub(super) marked: Option<Atoms>,
}

/// Where the line lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// c.
    pub(super) tilt: f64,
    /// h.
    pub(super) step: f64,
    /// N.
    pub(super) points: usize,
}

/// The terms of a sum at a tilt, in plain numbers.
#[derive(Clone, Debug)]
struct Tilted {
    weights: Vec<f64>,
    total: f64,
    /// What `total` may be off, relatively, and every transform of the weights relative to `total`.
    error: f64,
}

impl Atoms {
    fn tilted(&self, tilt: f64) -> Tilted {
        let mut sum = CompensatedSum::new();
        let mut weights = Vec::with_capacity(self.values.len());
        let mut largest = 0.0f64;
        for (&x, &mass) in self.values.iter().zip(&self.masses) {
            let exponent = tilt * x;
            let weight = mass * exp(exponent);
            largest = largest.max(exponent.abs());
            sum.add(weight);
            weights.push(weight);
        }
        let total = sum.value();
        // The exponent is off by u times itself, the exponential by 2u, products by u; weights below 2⁻¹⁰²² by less than the last term.
        let units = (MASS_UNITS + 4.0 + largest) * (1.0 + 1e-9);
        let lost = 1e-300 + self.absolute * exp(tilt * self.at) * (1.0 + 1e-9);
        let error = units * UNIT_ROUNDOFF + (sum.error_bound() + lost) / total * (1.0 + 1e-9);
        Tilted { weights, total, error }
    }
}

impl Tilted {
    fn enclosed(&self) -> Enclosure {
        if self.total > 0.0 && self.total.is_finite() && self.error < 1e-3 {
            Enclosure::relative(self.total, self.error + 2.0 * UNIT_ROUNDOFF)
        } else {
            Enclosure::new(0.0, f64::INFINITY)
        }
    }
}

/// A measure under a tilt.
struct TiltedMeasure {
    plain: Tilted,
    marked: Option<Tilted>,
}

impl TiltedMeasure {
    fn of(measure: &Measure, tilt: f64) -> Self {
        Self {
            plain: measure.plain.tilted(tilt),
            marked: measure.marked.as_ref().map(|marked| marked.tilted(tilt)),
        }
    }

    /// `A(c)`, `β = 1 − S(c)/A(c)` and `A(c)ᵗ − S(c)ᵗ = A(c)ᵗ (1 − (1 − β)ᵗ)`; without a mark 1 stands for β.
    fn moment(&self, steps: f64) -> Enclosure {
        let plain = self.plain.enclosed();
        let power = |total: Enclosure| (total.ln() * steps).exp();
        match self.marked.as_ref().map(Tilted::enclosed) {
            None => power(plain),
            Some(marked) => {
                let all = plain + marked;
                let share = (Enclosure::ONE / (plain / marked + 1.0)).clamp(0.0, 1.0);
                power(all) * some_of(share, steps)
            }
        }
    }
}

/// `1 − (1 − β)ᵗ`.
pub(super) fn some_of(share: Enclosure, steps: f64) -> Enclosure {
    (-((-share).ln_1p() * steps).exp_m1()).clamp(0.0, 1.0)
}

/// Which side of the hinge is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Above,
    Below,
}

/// A computed ratio to its value at height 0, and what it may be off.
struct Ratio {
    value: Complex<f64>,
    error: f64,
    /// A bound of its modulus.
    most: f64,
}

impl Line {
    /// A line at this tilt with images `period/c` apart, for a width of `relative`.
    pub(super) fn at(tilt: f64, period: f64, relative: f64, most_points: usize) -> Self {
        let step = TAU * tilt / period;
        // The gap is about c²π²/(2T²) of the answer.
        let end = tilt * PI / (2.0 * relative).sqrt();
        let points = (end / step).ceil().clamp(64.0, most_points as f64);
        Self { tilt, step, points: points as usize }
    }

    /// A bound of `E (X₁ + … + X_t)₊` for t = `steps`; below a hinge that is at most `most`.
    ///
    /// # Guarantee
    /// The bound holds for every law that the atoms may mean, and for every line.
    pub(super) fn bound(&self, measure: &Measure, steps: u64, side: Side, most: f64) -> f64 {
        let unknown = if side == Side::Above { f64::INFINITY } else { 0.0 };
        let exponent = steps as f64;
        let tilted = TiltedMeasure::of(measure, self.tilt);
        let moment = tilted.moment(exponent);
        if moment.upper() == f64::INFINITY || steps > MOST_STEPS {
            return unknown;
        }
        let (sum, error) = self.sum(&tilted, measure, steps, side);
        let unit = UNIT * self.tilt;
        let circle = Enclosure::new(PI, PI.next_up());
        let scale = moment * (Enclosure::point(self.step) / circle) / (Enclosure::point(unit) * unit);
        match side {
            Side::Above => {
                let curvature = 0.5 * unit * (2.0 / (E * self.tilt)).powi(2) * moment.upper() * (1.0 + 1e-9);
                let value = scale * (Enclosure::point(sum) + error).clamp(0.0, f64::INFINITY);
                (value.upper() + curvature) * (1.0 + 4.0 * f64::EPSILON)
            }
            Side::Below => {
                let least = (scale * (Enclosure::point(sum) - error)).lower();
                let images = self.images(measure, exponent, most);
                if least > images { (least - images).next_down() } else { 0.0 }
            }
        }
    }

    /// `½K₀ + Re Σ Kₙ M(zₙ)/M(c)` and what it may be off.
    fn sum(&self, tilted: &TiltedMeasure, measure: &Measure, steps: u64, side: Side) -> (f64, f64) {
        let unit = UNIT * self.tilt;
        let majorants = Majorants::new(1.0 / UNIT, self.step / unit, self.points);
        let kernel = |n: usize| -> Approximate {
            let kernels = majorants.at(n);
            if side == Side::Above { kernels.above } else { kernels.below }
        };
        let transform = |tilted: &Tilted, atoms: &Atoms| {
            ExponentialSums::new(&tilted.weights, &atoms.values, self.step, self.points)
        };
        let plain = transform(&tilted.plain, &measure.plain);
        let marked = tilted
            .marked
            .as_ref()
            .zip(measure.marked.as_ref())
            .map(|(tilted, atoms)| (tilted, transform(tilted, atoms)));
        let mut total = CompensatedSum::new();
        let (mut error, mut negligible) = (0.0, 0.0);
        for n in 0..self.points {
            if n.is_multiple_of(1024) {
                limits::check();
            }
            let one = Ratio::of(&plain, n, &tilted.plain);
            let Ratio { value: power, error: of_power, most } = match &marked {
                None => one.power(steps),
                Some((tilted_marked, marked)) => {
                    let share = tilted_marked.total / (tilted.plain.total + tilted_marked.total);
                    one.difference_of_powers(Ratio::of(marked, n, tilted_marked), share, steps)
                }
            };
            if most < NEGLIGIBLE && n > 0 {
                negligible += most;
                continue;
            }
            let Approximate { value, error: of_kernel } = kernel(n).halved(n == 0);
            let (size, reach) = (modulus(value), modulus(power));
            total.add((value * power).re);
            error += size * of_power + of_kernel * (reach + of_power) + 8.0 * UNIT_ROUNDOFF * size * reach;
        }
        // Transforms are nowhere larger than the integral of the modulus. Above, where the function is positive, that is K₀; below, at most twice the
        // integral of the hockey stick, which K₀ above bounds, and |K₀|.
        let Kernels { above, below } = majorants.at(0);
        let size = |kernel: Approximate| modulus(kernel.value) + kernel.error;
        let largest = 2.0 * size(above) + size(below);
        (total.value(), (error + negligible * largest) * (1.0 + 1e-6) + total.error_bound())
    }

    /// What the images of the hinge add to the sum: `Σ e^{cBm} g(Bm)` over m ≠ 0 for `g(y) = E (ΣX − y)₊`.
    ///
    /// Left of 0 `g(−y) ≤ g(0) + y`. Right of it `g(y) ≤ M(λ) e^{−λy}/(eλ)` for every λ > c.
    fn images(&self, measure: &Measure, steps: f64, most: f64) -> f64 {
        let period = TAU / self.step;
        let q = exp(-self.tilt * period * (1.0 - 1e-12)) * (1.0 + 1e-12);
        let left = most * q / (1.0 - q) + period * q / (1.0 - q).powi(2);
        let right = ORDERS.map(|factor| {
            let order = factor * self.tilt;
            let fall = exp(-(order - self.tilt) * period * (1.0 - 1e-12));
            TiltedMeasure::of(measure, order).moment(steps).upper() / (E * order) * fall / (1.0 - fall)
        });
        let right =
            right.into_iter().fold(f64::INFINITY, |least, bound| if bound < least { bound } else { least });
        (left + right) * (1.0 + 1e-6)
    }
}

impl Ratio {
    fn of(sums: &ExponentialSums, n: usize, tilted: &Tilted) -> Self {
        let value = sums.values[n] / tilted.total;
        // Of the ratio of the exact sums, which is at most 1: by the transform, by the weights in it and in the total, by the division.
        let error = (sums.errors[n] / tilted.total + 2.0 * tilted.error + 4.0 * UNIT_ROUNDOFF) * (1.0 + 1e-6);
        Self { value, error, most: modulus(value) * (1.0 + 1e-14) + error }
    }

    /// `|aᵗ − bᵗ| ≤ t|a − b| max(|a|, |b|)^{t−1}`; a power by squaring is off by at most 4u for each of its factors.
    fn power(self, steps: u64) -> Self {
        let exponent = steps as f64;
        let before = exp((exponent - 1.0) * ln(self.most)) * (1.0 + 1e-6);
        let error = exponent * (self.error + 4.0 * UNIT_ROUNDOFF * self.most) * before * (1.0 + 1e-6);
        Self { value: powers(self.value, self.value, steps).0, error, most: before * self.most + error }
    }

    /// `(aᵗ − sᵗ)/(1 − (1 − β)ᵗ)` for `s = (1 − β)·self`, `a = s + β·marked`, where β is the `share` of what is marked.
    ///
    /// It is `β·marked·Σ a^j s^{t−1−j}/(1 − (1 − β)ᵗ)`: no digits are lost if β is small. The sum is off by `½t(t − 1)m^{t−2}` times what a and s are off, m the larger modulus,
    /// and by 8u for each factor of each of its terms.
    fn difference_of_powers(self, marked: Self, share: f64, steps: u64) -> Self {
        let exponent = steps as f64;
        let plain = self.value * (1.0 - share);
        let all = plain + marked.value * share;
        let off = 2.0 * (self.error + share * marked.error) + 8.0 * UNIT_ROUNDOFF;
        let largest = modulus(all).max(modulus(plain)) * (1.0 + 1e-14) + off;
        let two_before = exp((exponent - 2.0) * ln(largest)) * (1.0 + 1e-6);
        let of_sum = exponent * exponent * (off + 8.0 * UNIT_ROUNDOFF * largest) * two_before * (1.0 + 1e-6);
        let largest_sum = exponent * two_before * largest * (1.0 + 1e-6) + of_sum;
        // (1 − (1 − β)ᵗ)/β, between 1 and t, to a few u.
        let scale = share / some_of(Enclosure::point(share), exponent).midpoint();
        let sum = powers(all, plain, steps).1;
        // A relative error of β is at least that of the scale.
        let relative = self.error + marked.error + 32.0 * UNIT_ROUNDOFF;
        let most = scale * marked.most * largest_sum * (1.0 + 1e-6);
        let error =
            scale * (marked.most * of_sum + marked.error * largest_sum) * (1.0 + 1e-6) + relative * most;
        Self { value: marked.value * sum * scale, error, most: most + error }
    }
}

/// Beyond that powers have no digits.
const MOST_STEPS: u64 = 1_000_000_000_000;

/// `aⁿ` and `Σ_{j<n} a^j s^{n−1−j}`, by doubling.
fn powers(a: Complex<f64>, s: Complex<f64>, n: u64) -> (Complex<f64>, Complex<f64>) {
    let one = Complex::new(1.0, 0.0);
    let (mut of_a, mut of_s, mut sum) = (one, one, Complex::ZERO);
    for bit in (0..u64::BITS - n.leading_zeros()).rev() {
        sum *= of_a + of_s;
        of_a *= of_a;
        of_s *= of_s;
        if n >> bit & 1 == 1 {
            sum = a * sum + of_s;
            of_a *= a;
            of_s *= s;
        }
    }
    (of_a, sum)
}
