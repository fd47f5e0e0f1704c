//! A bound of `|M(c + it)|` from moving the path of integration in the outcome off the real line.
//!
//! Where the log-density is `−ax²` and the ratio is `w₀ + w₁e^{l}` with `l` linear of slope s, nothing is in the way of moving
//! the path by `iη`, `φ = ηs < π`. The density gains `e^{aη²}`, but `e^{it log r}` loses `e^{−t arg r}`: for large `t` that
//! is more than any bound on the real line can tell.

use super::{
    Panel, RatioLaw,
    cover::{Bounded, Trimmed},
    integrand::Integrand,
    peak::{self, Peak},
    portion::{CellWeight, Portion, WholeLine},
    tail::{self, Side},
};
use hockeystick_numerics::special::{cis, exp, ln, quick};
use num_complex::Complex;
use std::f64::consts::FRAC_PI_2;

/// A piece of a moved path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// `log ∫ |f|` over the piece, `f` being the integrand of `M(c)`.
    log_mass: f64,
    /// `arg r` is at least this,
    least: f64,
    /// and at most this.
    most: f64,
}

/// Bounds of `M(c + it)` and of its integrand on a moved path, in units of `e^{log_scale}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShiftedPath {
    pieces: Vec<Piece>,
    /// What the way from the end of the line to the moved path leaves.
    edge: f64,
}

impl ShiftedPath {
    /// A bound of `|M(c + iu)|` for every `u ≥ t ≥ 0`.
    pub fn modulus(&self, t: f64) -> f64 {
        let moved = self.pieces.iter().map(|piece| quick::exp(piece.log_mass - t * piece.least)).sum::<f64>();
        // What is too small for a quick exponential is less than this.
        (moved + self.edge) * (1.0 + 1e-9) + 1e-300
    }

    /// The logarithm of a bound of the integral of the modulus on the path moved the other way, for every `0 ≤ u ≤ t`, where t is
    /// the imaginary part of the power.
    pub(super) fn log_growth(&self, t: f64) -> f64 {
        let logs = || self.pieces.iter().map(|piece| piece.log_mass + t * piece.most);
        let highest = logs().fold(f64::NEG_INFINITY, f64::max);
        highest + ln(logs().map(|log| quick::exp(log - highest)).sum::<f64>()) + 1e-9 + 1e-12 * highest.abs()
    }

    fn is_finite(&self) -> bool {
        self.edge.is_finite() && self.pieces.iter().all(|piece| piece.log_mass < f64::INFINITY)
    }
}

