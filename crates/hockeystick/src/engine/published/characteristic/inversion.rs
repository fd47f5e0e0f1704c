//! Lévy's formula by Gaussian quadrature: both distribution functions of the loss from their characteristic functions.

use super::composed::ComposedPhi;
use crate::curve::Budget;
use hockeystick_numerics::{
    quadrature::gauss_legendre::GaussLegendre,
    rounding::UNIT_ROUNDOFF,
    special::{cis, exp},
};
use num_complex::Complex;
use std::{
    f64::consts::{PI, TAU},
    fmt,
    sync::OnceLock,
};

/// The points of a rule, and of the one that it is compared with.
const POINTS: usize = 20;
const FEWER_POINTS: usize = 16;
/// The oscillations of the integrand per rule: the relative error of 16 points is then 10⁻¹⁸.
const TURNS: f64 = 2.0;
/// Losses farther than this many deviations from the mean oscillate faster than the rules resolve.
const DEVIATIONS: f64 = 12.0;
/// `|φ|` below e to this power is below the round-off of a sum.
pub(super) const DECAYED: f64 = -34.5;
/// Where `|φ|` does not decay it is tapered off by this many deviations of a normal factor.
const TAPER: f64 = 8.5;
/// The most that `y Φ(−y)` is, rounded up.
const SMEARED: f64 = 0.171;

/// What was integrated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InversionPlan {
    /// The values of each characteristic function.
    pub nodes: usize,
    /// The largest frequency.
    pub cutoff: f64,
    /// The deviation of the normal noise that stands for the limit in Lévy's formula where φ does not decay; else 0.
    pub smear: f64,
}

impl fmt::Display for InversionPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes up to frequency {:.3e}", self.nodes, self.cutoff)?;
        if self.smear > 0.0 {
            write!(f, ", tapered as if losses were blurred by {:.1e}", self.smear)
        } else {
            Ok(())
        }
    }
}

/// The integrals of Lévy's formula for both laws, ready for any `ε` up to the one they were made for.
///
/// # Accuracy
/// An estimate. It is compared with a rule of fewer points; what that misses as well is not seen. Where atoms keep `|φ|`
/// from decaying, `lim_{T→∞}` is taken with the factor `e^{−s²t²/2}`: that blurs losses by s, which moves δ by at most
/// `0.171·s` times the mass near ε. On an atom both distribution functions are the middle of their jump; these halves cancel
/// in δ, for `P(L = ε) = e^ε Q(L = ε)`.
#[derive(Clone, Debug)]
pub(super) struct Inversion {
    nodes: Vec<Node>,
    fewer: Vec<Node>,
    /// `φ(0)` and `φ′(0)`.
    finite: [f64; 2],
    infinite: f64,
    pub(super) plan: InversionPlan,
}

/// `w φ(t)/(πt)` and `w φ′(t)/(πt)`, and estimates of their errors.
#[derive(Clone, Copy, Debug)]
struct Node {
    t: f64,
    p: Complex<f64>,
    q: Complex<f64>,
    p_error: f64,
    q_error: f64,
}

/// The largest frequency that this many nodes reach, for an `ε` of this size.
pub(super) fn highest(p: (f64, f64), q: (f64, f64), epsilon: f64, nodes: usize) -> f64 {
    nodes as f64 / POINTS as f64 * TURNS * TAU / reach(p, q, epsilon)
}

/// The frequency of the integrands: the distance of ε from the losses.
fn reach((mean_p, deviation_p): (f64, f64), (mean_q, deviation_q): (f64, f64), epsilon: f64) -> f64 {
    // Under Q the loss is asked with the other sign, at −ε.
    let p = mean_p.abs().max((epsilon - mean_p).abs()) + DEVIATIONS * deviation_p;
    let q = mean_q.abs().max((epsilon + mean_q).abs()) + DEVIATIONS * deviation_q;
    p.max(q).max(1e-12)
}

