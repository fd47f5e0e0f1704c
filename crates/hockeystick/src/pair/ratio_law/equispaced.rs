//! Equispaced nodes on a panel over the whole line: the trapezoidal rule, which no other beats there.
//!
//! Where the log-density is quadratic and the exponents of the ratio are linear with slopes of one sign, the integrand is
//! analytic in a strip, and its modulus on the edge of the strip is the one on the line times a constant.

use super::{
    Panel,
    cover::{Plain, Trimmed},
    integrand::Integrand,
    peak::Peak,
};
use hockeystick_numerics::special::{cis, ln};
use std::f64::consts::{PI, TAU};

/// Equispaced nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Equispaced {
    pub(super) from: f64,
    pub(super) step: f64,
    pub(super) count: usize,
    /// What the tails leave, in units of the tolerances.
    pub(super) tails: f64,
    /// Logarithms of masses: a sum is off by [`ALIASES`] tolerances for each such mass that the integral of its modulus has.
    pub(super) log_masses: [f64; 4],
}

/// What the trapezoidal rule leaves, in units of the tolerance, for an integral of the size that was expected.
pub(super) const ALIASES: f64 = 0.5;
/// More nodes are not tried.
const MOST_NODES: f64 = 6_000.0;
/// How close to π the arguments of two terms may come.
const WIDEST_CONE: f64 = 3.0;

/// The nodes for which all integrands of the family are within their tolerances; `None` if the panel is not of the kind, or
/// takes too many.
///
/// # Guarantee
/// On `Im x = y` the modulus is at most that on the line times `exp(a y² + |Im w| s y − θ₋ log cos(ρy/2))`, where `−a` is the
/// square of the log-density, s the steepest slope, ρ the range of slopes with `ρy < π`, and `θ₋ = max(−Re w, 0)`: see
/// `cone::log_bound`. So (Trefethen & Weideman 2014, Thm 5.1) the infinite sum with the step η is off by at most
/// `2 M(Re w)` times that over `e^{2πy/η} − 1`. Its tails are sums over functions below exponentials that fall, and hence below
/// the integrals that bound the tails of the integral.
pub(super) fn nodes(panel: &Panel, family: &[Plain<'_>; 4], peaks: &[Peak; 4]) -> Option<Equispaced> {
    if panel.from.is_finite() || panel.to.is_finite() {
        return None;
    }
    let shape = Shape::of(family[0].integrand)?;
    let mut frequency = 0.0f64;
    let mut log_masses = [0.0; 4];
    for i in 0..4 {
        // P and Q have no more than 1; how much the others have is checked once the sums are known.
        let is_law = i == 1 || i == 2;
        log_masses[i] =
            if is_law { 0.0 } else { peaks[i].log_height + ln(4.0 * peaks[i].width.max(shape.width)) };
        let wanted = log_masses[i] - family[i].log_tolerance - ln(ALIASES);
        frequency = frequency.max(shape.frequency(family[i].integrand, wanted)?);
    }
    let trimmed = family.iter().zip(peaks).map(|(bounds, peak)| Trimmed::new(panel, *peak, bounds));
    let trimmed = trimmed.reduce(Trimmed::with)?;
    let step = TAU / frequency;
    let count = ((trimmed.to - trimmed.from) / step).ceil();
    if !(count < MOST_NODES && trimmed.error.is_finite()) {
        return None;
    }
    Some(Equispaced { from: trimmed.from, step, count: count as usize + 1, tails: trimmed.error, log_masses })
}

/// What the bound off the line depends on.
struct Shape {
    /// a.
    bend: f64,
    /// s.
    steepest: f64,
    /// ρ.
    range: f64,
    /// `1/√(2a)`.
    width: f64,
}

impl Shape {
    fn of(integrand: &Integrand) -> Option<Self> {
        let terms = &integrand.ratio.terms;
        let slopes = terms.iter().map(|term| term.exponent.linear);
        let (low, high) =
            slopes.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(s), high.max(s)));
        let linear = integrand.squares == [0.0, 0.0];
        let bend = -integrand.log_q.square;
        (linear && bend > 0.0).then(|| Self {
            bend,
            steepest: low.abs().max(high.abs()),
            range: high - low,
            width: 1.0 / (2.0 * bend).sqrt(),
        })
    }

    /// The smallest `2π/η` found for which `2 M(θ) e^{…}/(e^{2πy/η} − 1)` is below the tolerance, where `wanted` is
    /// `log M(θ)` less the logarithm of the tolerance.
    fn frequency(&self, integrand: &Integrand, wanted: f64) -> Option<f64> {
        let (theta, turns) = (integrand.power.re, integrand.power.im.abs());
        let widest = WIDEST_CONE / self.range;
        // Without the cosine, (wanted + ay²)/y is least at y = √(wanted/a).
        let best = (wanted.max(1.0) / self.bend).sqrt();
        let log_growth = |y: f64| {
            let cosine = if theta < 0.0 && self.range > 0.0 { ln(cis(0.5 * self.range * y).re) } else { 0.0 };
            self.bend * y * y + turns * self.steepest * y + theta.min(0.0) * cosine
        };
        // 2/(e^x − 1) ≤ e^{0.74 − x} for x ≥ π.
        let frequency =
            |y: f64| (wanted + log_growth(y) + 0.74 + 1e-6 * (1.0 + log_growth(y).abs())).max(PI) / y;
        let candidates = (1..=6).map(|i| best.min(widest) * f64::from(i) / 6.0);
        let least = candidates.map(frequency).fold(f64::INFINITY, f64::min);
        least.is_finite().then_some(least)
    }
}
