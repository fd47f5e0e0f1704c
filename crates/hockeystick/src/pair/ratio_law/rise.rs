//! How far a loss is above the smallest one, as a complex number: the outcome that it belongs to, and bounds of the law along paths of it.
//!
//! Removing a record the ratio is `(1 − w)(1 + v)` with `v = ρ e^{μx − μ²/2}`, `ρ = w/(1 − w)`. The rise `Y = log(1 + v)` of a loss is its distance from the
//! smallest, `log(1 − w)`. In the plane of rises `e^{yY}` falls along every ray that is turned far enough, and the outcome
//!
//! ```text
//! x(Y) = (log(e^Y − 1) − log ρ)/μ + μ/2,   dx/d log Y = Y/(1 − e^{−Y})/μ
//! ```
//!
//! has no singularity but at the multiples of 2πi.

use super::{NormalRatio, RatioLaw};
use hockeystick_numerics::{
    ball::Ball,
    double_double::DoubleDouble,
    special::{exp, expm1, ln, ln_1p, log_erfc, quick},
    vectorised::vectorised,
};
use num_complex::Complex;
use std::{
    f64::consts::{FRAC_1_SQRT_2, LN_2, TAU},
    sync::LazyLock,
};

/// The law of rises where outcomes are normal.
#[derive(Clone, Copy, Debug)]
pub struct RiseLaw {
    pub(super) ratio: NormalRatio,
    pub(super) mu: f64,
    /// `log ρ`.
    pub(super) log_odds: f64,
}

/// A bound of `∫ |φ e^{yY} dx|` over a piece of a path, as a function of y: `e^{size + Re(yY) + |y|g}`.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    size: f64,
    rise: Complex<f64>,
    growth: f64,
}

/// A ray of the plane of rises from 0 to an end, in pieces.
#[derive(Clone, Debug)]
pub struct Ray {
    /// How far it is turned.
    pub angle: f64,
    /// All before the first piece, and the pieces.
    cells: Vec<Cell>,
    /// Where the first piece begins, as a logarithm, and how long each is.
    from: f64,
    length: f64,
}

/// All outcomes below a rise, without a turn: `∫ φ vⁿ` up to n = 3, each known to 10⁻¹² of itself.
#[derive(Clone, Copy, Debug)]
pub struct Bulk {
    powers: [f64; 4],
    /// What is not known of where they end, at most.
    end: f64,
    /// The largest rise.
    largest: f64,
}

/// The logarithm of a bound of `|∫ φ e^{yY} dx|` over these, as a function of y that bends upwards: `a + Re(b(y − c)) + d|y − c|²/2`, and what is left of the series besides.
#[derive(Clone, Copy, Debug)]
pub struct BulkBound {
    log: f64,
    slope: Complex<f64>,
    bend: f64,
    log_left: f64,
    about: Complex<f64>,
}

/// Rises beyond this are not looked at: the series of `log((e^Y − 1)/Y)` ends too late.
pub const LARGEST_RISE: f64 = 3.1;
/// Nor are rays that are turned farther: up to here `|Y/(e^Y − 1)| ≤ 1`.
pub const LARGEST_TURN: f64 = 1.1;
/// How long a piece of a path is, as a logarithm, and as parts of μ and of how far rays are turned: neither outcomes nor angles are to differ by more.
const PIECE: f64 = 0.1;
const PART_OF_MU: f64 = 0.1;
const PART_OF_TURN: f64 = 0.12;
/// More than all roundings of an outcome.
const ROUNDED: f64 = 1e-9;