/// Cells of a panel.
const CELLS: usize = 160;
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
    /// on the real line lies below its chord plus `κ w²/8` if `(log f)″ ≥ −κ`.
    pub fn shifted_paths(
        &self,
        tilt: f64,
        turns: impl Iterator<Item = f64>,
        log_scale: f64,
        portion: Portion,
    ) -> Vec<ShiftedPath> {
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
    /// What the modulus may be off, as a logarithm: it is computed in plain floats, from coefficients that are rounded.
    slack: f64,
    /// The logarithm of the modulus on the real line, and the share of the moving term, at the ends of the cells.
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
        // Far up a line what turns fastest matters however little it is, so that cells go on to where a law ends.
        let end = portion.end();
        let trimmed = if end.is_finite() { Trimmed { to: end, ..trimmed } } else { trimmed };
        let step = (trimmed.to - trimmed.from) / CELLS as f64;
        if !(step > 0.0 && step.is_finite() && trimmed.error.is_finite()) {
            return None;
        }
        let finite_end = if portion.end().is_finite() { portion.end() } else { 0.0 };
        let slack = integrand.slack(trimmed.from.abs().max(trimmed.to.abs()).max(finite_end.abs()));
        let x = |i: usize| step.mul_add(i as f64, trimmed.from);
        let share = |x: f64| (integrand.ratio.derivatives(x)[1] / line.slope).clamp(0.0, 1.0);
        let ends = (0..=CELLS).map(|i| (integrand.log_modulus(x(i))[0], share(x(i)))).collect();
        let weights = (0..CELLS).map(|i| portion.on_cell(x(i), x(i + 1))).collect();
        Some(Self { integrand, line, portion, trimmed, step, slack, ends, weights })
    }

    /// The pieces of the path moved by a turn, for any power of the ratio.
    pub(super) fn path(&self, turn: f64, log_scale: f64) -> Option<ShiftedPath> {
        let Self { integrand, line: WholeLine { slope, bend }, portion, trimmed, step, .. } = *self;
        let theta = integrand.power.re;
        let distance = turn / slope;
        let gain = bend * distance * distance * (1.0 + 1e-12) - log_scale + self.slack;
        let weight_gain = portion.bend() * distance * distance * (1.0 + 1e-12);
        let (turned, sine) = (cis(turn), cis(0.5 * turn).im);
        let angle = |share: f64| {
            let point = turned * share + (1.0 - share);
            point.im.atan2(point.re).max(0.0)
        };
        // log |r(x + iη)/r(x)|^θ for a product of shares, or a little more.
        let log_factor = |product: f64| {
            let log = 0.5 * theta * quick::ln((1.0 - 4.0 * product * sine * sine).max(1e-300));
            log + 1e-14 * log.abs()
        };
        let mut pieces = Vec::with_capacity(CELLS + 2);
        let (left, mut left_share) = self.ends[0];
        let mut left = left + gain;
        // Beyond the cells on the left nothing is known to turn.
        let log = tail::log_bound(integrand, portion, trimmed.from, Side::Left) + gain + weight_gain;
        let product = if theta >= 0.0 { 0.0 } else { largest_product(0.0, left_share) };
        let most = angle((left_share * (1.0 + 1e-9)).min(1.0)) * (1.0 + 1e-12);
        pieces.push(Piece { log_mass: log + log_factor(product) + 1e-9, least: 0.0, most });
        for (&(right, right_share), weight) in self.ends[1..].iter().zip(&self.weights) {
            let right = right + gain;
            // The factor is largest where the shares are most equal if θ < 0, least equal if not.
            let largest = largest_product(left_share, right_share);
            let product = if theta >= 0.0 {
                (left_share * (1.0 - left_share)).min(right_share * (1.0 - right_share)) * (1.0 - 1e-9)
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
                + 1e-9;
            let least = angle(left_share * (1.0 - 1e-9)) * (1.0 - 1e-12);
            let most = angle((right_share * (1.0 + 1e-9)).min(1.0)) * (1.0 + 1e-12);
            pieces.push(Piece { log_mass: log, least, most });
            (left, left_share) = (right, right_share);
        }
        let end = portion.end();
        let mut edge = 0.0;
        if end.is_finite() {
            // Between, a power θ ≥ 0 of the ratio is no larger than on the real line, and nothing is known to turn.
            let log =
                integrand.log_modulus(end)[0] + portion.log_weight(end) + gain + weight_gain + ln(distance);
            edge = if theta >= 0.0 { exp(log + 1e-9 + 1e-13 * log.abs()) } else { f64::INFINITY };
            if trimmed.to >= end {
                return Some(ShiftedPath { pieces, edge }).filter(ShiftedPath::is_finite);
            }
        }
        // On the right everything turns at least as much as at the end.
        let least = angle(left_share * (1.0 - 1e-9)) * (1.0 - 1e-12);
        let height = integrand.power.im.abs();
        let (log, most) =
            if theta < 0.0 && turn < FRAC_PI_2 && turned.im * height <= -theta * turned.re * (1.0 - 1e-9) {
                // There `|r^w| = e^{θ log|r| + t arg r}` falls with x: its logarithm has the slope `|s|(θ cos ψ + t sin ψ)`, where the share s
                // of the moving term has an argument ψ between 0 and φ. So does |r|^θ.
                let density = integrand.with_power(0.0);
                let product = left_share * (1.0 - left_share);
                let log = tail::log_bound(&density, portion, trimmed.to, Side::Right)
                    + theta * integrand.ratio.derivatives(trimmed.to)[0]
                    + 1e-12 * (theta * integrand.ratio.derivatives(trimmed.to)[0]).abs()
                    + log_factor(product * (1.0 + 1e-9));
                (log, angle((left_share * (1.0 + 1e-9)).min(1.0)) * (1.0 + 1e-12))
            } else {
                let product = if theta >= 0.0 { 0.0 } else { largest_product(left_share, 1.0) };
                let log = tail::log_bound(integrand, portion, trimmed.to, Side::Right) + log_factor(product);
                (log, turn * (1.0 + 1e-12))
            };
        pieces.push(Piece { log_mass: log + gain + weight_gain + 1e-9, least, most });
        Some(ShiftedPath { pieces, edge }).filter(ShiftedPath::is_finite)
    }
}

/// The largest product of the two shares if one of them is within the bounds given, or a little more.
fn largest_product(low: f64, high: f64) -> f64 {
    let largest = if low <= 0.5 && high >= 0.5 { 0.25 } else { (low * (1.0 - low)).max(high * (1.0 - high)) };
    largest * (1.0 + 1e-9)
}
