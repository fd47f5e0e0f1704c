//! Equispaced nodes on a panel over the whole line: the trapezoidal rule, which no other beats there.
//!
//! Where the log-density is quadratic and the exponents of the ratio are linear with slopes of one sign, the integrand is
//! analytic in a strip, and its modulus on the edge of the strip is the one on the line times a constant.

use super::{cuttable::WholeLine, moved_path::Cells};
use crate::{
    engine::contour::tuning::TUNING,
    pair::{
        Panel, Portion,
        ratio_law::{
            cover::{Bounded, Trimmed},
            integrand::Integrand,
            peak::Peak,
        },
    },
};
use hockeystick_numerics::special::{cis, exp, ln, ln_1p};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, PI, SQRT_2, TAU};

/// Equispaced nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Equispaced {
    pub(super) from: f64,
    pub(super) step: f64,
    pub(super) count: usize,
    /// What the tails leave of each integrand, in units of its tolerance.
    pub(super) tails: [f64; 4],
    /// Logarithms of masses: a sum is off by [`ALIASES`] tolerances for each such mass that the integral of its modulus has.
    pub(super) log_masses: [f64; 4],
}

/// What the trapezoidal rule leaves, in units of the tolerance, for an integral of the size that was expected.
pub(super) const ALIASES: f64 = 0.5;
/// From here on a bound that takes longer is worth it.
const MANY_NODES: f64 = 250.0;
/// What the segment from the end of a cut law to a moved path should contribute at most, as a logarithm in units of the tolerance.
const EDGE: f64 = -2.0;
/// Turns of the path that are tried, in units of the one at which the density gains a factor e: the first of these for which there is a
/// bound, and from there on smaller or larger ones, but none below the second.
const FIRST_TURNS: [f64; 5] = [2.0, 5.0, 12.0, 0.8, 0.3];
const LEAST_TURN: f64 = 0.12;
/// How close to π the arguments of two terms may come.
const WIDEST_CONE: f64 = 3.0;

