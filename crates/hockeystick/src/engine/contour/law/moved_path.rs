//! A bound of `|M(c + it)|` from moving the path of integration in the outcome off the real line.
//!
//! Where the log-density is `−ax²` and the ratio is `w₀ + w₁e^{l}` with `l` linear of slope s, nothing is in the way of moving
//! the path by `iη`, `φ = ηs < π`. The density gains `e^{aη²}`, but `e^{it log r}` loses `e^{−t arg r}`: for large `t` that
//! is more than any bound on the real line can tell.

use super::cuttable::WholeLine;
use crate::pair::{
    Panel, Portion, RatioLaw,
    ratio_law::{
        cover::{Bounded, Trimmed},
        integrand::Integrand,
        peak::{self, Peak},
        portion::CellWeight,
        side::Side,
        tail,
    },
};
use hockeystick_numerics::{
    special::{cis, exp, ln, quick},
    vectorised::vectorised,
};
use num_complex::Complex;
use std::f64::consts::FRAC_PI_2;

/// The pieces of a moved path.
#[derive(Clone, Debug, Default, PartialEq)]
struct Pieces {
    /// `log ∫ |f|` over each, `f` being the integrand of `M(c)`.
    log_masses: Vec<f64>,
    /// `arg r` is at least this,
    least: Vec<f64>,
    /// and at most this.
    most: Vec<f64>,
}

impl Pieces {
    fn with_capacity(capacity: usize) -> Self {
        let empty = || Vec::with_capacity(capacity);
        Self { log_masses: empty(), least: empty(), most: empty() }
    }

    fn push(&mut self, log_mass: f64, least: f64, most: f64) {
        self.log_masses.push(log_mass);
        self.least.push(least);
        self.most.push(most);
    }

    /// `Σ e^{log_mass + t·turn − highest}`, but for what is below all doubles.
    fn sum(&self, turns: &[f64], t: f64, highest: f64) -> f64 {
        vectorised(
            #[inline(always)]
            || {
                let (logs, turns) = (self.log_masses.as_chunks(), turns.as_chunks());
                let mut sums = [0.0; LANES];
                for (logs, turns) in logs.0.iter().zip(turns.0) {
                    let (logs, turns): (&[f64; LANES], &[f64; LANES]) = (logs, turns);
                    for i in 0..LANES {
                        sums[i] += quick::exp(logs[i] + t * turns[i] - highest);
                    }
                }
                let rest = logs.1.iter().zip(turns.1);
                sums.iter().sum::<f64>()
                    + rest.map(|(log, turn)| quick::exp(log + t * turn - highest)).sum::<f64>()
            },
        )
    }
}

/// Sums that are independent of each other.
const LANES: usize = 8;

/// Bounds of `M(c + it)` and of its integrand on a moved path, in units of `e^{log_scale}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MovedPath {
    pieces: Pieces,
    /// A bound of the integral along the segment from the end of a cut law to the moved path.
    edge: f64,
}

impl MovedPath {
    /// A bound of `|M(c + iu)|` for every `u ≥ t ≥ 0`.
    pub fn modulus(&self, t: f64) -> f64 {
        let moved = self.pieces.sum(&self.pieces.least, -t, 0.0);
        // What is too small for a quick exponential is less than this.
        (moved + self.edge) * (1.0 + 1e-9) + 1e-300
    }

    /// The logarithm of a bound of the integral of the modulus on the path moved the other way, for every `0 ≤ u ≤ t`, where t is
    /// the imaginary part of the power.
    pub(super) fn log_growth(&self, t: f64) -> f64 {
        let Pieces { log_masses, most, .. } = &self.pieces;
        let logs = log_masses.iter().zip(most).map(|(log, turn)| log + t * turn);
        let highest = logs.fold(f64::NEG_INFINITY, f64::max);
        highest + ln(self.pieces.sum(most, t, highest)) + 1e-9 + 1e-12 * highest.abs()
    }

    fn is_finite(&self) -> bool {
        self.edge.is_finite() && self.pieces.log_masses.iter().all(|log| *log < f64::INFINITY)
    }
}

/// What arguments may be off, in proportion: shares are known to 10⁻⁹, see [`RatioLaw::moved_paths`].
const ANGLE_ERROR: f64 = 2e-8;
/// Cells of a panel, and those farther on.
const CELLS: usize = 160;
const MORE_CELLS: usize = 80;
/// Mass that is left out of the cells and bounded by itself, as a logarithm relative to the peak.
const LOG_TRIM: f64 = -38.0;

