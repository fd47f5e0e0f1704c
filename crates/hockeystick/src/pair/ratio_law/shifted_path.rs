//! A bound of `|M(c + it)|` from moving the path of integration in the outcome off the real line.
//!
//! Where the log-density is `−ax²` and the ratio is `w₀ + w₁e^{l}` with `l` linear of slope s, nothing is in the way of moving
//! the path by `iη`, `φ = ηs < π`. The density gains `e^{aη²}`, but `e^{it log r}` loses `e^{−t arg r}`: for large `t` that
//! is more than any bound on the real line can tell.

use super::{
    Listing, Panel, RatioLaw,
    cover::{Plain, Trimmed},
    integrand::Integrand,
    peak, tail,
    tail::Side,
};
use hockeystick_numerics::special::{cis, exp, ln};
use num_complex::Complex;

/// `|M(c + it)| ≤ e^{log_scale} Σ mass · e^{−t·angle}` for every `t ≥ 0`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShiftedPath {
    /// Masses and angles.
    pub pieces: Vec<(f64, f64)>,
}

/// Cells of a panel.
const CELLS: usize = 160;
/// Mass that is left out of the cells and bounded by itself, as a logarithm relative to the peak.
const LOG_TRIM: f64 = -38.0;

impl RatioLaw {
    /// The bound for a path moved until the faster term of the ratio has turned by `turn`, in (0, π).
    ///
    /// `None` unless the law is one panel over the whole line, of the kind above, without atoms.
    ///
    /// # Guarantee
    /// By Cauchy's theorem the integral over the moved path is the same. With shares `s₀ + s₁ = 1` of the two terms at x,
    /// `|r(x + iη)| = r(x) (1 − 4 s₀ s₁ sin²(φ/2))^{1/2}`, and `arg r` grows with x from 0 to φ. On a cell, `log f` of the modulus
    /// on the real line lies below its chord plus `κ w²/8` if `(log f)″ ≥ −κ`.
    pub fn shifted_path(&self, tilt: f64, turn: f64, log_scale: f64) -> Option<ShiftedPath> {
        let [panel] = self.panels.as_slice() else { return None };
        if self.listing != Listing::Everything
            || !self.atoms.is_empty()
            || panel.from.is_finite()
            || panel.to.is_finite()
        {
            return None;
        }
        let theta = if self.swapped { -tilt } else { 1.0 + tilt };
        let integrand = Integrand::new(panel, Complex::new(theta, 0.0));
        let [first, second] = integrand.ratio.terms.as_slice() else { return None };
        let (still, moving) = if first.exponent.linear == 0.0 { (first, second) } else { (second, first) };
        let linear =
            still.exponent.linear == 0.0 && still.exponent.square == 0.0 && moving.exponent.square == 0.0;
        let (slope, bend) = (moving.exponent.linear, -integrand.log_q.square);
        if !(linear && slope > 0.0 && bend > 0.0) {
            return None;
        }
        let moved = turn / slope;
        let gain = bend * moved * moved;
        path(panel, &integrand, Turn { angle: turn, gain: gain - log_scale, slope, bend })
    }
}

/// How the path is moved.
struct Turn {
    angle: f64,
    gain: f64,
    slope: f64,
    bend: f64,
}

fn path(panel: &Panel, integrand: &Integrand, turn: Turn) -> Option<ShiftedPath> {
    let theta = integrand.power.re;
    let found = peak::find(integrand, panel.from, panel.to);
    let log_tolerance = found.log_height + ln(found.width) + LOG_TRIM;
    let trimmed = Trimmed::new(panel, found, &Plain { integrand, log_tolerance });
    let step = (trimmed.to - trimmed.from) / CELLS as f64;
    if !(step > 0.0 && step.is_finite() && trimmed.error.is_finite()) {
        return None;
    }
    let sine = cis(0.5 * turn.angle).im;
    // (log f)″ ≥ −κ.
    let kappa = 2.0 * turn.bend + (-theta).max(0.0) * turn.slope * turn.slope / 4.0;
    let slack = kappa * step * step / 8.0 + 1e-9;
    // |r(x + iη)/r(x)|^θ is largest where the shares are most equal if θ < 0, least equal if not.
    let factor = |product: f64| exp(0.5 * theta * ln((1.0 - 4.0 * product * sine * sine).max(1e-300)));
    let share = |x: f64| {
        let [_, slope, _] = integrand.ratio.derivatives(x);
        (slope / turn.slope).clamp(0.0, 1.0)
    };
    let angle = |share: f64| {
        let point = cis(turn.angle) * share + (1.0 - share);
        (point.im.atan2(point.re) * (1.0 - 1e-12)).max(0.0)
    };
    let at = |i: usize| {
        let x = step.mul_add(i as f64, trimmed.from);
        (exp(integrand.log_modulus(x)[0] + turn.gain + slack), share(x))
    };
    let mut pieces = Vec::with_capacity(CELLS + 2);
    let (mut left, mut left_share) = at(0);
    for i in 1..=CELLS {
        let (right, right_share) = at(i);
        let products = [left_share * (1.0 - left_share), right_share * (1.0 - right_share)];
        let product = if theta >= 0.0 {
            products[0].min(products[1]) * (1.0 - 1e-9)
        } else if left_share <= 0.5 && right_share >= 0.5 {
            0.25
        } else {
            products[0].max(products[1]) * (1.0 + 1e-9)
        };
        let mass = 0.5 * (left + right) * step * factor(product) * (1.0 + 1e-9);
        pieces.push((mass, angle(left_share * (1.0 - 1e-9))));
        (left, left_share) = (right, right_share);
    }
    // Beyond the cells: on the left nothing turns, on the right at least as much as at the end.
    let largest = if theta >= 0.0 { 1.0 } else { factor(0.25) };
    for (x, side, angle) in
        [(trimmed.from, Side::Left, 0.0), (trimmed.to, Side::Right, angle(left_share * (1.0 - 1e-9)))]
    {
        let log = tail::log_bound(integrand, x, side) + turn.gain;
        pieces.push((exp(log) * largest * (1.0 + 1e-9), angle));
    }
    pieces.iter().all(|(mass, _)| mass.is_finite()).then_some(ShiftedPath { pieces })
}
