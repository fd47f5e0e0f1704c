//! Finitely many outcomes in place of a law: good for searches near one order. Nothing rigorous rests on it.

use super::{Atom, Panel, RatioLaw, integrand::Integrand, partition::Partition, peak};
use hockeystick_numerics::special::{exp, ln};
use num_complex::Complex;

/// A hump is followed for this many of its widths to each side.
const REACH: f64 = 9.0;
/// A piece of the rule is about this many widths long.
const PIECE: f64 = 8.0;
/// Humps that are farther apart than this many pieces are integrated one by one, without what is between them.
const MOST_PIECES: f64 = 6.0;
/// An exponential is followed until it has fallen by e to this power.
const DECAY: f64 = 40.0;

/// Outcomes with losses `Lⱼ` and weights such that `M(λ) ≈ Σ wⱼ e^{λLⱼ}` for orders λ near the one it was made for.
#[derive(Clone, Debug)]
pub struct RoughLaw {
    points: Vec<Point>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    log_weight: f64,
    loss: f64,
}

impl RatioLaw {
    /// A law of finitely many outcomes whose moments are about those of this one, for orders near `lambda`.
    pub fn rough(&self, lambda: f64) -> RoughLaw {
        let power = if self.swapped { -lambda } else { 1.0 + lambda };
        let mut points: Vec<Point> = self.atoms.iter().map(|atom| self.of_atom(atom)).collect();
        for panel in self.wide_panels() {
            self.add_panel(panel, power, &mut points);
        }
        points.retain(|point| point.log_weight.is_finite() && point.loss.is_finite());
        RoughLaw { points }
    }

    fn of_atom(&self, atom: &Atom) -> Point {
        let loss = atom.loss.approximate();
        if self.swapped {
            Point { log_weight: ln(atom.q.midpoint()), loss: -loss }
        } else {
            Point { log_weight: ln(atom.p.midpoint()), loss }
        }
    }

    fn add_panel(&self, panel: &Panel, power: f64, points: &mut Vec<Point>) {
        let integrand = Integrand::new(panel, Complex::new(power, 0.0));
        let partition = Partition::unproven(pieces(&integrand, panel));
        partition.nodes(|x, weight, radius| {
            let log_ratio = integrand.ratio.at(x, radius).log;
            let log_q = integrand.log_q.at(x) + ln(weight);
            points.push(if self.swapped {
                Point { log_weight: log_q, loss: -log_ratio }
            } else {
                Point { log_weight: log_q + log_ratio, loss: log_ratio }
            });
        });
    }
}

/// Pieces that cover what matters of the integrand, as far as can be told from its terms: each has its own hump, and where it
/// is the largest term so has the integrand.
fn pieces(integrand: &Integrand, panel: &Panel) -> Vec<(f64, f64)> {
    let mut humps: Vec<(f64, f64)> = Vec::new();
    let mut shortest = f64::INFINITY;
    for term in &integrand.ratio.terms {
        let sum = integrand.log_q.plus(integrand.power.re, term.exponent);
        let (at, width) = if sum.square < 0.0 {
            (-0.5 * sum.linear / sum.square, (-2.0 * sum.square).sqrt().recip())
        } else {
            // No hump, but a slope: it starts at the higher end.
            let end = if sum.linear > 0.0 { panel.to } else { panel.from };
            (end, DECAY / REACH / sum.linear.abs())
        };
        let at = at.clamp(panel.from, panel.to);
        if at.is_finite() && width > 0.0 {
            let width = width.min(panel.to - panel.from);
            shortest = shortest.min(width);
            humps.push((at - REACH * width, at + REACH * width));
        }
    }
    let peak = peak::find(integrand, panel.from, panel.to);
    let width = if shortest.is_finite() { shortest } else { peak.width };
    humps.push((peak.at - REACH * width, peak.at + REACH * width));
    let clipped = |(from, to): (f64, f64)| (from.max(panel.from), to.min(panel.to));
    let mut humps: Vec<(f64, f64)> = humps.into_iter().map(clipped).filter(|(from, to)| from < to).collect();
    humps.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f64, f64)> = Vec::new();
    for (from, to) in humps {
        match merged.last_mut() {
            Some(last) if from - last.1 <= MOST_PIECES * PIECE * width => last.1 = last.1.max(to),
            Some(_) | None => merged.push((from, to)),
        }
    }
    merged
        .into_iter()
        .flat_map(|(from, to)| {
            let count = ((to - from) / (PIECE * width)).ceil().clamp(1.0, 100.0);
            let step = (to - from) / count;
            (0..count as usize).map(move |i| (from + step * i as f64, from + step * (i + 1) as f64))
        })
        .collect()
}

impl RoughLaw {
    /// About `K(λ) = log M(λ)`; `NaN` or −∞ where nothing is known.
    pub fn log_moment(&self, lambda: f64) -> f64 {
        let exponent = |point: &Point| lambda.mul_add(point.loss, point.log_weight);
        let largest = self.points.iter().map(exponent).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self.points.iter().map(|point| exp(exponent(point) - largest)).sum();
        largest + ln(sum)
    }
}
