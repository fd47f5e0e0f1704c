//! Nodes for `M` on a stretch of the real axis, in plain floats: for searches. Nothing is proven with them.

use crate::pair::{
    Listing, Panel, Portion, RatioLaw,
    ratio_law::{
        cover::{Bounded, Trimmed},
        integrand::Integrand,
        peak,
    },
};
use hockeystick_numerics::{limits::check, quadrature::gauss_legendre::GaussLegendre, special::ln};
use num_complex::Complex;
use std::sync::LazyLock;

/// Points of the rule on each piece, and the length of a piece in units of the narrowest peak.
const POINTS: usize = 12;
const LENGTH: f64 = 4.0;
/// No more pieces than this.
const MOST_PIECES: f64 = 400.0;
/// How far the mass is from its peak under the largest tilt, in widths, and how many pieces that is cut into.
const PEAK_REACH: f64 = 12.0;
const PIECES_OF_PEAK: f64 = 4.0;
/// Between the ends of the line equispaced nodes will do: their distance in units of the narrowest peak, or of the distance over
/// which a ratio grows by e (it vanishes π of them off the line), and how many there are at most.
const STEP: f64 = 1.0;
const MOST_NODES: f64 = 1000.0;

static RULE: LazyLock<GaussLegendre> =
    LazyLock::new(|| GaussLegendre::new(POINTS).expect("the rule is among those offered"));

impl RatioLaw {
    /// `(L, log p)` such that `M(z) ≈ Σ p e^{zL}` for `−1 ≤ z ≤ reach`, but for mass below `e^{log_trim}` of the peaks.
    ///
    /// Unlike a certified rule it covers everything in between, so that a search finds no gaps. `None` outside the strip.
    pub fn sketch(&self, reach: f64, log_trim: f64, portion: Portion) -> Option<Vec<(f64, f64)>> {
        check();
        let power = |z: f64| if self.swapped { -z } else { 1.0 + z };
        let (low, high) = self.powers();
        if self.listing == Listing::Nothing || !(low < power(reach) && power(reach) < high) {
            return None;
        }
        let mut nodes = Vec::new();
        for panel in self.wide_panels() {
            of_panel(
                panel,
                [power(-1.0), power(0.0), power(reach)],
                self.swapped,
                log_trim,
                portion,
                &mut nodes,
            );
        }
        nodes.extend(self.atoms.iter().map(|atom| {
            let (p, loss) = if self.swapped { (atom.q, -atom.loss) } else { (atom.p, atom.loss) };
            (loss.approximate(), ln(p.midpoint()))
        }));
        Some(nodes)
    }
}

fn of_panel(
    panel: &Panel,
    powers: [f64; 3],
    swapped: bool,
    log_trim: f64,
    portion: Portion,
    nodes: &mut Vec<(f64, f64)>,
) {
    let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut last = (from, to);
    for power in powers {
        let integrand = Integrand::new(panel, Complex::new(power, 0.0));
        let found = peak::of_portion(&integrand, portion, panel.from, panel.to);
        let log_tolerance = found.log_height + ln(found.width) + log_trim;
        let trimmed = Trimmed::new(panel, found, &Bounded::new(&integrand, log_tolerance, portion));
        (from, to) = (from.min(trimmed.from), to.max(trimmed.to));
        let reach = PEAK_REACH * found.width;
        last = ((found.at - reach).max(trimmed.from), (found.at + reach).min(trimmed.to));
    }
    let integrand = Integrand::new(panel, Complex::new(0.0, 0.0));
    let steepest = integrand.ratio.terms.iter().map(|term| term.exponent.linear.abs()).fold(0.0, f64::max);
    let squares = integrand.squares[0].abs().max(integrand.squares[1].abs());
    let lowest = powers.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = powers.iter().copied().fold(0.0, |a: f64, b| a.max(b.abs()));
    // How sharp the sharpest peak can be: log-densities bend at most this much.
    let bend = 2.0 * (integrand.log_q.square.abs() + portion.bend())
        + (-lowest).max(0.0) * steepest * steepest / 4.0
        + 2.0 * largest * squares;
    let narrowest = if bend > 0.0 { 1.0 / bend.sqrt() } else { to - from };
    let mut push = |x: f64, log_weight: f64| {
        let log = integrand.ratio.plain(x);
        let base = integrand.log_q.at(x) + log_weight + portion.log_weight_roughly(x);
        nodes.push(if swapped { (-log, base) } else { (log, base + log) });
    };
    // Next to nothing is left where a cut ends, unless the largest tilt has the mass there.
    let is_smooth = panel.from == f64::NEG_INFINITY && panel.to == f64::INFINITY && last.1 < portion.end();
    let count = ((to - from) / (STEP * narrowest.min(1.0 / steepest))).ceil();
    if is_smooth && count < MOST_NODES {
        let step = (to - from) / count;
        let log_step = ln(step);
        (0..=count as usize).for_each(|i| push(from + step * i as f64, log_step));
        return;
    }
    let pieces = ((to - from) / (LENGTH * narrowest)).ceil().clamp(2.0, MOST_PIECES);
    let length = (to - from) / pieces;
    for (from, to) in pieces_around(last, (from, to), length) {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        for (node, weight) in RULE.nodes().iter().zip(RULE.weights()) {
            push(middle + half * node, ln(half * weight));
        }
    }
}

/// Pieces of an interval, no longer than `longest`: short ones around the peak under the largest tilt, longer ones farther off. Under a
/// large tilt a density with an end has its mass next to that end.
fn pieces_around(peak: (f64, f64), whole: (f64, f64), longest: f64) -> Vec<(f64, f64)> {
    let short = (peak.1 - peak.0) / PIECES_OF_PEAK;
    if !(short > 0.0 && short < longest) {
        return even(whole, longest);
    }
    let mut pieces = even(peak, short);
    for (mut at, end) in [(peak.0, whole.0), (peak.1, whole.1)] {
        let mut length = short;
        while (end - at).abs() > 1e-9 * longest && pieces.len() < 2 * MOST_PIECES as usize {
            length = (2.0 * length).min(longest);
            let next = at + length.min((end - at).abs()).copysign(end - at);
            pieces.push((at.min(next), at.max(next)));
            at = next;
        }
    }
    pieces
}

fn even((from, to): (f64, f64), longest: f64) -> Vec<(f64, f64)> {
    let count = ((to - from) / longest * (1.0 - 1e-9)).ceil().clamp(1.0, MOST_PIECES);
    let at = |i: f64| from + (to - from) * (i / count);
    (0..count as usize).map(|i| (at(i as f64), at(i as f64 + 1.0))).collect()
}