/// `c_n` of `log((e^Y − 1)/Y) = Y/2 + Σ c_n Y^{2n}`, where `c_n = B_{2n}/(2n (2n)!) = ±2ζ(2n)/(2n (2π)^{2n})`.
pub(super) static LOG_SERIES: LazyLock<Vec<DoubleDouble>> = LazyLock::new(|| {
    let inverse = |n: f64| DoubleDouble::ONE / DoubleDouble::from(n);
    let mut series = vec![
        inverse(24.0),
        inverse(-2880.0),
        inverse(181_440.0),
        inverse(-9_676_800.0),
        inverse(479_001_600.0),
        DoubleDouble::from(-691.0) / DoubleDouble::from(15_692_092_416_000.0),
        inverse(1_046_139_494_400.0),
    ];
    let turn = Ball::pi().midpoint() + Ball::pi().midpoint();
    for n in series.len() as i32 + 1..=LAST_POWER {
        let inverse_power = |base: DoubleDouble| (0..2 * n).fold(DoubleDouble::ONE, |power, _| power / base);
        let zeta = (1..=MOST_OF_ZETA)
            .rev()
            .fold(DoubleDouble::ZERO, |sum, m| sum + inverse_power(DoubleDouble::from(f64::from(m))));
        let sign = if n % 2 == 1 { 1.0 } else { -1.0 };
        series.push(DoubleDouble::from(sign) / DoubleDouble::from(f64::from(n)) * zeta * inverse_power(turn));
    }
    series
});
/// `(3.1/2π)^{116} < 10⁻³⁵`, and `120^{−15} < 10⁻³¹` of a coefficient is left out of ζ(16).
const LAST_POWER: i32 = 58;
const MOST_OF_ZETA: i32 = 120;

impl RatioLaw {
    /// The law in terms of rises, if it is known to thirty digits. `None` if it is swapped.
    pub fn rises(&self) -> Option<RiseLaw> {
        let ratio = self.checked_normal().filter(|_| !self.swapped)?;
        let (weight, mu) = (ratio.weight.approximate(), ratio.mu.approximate());
        (weight <= MOST_WEIGHT).then(|| RiseLaw { ratio, mu, log_odds: ln(weight) - ln_1p(-weight) })
    }
}
/// The smallest loss is not far below 0.
const MOST_WEIGHT: f64 = 0.5;

impl RiseLaw {
    /// The outcome with the rise `e^{log_rise}`, in plain floats.
    pub fn outcome(&self, log_rise: Complex<f64>) -> Complex<f64> {
        let rise = log_rise.exp();
        let square = rise * rise;
        let mut sum = Complex::new(0.0, 0.0);
        // Beyond these, terms are below 10⁻¹² of a rise.
        let count = match rise.norm() {
            size if size < 0.02 => 3,
            size if size < 0.3 => 6,
            size if size < 1.2 => 10,
            _ => LOG_SERIES.len(),
        };
        for coefficient in LOG_SERIES[..count].iter().rev() {
            sum = (sum + coefficient.hi()) * square;
        }
        (log_rise + sum + 0.5 * rise - self.log_odds) / self.mu + 0.5 * self.mu
    }

    /// The logarithm of the rise of an outcome, in plain floats.
    pub fn log_rise(&self, outcome: f64) -> f64 {
        let log = self.mu.mul_add(outcome, -0.5 * self.mu * self.mu) + self.log_odds;
        ln(ln_1p(exp(log)))
    }

    /// w.
    pub fn weight(&self) -> Ball {
        self.ratio.weight
    }

    /// μ, in plain floats.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// How long a piece of a path should be at most, as a logarithm, where rays are turned by an angle.
    pub fn piece(&self, turn: f64) -> f64 {
        PIECE.min(PART_OF_MU * self.mu).min(PART_OF_TURN * turn)
    }

    /// A piece of a path: all rises of which the logarithm is within `radius` of `center`, and a path of twice that length.
    ///
    /// # Guarantee
    /// A bound for a path on which no rise exceeds [`LARGEST_RISE`] or is turned by more than 1.1. There `|dx/d log Y| = |Y + Y/(e^Y − 1)|/μ ≤ (1 + |Y|)/μ`, for `|Y/(e^Y − 1)| ≤ 1`: with `Y = a + ib`,
    /// `|e^Y − 1|² = (e^a − 1)² + 4e^a sin²(b/2) ≥ a² + e^a(1 − b²/12)b²`, and the last factor of b² is at least 1: for a < ½, `b ≤ 1.97a` and `(1 + a)(1 − 0.33a²) ≥ 1`; for `½ ≤ a < 1.4`,
    /// `e^a(1 − 0.33a²) > 1.4`; for larger ones `b < 2.77` and `4.05 · 0.36 > 1`. So outcomes are in a disc, on which `−Re x²/2` is bounded.
    fn cell(&self, center: Complex<f64>, radius: f64) -> Cell {
        let rise = center.exp();
        let size = rise.norm();
        let outcome = self.outcome(center);
        let slope = (1.0 + size * exp(radius)) / self.mu * (1.0 + 1e-9);
        let around = radius * slope + ROUNDED * (1.0 + outcome.norm());
        let exponent = -0.5 * (outcome * outcome).re + outcome.norm() * around + 0.5 * around * around;
        let size_of_all = exponent + ln(2.0 * radius * slope) - 0.5 * TAU.ln() + 1e-9;
        Cell { size: size_of_all, rise, growth: size * expm1(radius) * (1.0 + 1e-9) + 1e-12 * size }
    }