impl RatioLaw {
    /// The bounds for paths moved until the faster term of the ratio has turned by each of the angles, in (0, π).
    ///
    /// None unless the law is one panel over the whole line, of the kind above, without atoms.
    ///
    /// # Guarantee
    /// By Cauchy's theorem the integral over the moved path is the same. With shares `s₀ + s₁ = 1` of the two terms at x,
    /// `|r(x + iη)| = r(x) (1 − 4 s₀ s₁ sin²(φ/2))^{1/2}`, and `arg r` grows with x from 0 to φ. On a cell, `log f` of the modulus
    /// on the real line lies below its chord plus `κ w²/8` if `(log f)″ ≥ −κ`. With `p = 1 − s₁ + s₁e^{iφ}`, `d arg r/ds₁ = sin φ/|p|²` and
    /// `arg r ≥ s₁ sin φ/|p|`, so that a share off by 10⁻⁹ of itself moves the argument by at most `10⁻⁹/cos(φ/2)` of itself, less than
    /// 1.5 · 10⁻⁸ up to φ = 3.
    pub fn moved_paths(
        &self,
        tilt: f64,
        turns: impl Iterator<Item = f64>,
        log_scale: f64,
        portion: Portion,
    ) -> Vec<MovedPath> {
        let Some(line) = self.whole_line() else { return Vec::new() };
        let theta = if self.swapped { -tilt } else { 1.0 + tilt };
        let integrand = Integrand::new(&self.panels[0], Complex::new(theta, 0.0));
        let found = peak::of_portion(&integrand, portion, f64::NEG_INFINITY, f64::INFINITY);
        let Some(cells) = Cells::new(&self.panels[0], &integrand, line, portion, found) else {
            return Vec::new();
        };
        turns.filter_map(|turn| cells.path(turn, log_scale)).collect()
    }

    /// The turn at which the density on the moved path has gained a factor e; 0 if no path can be moved.
    pub fn turn_unit(&self, portion: Portion) -> f64 {
        self.whole_line().map_or(0.0, |line| line.slope / (line.bend + portion.bend()).sqrt())
    }
}

/// The real line in cells, and what is known of each however far it is moved.
pub(super) struct Cells<'a> {
    integrand: &'a Integrand,
    line: WholeLine,
    portion: Portion,
    trimmed: Trimmed,
    step: f64,
    /// What the modulus may be off, as a logarithm: it is computed in plain floats, from coefficients that are rounded. The second part is
    /// for a share of 1 of the moving term.
    slacks: (f64, f64),
    /// The logarithm of the modulus on the real line, and the share of the moving term, at the ends of the cells.
    ends: Vec<(f64, f64)>,
    weights: Vec<CellWeight>,
    /// Cells farther right, up to where the integrand is small off the line, too.
    farther: Farther,
}

/// More cells, of another length.
#[derive(Default)]
struct Farther {
    to: f64,
    step: f64,
    ends: Vec<(f64, f64)>,
    weights: Vec<CellWeight>,
}

impl<'a> Cells<'a> {
    /// Of an integrand with its peak; `None` if its tails have no bound.
    pub(super) fn new(
        panel: &Panel,
        integrand: &'a Integrand,
        line: WholeLine,
        portion: Portion,
        found: Peak,
    ) -> Option<Self> {
        let log_tolerance = found.log_height + ln(found.width) + LOG_TRIM;
        let trimmed = Trimmed::new(panel, found, &Bounded::new(integrand, log_tolerance, portion));
        // For large t the fastest-turning mass dominates the growth, however small it is. So cells extend to the end of a cut law.
        let end = portion.end();
        let trimmed = if end.is_finite() { Trimmed { to: end, ..trimmed } } else { trimmed };
        let step = (trimmed.to - trimmed.from) / CELLS as f64;
        if !(step > 0.0 && step.is_finite() && trimmed.error.is_finite()) {
            return None;
        }
        let finite_end = if portion.end().is_finite() { portion.end() } else { 0.0 };
        let x = |i: usize| step.mul_add(i as f64, trimmed.from);
        let at = |x: f64| {
            let share = (integrand.ratio.derivatives(x)[1] / line.slope).clamp(0.0, 1.0);
            (integrand.log_modulus(x)[0], share)
        };
        let ends = (0..=CELLS).map(|i| at(x(i))).collect();
        let farther = if integrand.power.re < 0.0 && end == f64::INFINITY {
            let (to, _) = tail::cut(found, Side::Right, |x| {
                tail::log_bound_of_terms(integrand, portion, x, Side::Right) - log_tolerance
            });
            let step = (to - trimmed.to) / MORE_CELLS as f64;
            let x = |i: usize| step.mul_add(i as f64, trimmed.to);
            Farther {
                to,
                step,
                ends: (1..=MORE_CELLS).map(|i| at(x(i))).collect(),
                weights: (0..MORE_CELLS).map(|i| portion.on_cell(x(i), x(i + 1))).collect(),
            }
        } else {
            Farther::default()
        };
        let radius = trimmed.from.abs().max(trimmed.to.abs()).max(finite_end.abs());
        let (_, of_share) = integrand.slacks(radius);
        let slacks = (integrand.slacks(radius.max(farther.to.abs())).0, of_share);
        let weights = (0..CELLS).map(|i| portion.on_cell(x(i), x(i + 1))).collect();
        Some(Self { integrand, line, portion, trimmed, step, slacks, ends, weights, farther })
    }

