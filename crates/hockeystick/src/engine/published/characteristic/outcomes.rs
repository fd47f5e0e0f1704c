//! `φ` by plain Gaussian quadrature over the outcomes: the inner of the two quadratures.

use super::nodes::{Node, Outcomes};
use crate::pair::{DominatingPair, Listing, Outcome, Panel, Quadratic, RatioLaw};
use hockeystick_numerics::{enclosure::Enclosure, quadrature::gauss_legendre::GaussLegendre, special::exp};
use std::sync::OnceLock;

/// The points of a rule; an interval is divided into several.
const RULE: usize = 50;
/// Densities are truncated where they have decayed by e to this power.
const DECAY: f64 = 46.0;
/// The most doublings in the search for an end.
const MOVES: usize = 1100;

/// `∫ e^{it log(p/q)} p`, and atoms as they are. `None` if outcomes are not listed.
///
/// [Zhu22, App. E.2] prints the integral against q; that of `e^{it log(p/q)}` is against p.
pub(super) fn by_quadrature(pair: &dyn DominatingPair, points: usize) -> Option<Outcomes> {
    let mut outcomes =
        Outcomes { finite: pair.infinite_mass().complement().midpoint(), ..Outcomes::default() };
    for law in pair.ratio_laws() {
        if law.listing == Listing::Nothing {
            return None;
        }
        outcomes.atoms.extend(law.atoms.iter().map(|atom| {
            let (mass, loss) = if law.swapped { (atom.q, -atom.loss) } else { (atom.p, atom.loss) };
            Node { loss: loss.approximate(), mass: mass.midpoint() }
        }));
        for index in 0..law.panels.len() {
            outcomes.nodes.extend(panel_nodes(&law, index, points)?);
        }
    }
    Some(outcomes.measured())
}

/// The nodes of a panel, with the density of `P`.
fn panel_nodes(law: &RatioLaw, index: usize, points: usize) -> Option<Vec<Node>> {
    static GAUSS: OnceLock<Option<GaussLegendre>> = OnceLock::new();
    let rule = GAUSS.get_or_init(|| GaussLegendre::new(RULE).ok()).as_ref()?;
    let Some((from, to)) = extent(law, index, -DECAY) else { return Some(Vec::new()) };
    let pieces = (points / RULE).max(1);
    let radius = 0.5 * (to - from) / pieces as f64;
    let mut nodes = Vec::with_capacity(points);
    for piece in 0..pieces {
        let middle = from + radius * (2 * piece + 1) as f64;
        for (x, weight) in rule.nodes().iter().zip(rule.weights()) {
            let x = radius.mul_add(*x, middle);
            let (loss, log_p) = loss_and_log_p(law, index, x)?;
            nodes.push(Node { loss, mass: radius * weight * exp(log_p) });
        }
    }
    Some(nodes)
}

/// The loss of an outcome, and the logarithm of the density of `P` there.
fn loss_and_log_p(law: &RatioLaw, index: usize, x: f64) -> Option<(f64, f64)> {
    let loss = law.loss(Outcome::Point { panel: index, x })?.midpoint();
    let log_q = law.panels[index].log_q;
    let density = log_q.constant + x * (log_q.linear + x * log_q.square);
    // The panel has the density of whichever law the ratio is relative to.
    Some((loss, if law.swapped { density } else { density + loss }))
}

/// The part of a panel on which the larger of both densities is not below e to this power of its peak; `None` if it is empty.
pub(super) fn extent(law: &RatioLaw, index: usize, log_trim: f64) -> Option<(f64, f64)> {
    let panel = law.panels.get(index)?;
    let is_wide = panel.from < panel.to;
    if !is_wide || panel.ratio.is_empty() {
        return None;
    }
    let height = |x: f64| {
        let log_q = panel.log_q.constant + x * (panel.log_q.linear + x * panel.log_q.square);
        let loss = law.loss(Outcome::Point { panel: index, x }).map_or(0.0, Enclosure::midpoint);
        log_q + (if law.swapped { -loss } else { loss }).max(0.0)
    };
    let tops = tops(panel);
    let top = tops.iter().map(|&x| height(x)).fold(f64::NEG_INFINITY, f64::max);
    let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
    for &start in &tops {
        from = from.min(followed(start, -1.0, panel.from, |x| height(x) < top + log_trim));
        to = to.max(followed(start, 1.0, panel.to, |x| height(x) < top + log_trim));
    }
    (from < to).then_some((from, to))
}

/// Where the densities of `Q`, and of `P` term by term, are largest on the panel.
fn tops(panel: &Panel) -> Vec<f64> {
    let zero = Quadratic::default();
    let exponents = std::iter::once(&zero).chain(panel.ratio.iter().map(|(_, exponent)| exponent));
    let top = |exponent: &Quadratic| {
        let (linear, square) = (panel.log_q.linear + exponent.linear, panel.log_q.square + exponent.square);
        let at = if square < 0.0 {
            -0.5 * linear / square
        } else if linear > 0.0 {
            panel.to
        } else {
            panel.from
        };
        at.clamp(panel.from.max(-f64::MAX), panel.to.min(f64::MAX))
    };
    exponents.map(top).filter(|x| x.abs() < f64::MAX).collect()
}

/// The end of the panel, or a point beyond which the density is negligible, found by doubling steps.
fn followed(start: f64, sign: f64, end: f64, is_over: impl Fn(f64) -> bool) -> f64 {
    let reach = (end - start) * sign;
    if reach <= 0.0 {
        return start;
    }
    let mut step = 1e-3 * start.abs().max(1e-3);
    let mut last = 0.0;
    for _ in 0..MOVES {
        if step >= reach {
            return if end.is_finite() { end } else { start + sign * last };
        }
        if is_over(start + sign * step) {
            // Between the last two, to a few percent.
            let (mut inside, mut outside) = (last, step);
            for _ in 0..6 {
                let middle = 0.5 * (inside + outside);
                if is_over(start + sign * middle) { outside = middle } else { inside = middle }
            }
            return start + sign * outside;
        }
        last = step;
        step *= 2.0;
    }
    start + sign * last
}