    /// All of a ray up to a rise, in pieces of at most some length from one on.
    pub fn ray(&self, angle: f64, [from, log_end]: [f64; 2], piece: f64) -> Ray {
        let first = self.outcome(Complex::new(from, 0.0)).re;
        let count = ((log_end - from) / piece).ceil().max(1.0);
        let length = (log_end - from) / count;
        // Before it the outcome is x + iη/μ, or less than |Y|/μ off: φ integrates to less than `e^{−x²/2}` there, times `e^{η²/2μ²}`; rises are far below 1 there.
        let rise = Complex::from_polar(exp(from), angle);
        let turned = (angle.abs() + rise.norm()) / self.mu;
        let before = (first + 2.0 * rise.norm() / self.mu + ROUNDED * (1.0 + first.abs())).min(0.0);
        let size = 0.5 * turned * turned - 0.5 * before * before + rise.norm() + 1e-6;
        let mut cells = vec![Cell { size, rise, growth: 2.0 * rise.norm() }];
        let center = |i: usize| Complex::new(length.mul_add(i as f64 + 0.5, from), angle);
        cells.extend((0..count as usize).map(|i| self.cell(center(i), 0.5 * length * (1.0 + 1e-9))));
        Ray { angle, cells, from, length }
    }

    /// The way from one angle to another at a rise, in such pieces.
    pub fn arc(&self, log_rise: f64, [from, to]: [f64; 2], piece: f64) -> Vec<Cell> {
        let count = ((to - from).abs() / piece).ceil();
        let length = (to - from).abs() / count.max(1.0);
        let center = |i: usize| Complex::new(log_rise, length.mul_add(i as f64 + 0.5, from.min(to)));
        (0..count as usize).map(|i| self.cell(center(i), 0.5 * length * (1.0 + 1e-9))).collect()
    }

    /// All outcomes with a rise below one.
    ///
    /// # Guarantee
    /// `∫ φ e^{n(μx − μ²/2)} = e^{n(n−1)μ²/2} Φ(x − nμ)` below x. The x that belongs to the rise is known to a part of 10⁻⁹, and there `|φ e^{yY}| ≤ e^{|y|Y}/√2π`.
    pub fn bulk(&self, log_rise: f64) -> Bulk {
        let outcome = self.outcome(Complex::new(log_rise, 0.0)).re;
        let power = |n: f64| {
            let log_normal = log_erfc((n * self.mu - outcome) * FRAC_1_SQRT_2) - LN_2;
            exp(log_normal + n * self.log_odds + 0.5 * n * (n - 1.0) * self.mu * self.mu)
        };
        let density = (exp(-0.5 * outcome * outcome) + ROUNDED) / TAU.sqrt();
        Bulk {
            powers: [0.0, 1.0, 2.0, 3.0].map(power),
            end: 2.0 * ROUNDED * (1.0 + outcome.abs()) * density,
            largest: exp(log_rise) * (1.0 + 1e-9),
        }
    }
}

impl Cell {
    /// Does its exponent fall while y moves in a direction, or in one that is turned farther from the real line, up to the imaginary one?
    pub fn falls_along(&self, direction: Complex<f64>) -> bool {
        direction.re.mul_add(self.rise.re, -(direction.im * self.rise.im)) + direction.norm() * self.growth
            <= 0.0
    }
}

impl Ray {
    /// How many pieces are before a rise, where the next begins, and the pieces from there on.
    pub fn beyond(&self, log_rise: f64) -> (usize, f64, &[Cell]) {
        let count = ((log_rise - self.from) / self.length).ceil().max(0.0) as usize;
        let count = count.min(self.cells.len() - 1);
        (count, self.length.mul_add(count as f64, self.from), &self.cells[1 + count..])
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.cells.len() - 1
    }

    /// All of it.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What is before the first piece, where no `|e^{yY}|` exceeds 1, and the pieces.
    pub fn where_it_falls(&self) -> (BulkBound, &[Cell]) {
        (BulkBound::constant(self.cells[0].size), &self.cells[1..])
    }