    /// The pieces of the path moved by a turn, for any power of the ratio.
    pub(super) fn path(&self, turn: f64, log_scale: f64) -> Option<MovedPath> {
        let Self { integrand, line: WholeLine { slope, bend }, portion, trimmed, step, .. } = *self;
        let theta = integrand.power.re;
        let distance = turn / slope;
        let gain = bend * distance * distance * (1.0 + 1e-12) - log_scale + self.slacks.0;
        let slack = |share: f64| share * (1.0 + 1e-9) * self.slacks.1;
        let weight_gain = portion.bend() * distance * distance * (1.0 + 1e-12);
        let (turned, sine) = (cis(turn), cis(0.5 * turn).im);
        let angle = |share: f64| {
            let point = turned * share + (1.0 - share);
            point.im.atan2(point.re).max(0.0)
        };
        // log |r(x + iη)/r(x)|^θ for a product of shares, or a little more.
        let log_factor = |product: f64| {
            let log = 0.5 * theta * quick::ln_1p((-4.0 * product * sine * sine).max(f64::EPSILON - 1.0));
            log + 1e-14 * log.abs()
        };
        let mut pieces = Pieces::with_capacity(CELLS + 2);
        let (left, mut left_share) = self.ends[0];
        let (mut left, mut left_angle) = (left + gain, angle(left_share));
        // Beyond the cells on the left nothing is known to turn.
        let log = tail::log_bound(integrand, portion, trimmed.from, Side::Left) + gain + weight_gain;
        let product = if theta >= 0.0 { 0.0 } else { largest_product(0.0, left_share) };
        let log = log + log_factor(product) + slack(left_share) + 1e-9;
        pieces.push(log, 0.0, left_angle * (1.0 + ANGLE_ERROR));
        let mut add =
            |pieces: &mut Pieces, step: f64, ends: &[(f64, f64)], weights: &[CellWeight], radius: f64| {
                let slack = |share: f64| share * (1.0 + 1e-9) * radius;
                for (&(right, right_share), weight) in ends.iter().zip(weights) {
                    let (right, right_angle) = (right + gain, angle(right_share));
                    // The factor is largest where the shares are most equal if θ < 0, least equal if not.
                    let largest = largest_product(left_share, right_share);
                    let product = if theta >= 0.0 {
                        (left_share * (1.0 - left_share)).min(right_share * (1.0 - right_share))
                            * (1.0 - 1e-9)
                    } else {
                        largest
                    };
                    // (log f)″ ≥ −κ, for (log r)″ is the slope squared times the product of the shares.
                    let kappa = 2.0 * bend + (-theta).max(0.0) * largest * slope * slope;
                    let highest = left.max(right);
                    let mean = 0.5 * (1.0 + quick::exp(left.min(right) - highest)) * step;
                    let log = highest
                        + quick::ln(mean)
                        + weight.log_moved(distance)
                        + kappa * step * step / 8.0
                        + log_factor(product)
                        + slack(right_share)
                        + 1e-9;
                    pieces.push(log, left_angle * (1.0 - ANGLE_ERROR), right_angle * (1.0 + ANGLE_ERROR));
                    (left, left_share, left_angle) = (right, right_share, right_angle);
                }
                (left_share, left_angle)
            };
        let (left_share, left_angle) = add(&mut pieces, step, &self.ends[1..], &self.weights, self.slacks.1);
        let end = portion.end();
        let mut edge = 0.0;
        if end.is_finite() {
            // On the segment no turning is used. For θ ≥ 0, |r^θ| is at most its value on the real line. For θ < 0 it grows with the
            // distance.
            let product = if theta >= 0.0 { 0.0 } else { left_share * (1.0 - left_share) * (1.0 + 1e-9) };
            let log = integrand.log_modulus(end)[0]
                + portion.log_weight(end)
                + gain
                + weight_gain
                + ln(distance)
                + slack(1.0)
                + log_factor(product);
            edge = exp(log + 1e-9 + 1e-13 * log.abs());
            if trimmed.to >= end {
                return Some(MovedPath { pieces, edge }).filter(MovedPath::is_finite);
            }
        }
        // On the right everything turns at least as much as at the end.
        let (log, least, most) = match self.falling_tail(turn, log_factor) {
            Some(log) => (log, left_angle, left_angle * (1.0 + ANGLE_ERROR)),
            None => {
                let Farther { to, step, ref ends, ref weights } = self.farther;
                let is_farther = step > 0.0;
                let to = if is_farther { to } else { trimmed.to };
                let (_, of_share) = integrand.slacks(trimmed.from.abs().max(to.abs()));
                let (share, angle) = match is_farther {
                    true => add(&mut pieces, step, ends, weights, of_share),
                    false => (left_share, left_angle),
                };
                let product = if theta >= 0.0 { 0.0 } else { largest_product(share, 1.0) };
                let log = tail::log_bound(integrand, portion, to, Side::Right) + log_factor(product);
                (log + of_share * (1.0 + 1e-9), angle, turn * (1.0 + 1e-12))
            }
        };
        let least = least * (1.0 - ANGLE_ERROR);
        pieces.push(log + gain + weight_gain + 1e-9, least, most);
        Some(MovedPath { pieces, edge }).filter(MovedPath::is_finite)
    }