/// The nodes for which all integrands of the family that are needed are within their tolerances; `None` if the panel is not of the kind, or
/// takes too many. Of those that are not needed nothing is said.
///
/// # Guarantee
/// On `Im x = y` the modulus is at most that on the line times `exp(a y² + |Im w| s y − θ₋ log cos(ρy/2))`, where `−a` is the
/// square of the log-density, s the steepest slope, ρ the range of slopes with `ρy < π`, and `θ₋ = max(−Re w, 0)`: see
/// `cone::log_bound`. So (Trefethen & Weideman 2014, Thm 5.1) the infinite sum with the step η is off by at most
/// `2 M(Re w)` times that over `e^{2πy/η} − 1`. Its tails are sums over functions below exponentials that fall, and hence below
/// the integrals that bound the tails of the integral.
///
/// Where that takes many nodes, the integral of the modulus off the line is bounded cell by cell instead: it is far smaller
/// where the ratio hardly turns.
pub(super) fn nodes(
    panel: &Panel,
    family: &[Bounded<'_>; 4],
    peaks: &[Peak; 4],
    line: Option<WholeLine>,
    portion: Portion,
    is_needed: [bool; 4],
) -> Option<Equispaced> {
    if panel.from.is_finite() || panel.to.is_finite() {
        return None;
    }
    let shape = Shape::of(family[0].integrand)?;
    let mut frequencies = [Frequency::NONE; 4];
    let mut log_masses = [0.0; 4];
    for i in 0..4 {
        // P and Q have no more than 1; how much the others have is checked once the sums are known.
        let is_law = i == 1 || i == 2;
        log_masses[i] =
            if is_law { 0.0 } else { peaks[i].log_height + ln(4.0 * peaks[i].width.max(shape.width)) };
        let wanted = log_masses[i] - family[i].log_tolerance - ln(ALIASES);
        frequencies[i] = shape.frequency(&family[i], wanted)?;
    }
    let each: [Trimmed; 4] = std::array::from_fn(|i| Trimmed::new(panel, peaks[i], &family[i]));
    let needed = each.into_iter().zip(is_needed).filter(|(_, is_needed)| *is_needed);
    let trimmed = needed.map(|(trimmed, _)| trimmed).reduce(Trimmed::with)?;
    let length = trimmed.to - trimmed.from;
    if let Some(line) = line {
        // Of the laws themselves there is no other bound.
        let least = (TAU * MANY_NODES / length).max(frequencies[1].value).max(frequencies[2].value);
        for i in [0, 3] {
            if frequencies[i].value > least
                && let Some(frequency) = by_cells(panel, &family[i], peaks[i], line)
                && frequency.value < frequencies[i].value
            {
                (frequencies[i], log_masses[i]) = (frequency, f64::INFINITY);
            }
        }
    }
    let step = TAU / frequencies.iter().map(|frequency| frequency.value).fold(0.0, f64::max);
    let count = (length / step).ceil();
    let is_few = portion.is_above() && family[0].integrand.power.re >= 0.0;
    let most = if is_few { TUNING.most_nodes_above } else { TUNING.most_nodes };
    if !(count < most && trimmed.error.is_finite()) {
        return None;
    }
    let nodes = Equispaced {
        from: trimmed.from,
        step,
        count: count as usize + 1,
        tails: each.map(|trimmed| trimmed.error),
        log_masses,
    };
    Some(if portion.end().is_finite() { nodes.ending(family, frequencies, line?, portion) } else { nodes })
}

/// `2π/η`, and the height y of the path that it was found with.
#[derive(Clone, Copy, Debug)]
struct Frequency {
    value: f64,
    height: f64,
}

impl Frequency {
    const NONE: Self = Self { value: 0.0, height: 0.0 };

    fn least(candidates: impl Iterator<Item = Self>) -> Option<Self> {
        candidates.min_by(|a, b| a.value.total_cmp(&b.value)).filter(|least| least.value.is_finite())
    }
}

impl Equispaced {
    /// The same with the end of a cut law half-way between two nodes.
    ///
    /// # Guarantee
    /// The sum over the nodes left of the end is off by the integral over the moved path and by that over the way from the end to it.
    fn ending(
        self,
        family: &[Bounded<'_>; 4],
        frequencies: [Frequency; 4],
        line: WholeLine,
        portion: Portion,
    ) -> Self {
        let end = portion.end();
        let before = ((end - self.from) / self.step).ceil().max(1.0) + 0.5;
        let from = (-self.step).mul_add(before, end);
        let count = self.count + ((self.from - from) / self.step).ceil() as usize + 1;
        let mut tails = self.tails;
        for i in 0..4 {
            let frequency = Frequency { value: TAU / self.step, height: frequencies[i].height };
            tails[i] += exp(log_edge(&family[i], frequency, line, portion));
        }
        Self { from, count, tails, ..self }
    }
}

/// The smallest `2π/η` found from the integral of the modulus on paths moved by several turns.
fn by_cells(panel: &Panel, bounds: &Bounded<'_>, found: Peak, line: WholeLine) -> Option<Frequency> {
    let Bounded { integrand, log_tolerance, portion, .. } = *bounds;
    let unit = line.slope / (line.bend + portion.bend()).sqrt();
    let log_scale = found.log_height + ln(found.width);
    // Up to here |r^w| falls towards large outcomes, if θ < 0.
    let steep = (-integrand.power.re).atan2(integrand.power.im.abs());
    let gentle = [0.45, 0.9].into_iter().map(|part| part * steep).filter(|turn| *turn > 0.0);
    let cells = Cells::new(panel, integrand, line, portion, found)?;
    let frequency = |turn: f64| {
        let moved = cells.path(turn, log_scale)?;
        let log = moved.log_growth(integrand.power.im.abs()) + log_scale - log_tolerance - ln(ALIASES);
        let height = turn / line.slope;
        // 2/(e^x − 1) ≤ e^{0.74 − x} for x ≥ π.
        let value = (log + 0.75 + 1e-12 * log_scale.abs()).max(PI) / height;
        // The way to the path leaves less if the frequency is higher, unless it is the end itself that leaves too much.
        let edge = log_edge(bounds, Frequency { value, height }, line, portion);
        let more = if edge > EDGE && edge < f64::INFINITY { (edge - EDGE) / height } else { 0.0 };
        let frequency = Frequency { value: value + more, height };
        (log_edge(bounds, frequency, line, portion) < 0.0).then_some(frequency)
    };
    let value = |frequency: &Option<Frequency>| frequency.map_or(f64::INFINITY, |found| found.value);
    let is_tried = |turn: f64| (LEAST_TURN * unit..WIDEST_CONE).contains(&turn);
    let first = FIRST_TURNS.iter().map(|first| first * unit).filter(|turn| is_tried(*turn));
    let (mut turn, mut best) =
        first.map(|turn| (turn, frequency(turn))).find(|(_, found)| found.is_some()).unwrap_or((0.0, None));
    let mut try_next = |factor: f64| {
        let next = Some(turn * factor).filter(|next| is_tried(*next)).map(|next| (next, frequency(next)));
        let better = next.filter(|(_, next)| value(next) < value(&best));
        if let Some(better) = better {
            (turn, best) = better;
        }
        better.is_some()
    };
    // First it falls, then it rises, but for paths of which nothing is known.
    for factors in [[2.0, 0.5], [SQRT_2, FRAC_1_SQRT_2]] {
        let is_farther = try_next(factors[0]);
        let towards = factors[usize::from(!is_farther)];
        if is_farther || try_next(towards) {
            while factors[0] == 2.0 && try_next(towards) {}
        }
    }
    let is_widest_near = best.is_none() || 2.0 * turn >= WIDEST_CONE;
    let widest = is_widest_near.then_some(WIDEST_CONE);
    Frequency::least(best.into_iter().chain(gentle.chain(widest).filter_map(frequency)))
}

/// The logarithm, in units of the tolerance, of what the way from the end of a cut law to a moved path leaves.
///
/// # Guarantee
/// The kernel there is at most `e^{−2πy/η}` on both sides, and `|f(e + iy)| ≤ f(e) exp(by² + |Im w| σs y)`, where σ is the share of
/// the moving term, or 1 if that is above one half: a convex exponent less `2πy/η`, largest at one of the ends. For θ < 0 there is
/// `θ/2 · log(1 − 4σ(1 − σ) sin²(sy/2))` more, convex up to `sy = π/2`: its second derivative by the angle has the sign of `A cos + B`, `A = 1 − 2σ(1 − σ) = 1 − B`.
fn log_edge(bounds: &Bounded<'_>, frequency: Frequency, line: WholeLine, portion: Portion) -> f64 {
    let end = portion.end();
    if end == f64::INFINITY {
        return f64::NEG_INFINITY;
    }
    let (integrand, height) = (bounds.integrand, frequency.height);
    let share = (integrand.ratio.derivatives(end)[1] / line.slope).clamp(0.0, 1.0) * (1.0 + 1e-9);
    let turning = integrand.power.im.abs() * if share > 0.5 { 1.0 } else { share } * line.slope;
    let turn = line.slope * height;
    let of_modulus = if integrand.power.re >= 0.0 {
        0.0
    } else if turn > FRAC_PI_2 {
        return f64::INFINITY;
    } else {
        let sine = cis(0.5 * turn).im;
        // A share is known to 10⁻⁹ of itself, and so is what is left of 1.
        let product = (share * ((1.0 - share).max(0.0) * (1.0 + 1e-9) + 4e-9)).min(0.25);
        0.5 * integrand.power.re * ln_1p(-4.0 * product * sine * sine) * (1.0 + 1e-12)
    };
    let exponent = ((line.bend + bounds.bend) * height + turning - frequency.value) * height + of_modulus;
    let at_end = integrand.log_modulus(end)[0] + portion.log_weight(end);
    let log = at_end + exponent.max(0.0) + ln(2.0 * height) - bounds.log_tolerance;
    log + integrand.slack(end.abs()) + 1e-9 + 1e-12 * (at_end.abs() + exponent.abs())
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
    fn frequency(&self, bounds: &Bounded<'_>, wanted: f64) -> Option<Frequency> {
        let integrand = bounds.integrand;
        let bend = self.bend + bounds.bend;
        let (theta, turns) = (integrand.power.re, integrand.power.im.abs());
        let widest = WIDEST_CONE / self.range;
        // Without the cosine, (wanted + ay²)/y is least at y = √(wanted/a).
        let best = (wanted.max(1.0) / bend).sqrt();
        let log_growth = |y: f64| {
            let cosine = if theta < 0.0 && self.range > 0.0 { ln(cis(0.5 * self.range * y).re) } else { 0.0 };
            bend * y * y + turns * self.steepest * y + theta.min(0.0) * cosine
        };
        // 2/(e^x − 1) ≤ e^{0.74 − x} for x ≥ π.
        let frequency =
            |y: f64| (wanted + log_growth(y) + 0.74 + 1e-6 * (1.0 + log_growth(y).abs())).max(PI) / y;
        let heights = (1..=6).map(|i| best.min(widest) * f64::from(i) / 6.0);
        Frequency::least(heights.map(|height| Frequency { value: frequency(height), height }))
    }
}