    /// What is before the first piece.
    pub fn before(&self) -> &[Cell] {
        &self.cells[..1]
    }
}

impl Bulk {
    /// A bound for all y between some, next to `about`, which is one of these.
    ///
    /// # Guarantee
    /// `(1 + v)^y` is `1 + yv + y(y − 1)v²/2` but for `|y(y − 1)(y − 2)|v³/6`, times `e^{tY}` if `t = Re y > 0`. The integral p of the former is at least `p₀ = A − B|y| − C|y|(|y| + 1)/2` everywhere between them, for |y| is nowhere larger than at one of those given, so that `log p` is its tangent but for `|y − c|²/2` times `|p″/p| + |p′/p|²`. The sum of a function that is linear and a square bends upwards.
    pub fn bound(&self, about: Complex<f64>, all: &[Complex<f64>]) -> BulkBound {
        let [mass, mean, square, cube] = self.powers;
        let most = all.iter().map(|y| y.norm()).fold(about.norm(), f64::max) * (1.0 + 1e-12);
        let tilt = all.iter().map(|y| y.re).fold(0.0, f64::max);
        let least = (mass - mean * most - 0.5 * square * most * (most + 1.0)) * (1.0 - 1e-9);
        let value = mass + mean * about + 0.5 * square * about * (about - 1.0);
        let slope = (mean + square * (about - 0.5)) / value;
        let steepest = (mean + square * (most + 0.5)) / least;
        let left = most * (most + 1.0) * (most + 2.0) / 6.0 * cube * exp(tilt * self.largest);
        let rounding = ROUNDED_MOMENTS * (mass + mean * most + square * most * (most + 1.0));
        let ended = self.end * exp(most * self.largest);
        let left = (left + rounding + ended) * (1.0 + 1e-9);
        if !(least > 0.0 && left < mass) {
            // All of them, wherever they turn.
            return BulkBound::constant(ln(mass + ended) + tilt * self.largest + 1e-9);
        }
        BulkBound {
            log: ln(value.norm()),
            slope,
            bend: (square / least + steepest * steepest) * (1.0 + 1e-9),
            log_left: ln(left),
            about,
        }
    }
}
/// More than what partial moments and sums of them are off, as a part of them.
const ROUNDED_MOMENTS: f64 = 4e-12;

impl BulkBound {
    /// The same bound for all y.
    fn constant(log: f64) -> Self {
        let zero = Complex::new(0.0, 0.0);
        Self { log, slope: zero, bend: 0.0, log_left: f64::NEG_INFINITY, about: zero }
    }

    fn at(&self, y: Complex<f64>) -> f64 {
        let way = y - self.about;
        let log = self.log + (self.slope * way).re + 0.5 * self.bend * way.norm_sqr();
        log_sum([log, self.log_left]) + 1e-12 * (1.0 + log.abs())
    }
}

/// `log(e^a + e^b)`.
fn log_sum([a, b]: [f64; 2]) -> f64 {
    let most = largest(&[a, b]);
    if most.is_finite() { most + ln_1p(exp(a.min(b) - most)) } else { most }
}

/// The largest of some logarithms of bounds: infinite if one of them is not a number.
pub fn largest(logs: &[f64]) -> f64 {
    let more = |most: f64, log: f64| if log.is_nan() { f64::INFINITY } else { most.max(log) };
    logs.iter().copied().fold(f64::NEG_INFINITY, more)
}