impl Inversion {
    /// Integrates up to `cutoff`, for both laws or for one that is equivalent to the other; with a taper unless `has_decayed` there. `None` only if there are no rules.
    pub(super) fn new(
        p: &ComposedPhi,
        q: Option<&ComposedPhi>,
        infinite: f64,
        epsilon: f64,
        cutoff: f64,
        has_decayed: bool,
    ) -> Option<Self> {
        static RULES: OnceLock<Option<[GaussLegendre; 2]>> = OnceLock::new();
        let rules = RULES
            .get_or_init(|| Some([GaussLegendre::new(POINTS).ok()?, GaussLegendre::new(FEWER_POINTS).ok()?]));
        let [rule, fewer] = rules.as_ref()?;
        let other = q.unwrap_or(p);
        let reach = reach((p.mean, p.deviation), (other.mean, other.deviation), epsilon);
        let panels = (cutoff * reach / (TURNS * TAU)).ceil().max(1.0) as usize;
        let smear = if has_decayed { 0.0 } else { TAPER / cutoff };
        let plan = InversionPlan { nodes: panels * POINTS, cutoff, smear };
        let nodes = |rule: &GaussLegendre| nodes(p, q, rule, panels, plan);
        Some(Self {
            nodes: nodes(rule),
            fewer: nodes(fewer),
            finite: [p.finite, other.finite],
            infinite,
            plan,
        })
    }

    /// An estimate of `δ(ε) = P(L = ∞) + P(ε < L < ∞) − e^ε Q(−L < −ε)`.
    pub(super) fn value(&self, epsilon: f64) -> f64 {
        self.by(&self.nodes, epsilon)
    }

    fn by(&self, nodes: &[Node], epsilon: f64) -> f64 {
        let tails = self.tails(nodes, epsilon);
        self.infinite + tails.above - exp(epsilon) * tails.below
    }

    /// An estimate of its error and the sources.
    pub(super) fn error(&self, epsilon: f64) -> Budget {
        let (factor, smear) = (exp(epsilon), self.plan.smear);
        let truncation = if smear > 0.0 {
            let above = |x: f64| self.tails(&self.nodes, x).above;
            let near = above(epsilon - TAPER * smear) - above(epsilon + TAPER * smear);
            SMEARED * smear * (near.abs() + exp(DECAYED))
        } else {
            exp(DECAYED) * (1.0 + factor)
        };
        let mut roundoff = 4.0 * UNIT_ROUNDOFF;
        for Node { t, p, q, p_error, q_error } in &self.nodes {
            let turned = UNIT_ROUNDOFF * (4.0 + t * epsilon.abs());
            roundoff += p_error + p.norm() * turned + factor * (q_error + q.norm() * turned);
        }
        let quadrature = (self.value(epsilon) - self.by(&self.fewer, epsilon)).abs();
        Budget { truncation, quadrature, roundoff, ..Budget::default() }
    }

    /// `−dδ/dε = e^ε Q(L > ε)`.
    pub(super) fn slope(&self, epsilon: f64) -> f64 {
        exp(epsilon) * self.tails(&self.nodes, epsilon).below
    }

    /// `φ(0)/2 ± (1/π) ∫₀^∞ Im(e^{−itx} φ(t)) dt/t` of both laws.
    fn tails(&self, nodes: &[Node], epsilon: f64) -> Tails {
        let (mut p, mut q) = (0.0, 0.0);
        for node in nodes {
            let turn = cis(node.t * epsilon);
            p += (turn.conj() * node.p).im;
            q += (turn * node.q).im;
        }
        Tails { above: 0.5 * self.finite[0] + p, below: 0.5 * self.finite[1] - q }
    }
}

/// The mass of the finite losses above ε under `P`, and of those with the other sign below −ε under `Q`.
#[derive(Clone, Copy, Debug)]
struct Tails {
    above: f64,
    below: f64,
}

fn nodes(
    p: &ComposedPhi,
    q: Option<&ComposedPhi>,
    rule: &GaussLegendre,
    panels: usize,
    plan: InversionPlan,
) -> Vec<Node> {
    let radius = 0.5 * plan.cutoff / panels as f64;
    let mut nodes = Vec::with_capacity(panels * rule.nodes().len());
    for panel in 0..panels {
        let middle = radius * (2 * panel + 1) as f64;
        for (x, weight) in rule.nodes().iter().zip(rule.weights()) {
            let t = radius.mul_add(*x, middle);
            let taper = exp(-0.5 * (plan.smear * t) * (plan.smear * t));
            let scale = radius * weight / (PI * t) * taper;
            let p = p.value(t);
            let q = q.map_or(p, |q| q.value(t));
            nodes.push(Node {
                t,
                p: p.phi * scale,
                q: q.phi * scale,
                p_error: p.error * scale,
                q_error: q.error * scale,
            });
        }
    }
    nodes
}