    /// The logarithm of the integral of the modulus of `f` on the moved path right of the cells, for `t = 0`, in units of the density's gain and
    /// of `e^{t arg r}` there; `None` unless the whole falls faster and faster from there on.
    ///
    /// # Guarantee
    /// With the share `s = |s|e^{iψ}` of the moving term on the path, `log |r^w| = θ log|r| + t arg r` has the slope `−σ|s|(−θ cos ψ − t sin ψ)`, σ being
    /// that of the exponent. Towards the right `|s|` grows and ψ falls from φ < π/2 to 0, so that with `t tan φ ≤ −θ` it falls faster and faster. So does the
    /// density, and the integral is at most the value divided by the slope, which is least for the largest t. On the path moved the other way `e^{−t arg r}` falls.
    fn falling_tail(&self, turn: f64, log_factor: impl Fn(f64) -> f64) -> Option<f64> {
        let Self { integrand, line, portion, ref trimmed, .. } = *self;
        let (theta, height) = (integrand.power.re, integrand.power.im.abs());
        let turned = cis(turn);
        let is_falling =
            theta < 0.0 && turn < FRAC_PI_2 && turned.im * height <= -theta * turned.re * (1.0 - 1e-9);
        let density = portion.beyond(integrand.log_q, trimmed.to, Side::Right).filter(|_| is_falling)?;
        let share = self.ends[CELLS].1;
        let point = turned * share + (1.0 - share);
        let moving = turned * share / point;
        let own = -density.slope(trimmed.to);
        let of_ratio = line.slope * (-theta * moving.re - height * moving.im);
        // Shares are known to 10⁻⁹.
        let sizes = own.abs() + line.slope * (height * moving.im - theta * moving.re);
        let fall = own + of_ratio - 1e-8 * sizes;
        let log_ratio = integrand.ratio.derivatives(trimmed.to)[0];
        let log = density.at(trimmed.to) + theta * log_ratio + self.slacks.1 * share * (1.0 + 1e-9);
        let log = log + 1e-13 * density.magnitude(trimmed.to.abs());
        let log = log + 1e-12 * log.abs() + log_factor(share * (1.0 - share) * (1.0 + 1e-9)) - ln(fall);
        (fall > 0.0).then_some(log)
    }
}

/// The largest product of the two shares if one of them is within the bounds given, or a little more.
fn largest_product(low: f64, high: f64) -> f64 {
    let largest = if low <= 0.5 && high >= 0.5 { 0.25 } else { (low * (1.0 - low)).max(high * (1.0 - high)) };
    largest * (1.0 + 1e-9)
}