/// The logarithm of a bound of all that some pieces of a path have at y, and of what is before them.
///
/// # Guarantee
/// It bends upwards as a function of y, of which nothing but the exponents depends on it: sums of exponentials of such functions do.
pub fn log_bound<'a>(
    cells: impl Iterator<Item = &'a Cell>,
    y: Complex<f64>,
    bulk: Option<&BulkBound>,
) -> f64 {
    let norm = y.norm();
    let mut exponents: Vec<f64> = bulk.iter().map(|bulk| bulk.at(y)).collect();
    exponents.extend(cells.map(|cell| {
        let turned = y.re.mul_add(cell.rise.re, -(y.im * cell.rise.im));
        cell.size + turned + norm * cell.growth
    }));
    let most = largest(&exponents);
    if !most.is_finite() {
        return most;
    }
    let sum = vectorised(
        #[inline(always)]
        || {
            let mut sums = [0.0; 4];
            for exponents in exponents.chunks(4) {
                for (sum, exponent) in sums.iter_mut().zip(exponents) {
                    *sum += quick::exp(exponent - most);
                }
            }
            sums.iter().sum::<f64>()
        },
    );
    // Exponents are rounded, and what `quick::exp` takes for 0 is less than all roundings.
    most + ln(sum) + 1e-12 + 1e-15 * most.abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Direction, dominating_pair};
    use proptest::prelude::*;

    fn law(sigma: f64, rate: f64) -> RiseLaw {
        let text = format!("poisson(gaussian(sigma={sigma}), rate={rate})");
        let pair = dominating_pair(&text.parse().unwrap(), Direction::Remove).unwrap();
        pair.ratio_laws()[0].rises().unwrap()
    }

    proptest! {
        /// The outcome has the rise that it belongs to.
        #[test]
        fn outcomes_have_their_rises(
            (sigma, log_rate) in (0.3f64..2.0, -6f64..-0.5),
            (log_rise, angle) in (-20f64..0.26, -1.1f64..1.1),
        ) {
            let rate = 10f64.powf(log_rate);
            let law = law(sigma, rate);
            let x = law.outcome(Complex::new(log_rise, angle));
            let v = rate / (1.0 - rate) * (x / sigma - 0.5 / (sigma * sigma)).exp();
            let rise = Complex::new(log_rise, angle).exp();
            // `e^Y − 1`
            let expected = if rise.norm() < 1e-3 { rise * (1.0 + rise / 2.0 * (1.0 + rise / 3.0 * (1.0 + rise / 4.0))) } else { rise.exp() - 1.0 };
            prop_assert!((v - expected).norm() <= 1e-11 * expected.norm(), "{v} {expected}");
            prop_assert!((rise / (rise.exp() - 1.0)).norm() <= 1.0 || rise.norm() < 1e-6);
            if angle.abs() < 0.01 {
                prop_assert!((law.log_rise(x.re) - log_rise).abs() < 1e-3);
            }
        }
    }

    /// `|φ e^{yY} dx/d log Y|` at a rise, in plain floats.
    fn modulus(law: &RiseLaw, log_rise: Complex<f64>, y: Complex<f64>) -> f64 {
        let (rise, x) = (log_rise.exp(), law.outcome(log_rise));
        let slope = (rise / (1.0 - (-rise).exp())).norm().min(1.0 + rise.norm()) / law.mu;
        let slope = if rise.norm() < 1e-6 { 1.0 / law.mu } else { slope };
        (-0.5 * (x * x).re + (y * rise).re).exp() / TAU.sqrt() * slope
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// What is on a ray, on a part of it and on an arc is less than what is said of it, at every y.
        #[test]
        fn paths_stay_below_their_bounds(
            (sigma, log_rate) in (0.3f64..2.5, -6f64..-1.0),
            (turn, log_end, log_norm, argument) in (0f64..1.1, -9f64..0.18, -1f64..6.0, 0.3f64..3.15),
        ) {
            let law = law(sigma, 10f64.powf(log_rate));
            let first = law.log_rise(-9.0);
            let log_end = log_end.max(first + 2.0);
            let y = Complex::from_polar(1.0 + exp(log_norm - log_end - 2.0), argument);
            let piece = law.piece(turn.max(0.2));
            let count = 400;
            let sum = |at: &dyn Fn(f64) -> Complex<f64>, length: f64, y: Complex<f64>| -> f64 {
                let piece = length / f64::from(count);
                (0..count).map(|i| piece * modulus(&law, at((f64::from(i) + 0.5) / f64::from(count)), y)).sum()
            };
            let ray = law.ray(turn, [first, log_end], piece);
            let all = sum(&|part| Complex::new(first + part * (log_end - first), turn), log_end - first, y);
            let bound = exp(log_bound(ray.cells().iter(), y, None));
            prop_assert!(all <= bound * (1.0 + 1e-6) || bound.is_infinite(), "{all:e} {bound:e}");
            let (pieces, from, beyond) = ray.beyond(log_end - 1.5);
            prop_assert!(pieces + beyond.len() == ray.pieces());
            let part = sum(&|part| Complex::new(from + part * (log_end - from), turn), log_end - from, y);
            let bound = exp(log_bound(beyond.iter(), y, None));
            prop_assert!(part <= bound * (1.0 + 1e-6) || bound.is_infinite(), "{part:e} {bound:e}");
            let arc = sum(&|part| Complex::new(log_end, part * turn), turn, y);
            let bound = exp(log_bound(law.arc(log_end, [turn, 0.0], piece).iter(), y, None));
            prop_assert!(arc <= bound * (1.0 + 1e-6) || bound.is_infinite(), "{arc:e} {bound:e}");
            // Before the first piece.
            let left = sum(&|part| Complex::new(first - 8.0 / sigma * (1.0 - part), turn), 8.0 / sigma, y);
            let bound = exp(log_bound(ray.before().iter(), y, None));
            prop_assert!(left <= bound * (1.0 + 1e-6), "{left:e} {bound:e}");
        }

        /// What is before it on the real line is less than what is said of it, also next to other y, and the more exact the smaller rises are.
        #[test]
        fn real_lines_stay_below_their_bounds(
            (sigma, log_rate) in (0.3f64..2.5, -6f64..-1.0),
            (log_end, size, argument, way) in (-9f64..0.18, 0.01f64..0.9, 0f64..3.15, (0f64..0.3, 0f64..6.3)),
        ) {
            let law = law(sigma, 10f64.powf(log_rate));
            let y = Complex::from_polar(size * exp(-log_end), argument);
            let about = y * (1.0 + Complex::from_polar(way.0, way.1));
            let (count, first) = (4000, -13f64);
            let last = law.outcome(Complex::new(log_end, 0.0)).re;
            prop_assume!(last > -8.0);
            let piece = (last - first) / f64::from(count);
            let integral: Complex<f64> = (0..count).map(|i| {
                let x = first + piece * (f64::from(i) + 0.5);
                piece * (y * exp(law.log_rise(x)) - 0.5 * x * x).exp() / TAU.sqrt()
            }).sum();
            let bulk = law.bulk(log_end);
            let [near, here] = [(about, vec![about, y]), (y, vec![y])].map(|(about, all)| exp(bulk.bound(about, &all).at(y)));
            prop_assert!(integral.norm() <= near * (1.0 + 1e-5), "{:e} {near:e}", integral.norm());
            prop_assert!(integral.norm() <= here * (1.0 + 1e-5), "{:e} {here:e}", integral.norm());
            // Of `|y(y − 1)(y − 2)|v³/6`.
            let (mass, rise) = (bulk.powers[0], exp(log_end));
            let left = size * (size + rise) * (size + 2.0 * rise);
            prop_assert!(here <= integral.norm() + mass * left + 1e-6, "{:e} {here:e}", integral.norm());
        }

        /// On a triangle they are largest at a corner.
        #[test]
        fn bounds_bend_upwards(
            (sigma, log_rate) in (0.3f64..2.0, -6f64..-2.0),
            corners in prop::array::uniform3((-8f64..8.0, 0f64..8.0)),
            parts in prop::array::uniform2(0f64..1.0),
        ) {
            let law = law(sigma, 10f64.powf(log_rate));
            let log_end = law.log_rise(2.0);
            let ray = law.ray(0.5, [law.log_rise(-9.0), log_end], 0.1);
            let (_, from, beyond) = ray.beyond(log_end - 3.0);
            let corners = corners.map(|(re, im)| Complex::new(re, im) * exp(-log_end));
            let bulk = law.bulk(from).bound(corners[0], &corners);
            let bound = |y: Complex<f64>| log_bound(beyond.iter(), y, Some(&bulk));
            let inside = corners[0] * parts[0] + (corners[1] * parts[1] + corners[2] * (1.0 - parts[1])) * (1.0 - parts[0]);
            let most = largest(&corners.map(bound));
            prop_assert!(bound(inside) <= most + 1e-9 * (1.0 + most.abs()), "{} {most}", bound(inside));
        }
    }

    /// The sums of the rational numbers and those of ζ agree.
    #[test]
    fn coefficients_go_on() {
        let x = 1.25f64;
        let sum: f64 = LOG_SERIES.iter().enumerate().map(|(n, c)| c.hi() * x.powi(2 * n as i32 + 2)).sum();
        assert!((sum + 0.5 * x - (x.exp_m1() / x).ln()).abs() < 1e-15);
        let ratio = LOG_SERIES[7].hi() / LOG_SERIES[6].hi() * (TAU * TAU) * 8.0 / 7.0;
        assert!((ratio + 1.0).abs() < 1e-4, "{ratio}");
    }
}
