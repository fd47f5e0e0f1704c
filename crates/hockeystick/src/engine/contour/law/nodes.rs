//! The nodes of a rule: equispaced over a whole line, piece by piece where a panel ends, and one for each atom.

use super::{
    equispaced::{self, Equispaced},
    rule::{LossNode, LossRule, Outside, RuleSpec},
};
use crate::pair::{
    Atom, Listing, Panel, Portion, RatioLaw,
    ratio_law::{
        cover::{Bounded, Bounds, Trimmed},
        integrand::Integrand,
        log_ratio::{self, Values},
        mgf::{LEFT_OUT, LEFT_OUT_BETWEEN},
        peak, portion,
        rectangle::Rectangle,
        side::Side,
    },
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{exp, expm1, ln, quick},
};
use num_complex::Complex;

impl RatioLaw {
    /// The rule for a line, which must be inside the strip; `None` if that takes too many nodes or there is no proof.
    ///
    /// Below a cut `M` exists everywhere. Above a cut errors are relative to the portion itself, and no error is given at −1. Only a law
    /// on the whole real line can be cut.
    ///
    /// # Guarantee
    /// With the nodes taken as exact, the sums are within the stated errors of `M` for every law whose coefficients are
    /// within 4 u of these. How far nodes may be off is said by each.
    pub fn rule(&self, line: RuleSpec, portion: Portion) -> Option<LossRule> {
        let z = |re: f64, im: f64| {
            let z = Complex::new(re, im);
            if self.swapped { -z } else { 1.0 + z }
        };
        let powers = [z(line.tilt, line.height), z(0.0, 0.0), z(-1.0, 0.0), z(line.beyond, 0.0)];
        let (low, high) = self.powers();
        let exists = |power: f64| low < power && power < high || (0.0..=1.0).contains(&power);
        if !powers.iter().all(|power| exists(power.re) && self.lists(power.re)) {
            return None;
        }
        let panels: Vec<(&Panel, [Integrand; 4])> = self
            .wide_panels()
            .map(|panel| (panel, powers.map(|power| Integrand::new(panel, power))))
            .collect();
        let whole_line = self.whole_line();
        let (is_cut, is_above) = (portion != Portion::Whole, portion.is_above());
        if is_cut && whole_line.is_none() {
            return None;
        }
        // At z, 0, −1 and λ. For what is below a cut, 0 and −1 need the whole law. For what is above it, 0 needs that only.
        let portions = [portion, if is_above { portion } else { Portion::Whole }, Portion::Whole, portion];
        let mut heights = [if is_above { f64::NEG_INFINITY } else { 0.0 }; 4];
        heights[3] = f64::NEG_INFINITY;
        let mut peaks = Vec::with_capacity(panels.len());
        for (panel, integrands) in &panels {
            let found: [peak::Peak; 4] =
                std::array::from_fn(|i| peak::of_portion(&integrands[i], portions[i], panel.from, panel.to));
            for (height, peak) in heights.iter_mut().zip(&found) {
                *height = height.max(peak.log_height + ln(peak.width));
            }
            peaks.push(found);
        }
        // The errors at 0 and −1 enter relative to M(c), multiplied by |z| at most.
        let size = ln(2.0 + line.tilt.abs() + line.height);
        let known = (heights[0] + line.log_tolerance - size).min(LOOSEST);
        let known = match (is_above, line.direct) {
            (true, _) => [heights[1] + line.log_tolerance_beyond, LOOSEST],
            (false, true) => [LOOSEST; 2],
            (false, false) => [known; 2],
        };
        let tolerances =
            [heights[0] + line.log_tolerance, known[0], known[1], heights[3] + line.log_tolerance_beyond];
        // At −1 nothing is said of what is above a cut, and of the laws themselves nothing if M is taken as it is.
        let is_needed =
            if is_above { [true, true, false, true] } else { [true, !line.direct, !line.direct, true] };
        let mut rule = LossRule {
            nodes: Vec::new(),
            log_error: f64::NEG_INFINITY,
            p_error: 0.0,
            q_error: 0.0,
            log_error_beyond: f64::NEG_INFINITY,
            outside: Outside::NOTHING,
        };
        let mut errors = [0.0; 4];
        for ((panel, integrands), peaks) in panels.iter().zip(peaks) {
            let family: [Bounded<'_>; 4] = std::array::from_fn(|i| Bounded {
                bend: portion.bend(),
                ..Bounded::new(&integrands[i], tolerances[i], portions[i])
            });
            let more = match equispaced::nodes(panel, &family, &peaks, whole_line, portion, is_needed) {
                Some(nodes) => self.add_equispaced(&mut rule, integrands, nodes, portion),
                None if is_cut => return None,
                None => [self.add_pieces(&mut rule, panel, &family, &peaks)?; 4],
            };
            errors = std::array::from_fn(|i| errors[i] + more[i]);
        }
        if !errors.iter().all(|error| error.is_finite()) {
            return None;
        }
        rule.nodes.extend(self.atoms.iter().filter_map(|atom| node_of_atom(atom, self.swapped)));
        let left_out = if self.listing == Listing::Everything { 0.0 } else { LEFT_OUT };
        let scaled = |i: usize| {
            if errors[i] == 0.0 && left_out == 0.0 {
                return f64::NEG_INFINITY;
            }
            let log = tolerances[i];
            if left_out == 0.0 {
                return ln(errors[i]) + log + 1e-9;
            }
            let unit = log.max(0.0);
            ln(errors[i] * exp(log - unit) + left_out * exp(-unit)) + unit + 1e-9
        };
        rule.log_error = scaled(0);
        rule.log_error_beyond = scaled(3);
        // At 0 and −1 the listing leaves out no more than LEFT_OUT_BETWEEN.
        let left_out = left_out.min(LEFT_OUT_BETWEEN);
        let [p_error, q_error] =
            [1, 2].map(|i| errors[i] * exp(tolerances[i] + 1e-9) + left_out + f64::MIN_POSITIVE);
        let or_unknown = |i: usize, error: f64| if is_needed[i] { error } else { f64::INFINITY };
        (rule.p_error, rule.q_error) = (or_unknown(1, p_error), or_unknown(2, q_error));
        if matches!(portion, Portion::Below(_)) {
            let known = rule.outside.widened(p_error, p_error + q_error);
            rule.outside = if line.direct { Outside::anything() } else { known };
        }
        Some(rule)
    }

    /// Adds equispaced nodes; returns what they leave, in units of the tolerances.
    ///
    /// The error e of an integral I is at most `t + a I`, in units of the tolerance: tails, and aliases in proportion to I. I is
    /// at most the sum S over its modulus plus e, so that `e ≤ (t + a S)/(1 − a)`, with a small a since a tolerance is small.
    fn add_equispaced(
        &self,
        rule: &mut LossRule,
        integrands: &[Integrand; 4],
        nodes: Equispaced,
        portion: Portion,
    ) -> [f64; 4] {
        let values = integrands[1].ratio.along(nodes.from, nodes.step, nodes.count);
        let Weighed { nodes: weighed, sums, outside, sizes, mut uncertain, skipped } =
            self.equispaced_nodes(integrands, &nodes, values.as_ref(), portion);
        if rule.nodes.is_empty() {
            rule.nodes = weighed;
        } else {
            rule.nodes.extend(weighed);
        }
        if skipped {
            // Neither P nor Q has more than 1, and the sums have no more than twice that.
            uncertain = uncertain.map(|error| error + 4.0 * portion::LEAST_REST);
        }
        let rounding = sizes.map(|size| UNIT_ROUNDOFF * (nodes.count as f64 + 4.0) * size);
        let known = Outside { p: Enclosure::point(outside[0]), surplus: Enclosure::point(outside[1]) };
        rule.outside = known.widened(1.01 * uncertain[0] + rounding[0], 1.01 * uncertain[1] + rounding[1]);
        std::array::from_fn(|i| 1.1 * (nodes.tails[i] + equispaced::ALIASES * sums[i].max(1.0)))
    }

    /// Some of the nodes, at values of `log r` if these are at hand.
    fn equispaced_nodes(
        &self,
        integrands: &[Integrand; 4],
        nodes: &Equispaced,
        values: Option<&Values>,
        portion: Portion,
    ) -> Weighed {
        let log_step = ln(nodes.step);
        let mut some = Weighed { nodes: Vec::with_capacity(nodes.count), ..Weighed::default() };
        for j in 0..nodes.count {
            let (x, ratio) = match values {
                Some(Values { places, logs, errors }) => {
                    (places[j], log_ratio::Value { log: logs[j], error: errors[j] })
                }
                None => {
                    let x = nodes.step.mul_add(j as f64, nodes.from);
                    (x, integrands[1].ratio.at(x, x.abs()))
                }
            };
            let mut node = node_with_ratio(&integrands[1], self.swapped, x, log_step, x.abs(), ratio);
            if let Portion::Below(cut) = portion {
                if cut.is_far_below(x) {
                    some.skipped = true;
                } else {
                    let rest = Portion::Above(cut).weighed(x, x.abs());
                    let log = node.log_p + rest.log;
                    let error = node.relative_error + UNIT_ROUNDOFF * (rest.error + 2.0 * log.abs());
                    let mass = exp(log);
                    let rise = expm1(-node.loss);
                    for (i, term) in [mass, mass * rise].into_iter().enumerate() {
                        some.outside[i] += term;
                        some.sizes[i] += term.abs();
                        some.uncertain[i] += term.abs() * (error + 4.0 * UNIT_ROUNDOFF);
                    }
                    // What the loss is off moves `e^{−L}`.
                    some.uncertain[1] += 1.1 * mass * (1.0 + rise) * node.loss_error;
                }
            }
            if portion != Portion::Whole {
                let weight = portion.weighed(x, x.abs());
                if weight.log == f64::NEG_INFINITY {
                    continue;
                }
                let units = weight.error + 2.0 * (node.log_p.abs() + weight.log.abs());
                node.log_p += weight.log;
                node.relative_error += 1.01 * UNIT_ROUNDOFF * units;
            }
            for i in [0, 3] {
                let z = if self.swapped { -integrands[i].power.re } else { integrands[i].power.re - 1.0 };
                some.sums[i] += quick::exp(node.log_p + z * node.loss - nodes.log_masses[i]);
            }
            some.nodes.push(node);
        }
        some
    }

    /// Adds certified pieces; returns what they leave, in units of the tolerances.
    fn add_pieces(
        &self,
        rule: &mut LossRule,
        panel: &Panel,
        family: &[Bounded<'_>; 4],
        peaks: &[peak::Peak; 4],
    ) -> Option<f64> {
        let integrand = family[1].integrand;
        let trimmed = family.iter().zip(peaks).map(|(bounds, peak)| Trimmed::new(panel, *peak, bounds));
        let partition = trimmed.reduce(Trimmed::with)?.limited_partition(MOST_INTERVALS, &Family(family));
        if partition.exhausted() {
            return None;
        }
        partition.nodes(|x, weight, radius| {
            rule.nodes.push(node_of_panel(integrand, self.swapped, x, ln(weight), radius));
        });
        // The mass misplaced by a rounded end may not cancel: it is added as a node of its own.
        for end in [panel.from, panel.to].into_iter().filter(|end| end.is_finite() && *end != 0.0) {
            rule.nodes.push(node_of_end(integrand, self.swapped, end));
        }
        Some(partition.error)
    }

    /// The largest z for which it [lists](Self::lists) the powers of all z up to there.
    pub(crate) fn largest_listed(&self) -> f64 {
        match self.listing {
            Listing::UpToPower(largest) => largest - 1.0,
            Listing::Everything | Listing::Nothing => f64::INFINITY,
        }
    }

    /// Is what the law leaves out negligible for this power?
    fn lists(&self, power: f64) -> bool {
        match self.listing {
            Listing::Everything => true,
            Listing::UpToPower(largest) => power.abs().max((1.0 - power).abs()) <= largest,
            Listing::Nothing => false,
        }
    }
}

/// Nodes, and what is summed over them.
#[derive(Default)]
struct Weighed {
    nodes: Vec<LossNode>,
    /// The sums over moduli, in units of their masses.
    sums: [f64; 4],
    /// Of P outside of the portion, and how much more of Q, which is a sum of terms of either sign.
    outside: [f64; 2],
    /// The sums over moduli of these terms.
    sizes: [f64; 2],
    /// What they may be off, but for the roundings of sums.
    uncertain: [f64; 2],
    /// Were some so far inside of the portion that next to nothing is outside?
    skipped: bool,
}

/// Intervals that are looked at: a rule that takes more is not worth its time.
const MOST_INTERVALS: usize = 2500;
/// The logarithm of the largest error that is of use where M is known to be 1 at most; its exponential must not overflow.
const LOOSEST: f64 = 300.0;

/// The largest of the bounds of several integrands, each in units of its own tolerance.
struct Family<'a>(&'a [Bounded<'a>; 4]);

impl Bounds for Family<'_> {
    fn inside(&self, rectangle: Rectangle) -> f64 {
        self.0.iter().map(|bounds| bounds.inside(rectangle)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn beyond(&self, x: f64, side: Side) -> f64 {
        self.0.iter().map(|bounds| bounds.beyond(x, side)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The node at `x` of a panel, with the logarithm of the weight of the rule.
///
/// Units of roundoff as in the moment generating function: those of the density, of `log r`, of `log w`, of the sums, and ten
/// for exp, the weight and products.
fn node_of_panel(integrand: &Integrand, swapped: bool, x: f64, log_weight: f64, radius: f64) -> LossNode {
    node_with_ratio(integrand, swapped, x, log_weight, radius, integrand.ratio.at(x, radius))
}

/// The same with `log r` at hand.
#[inline]
fn node_with_ratio(
    integrand: &Integrand,
    swapped: bool,
    x: f64,
    log_weight: f64,
    radius: f64,
    ratio: log_ratio::Value,
) -> LossNode {
    let log_q = integrand.log_q.at(x);
    let base = log_q + log_weight;
    let (loss, log_p) = if swapped { (-ratio.log, base) } else { (ratio.log, base + ratio.log) };
    let sizes = log_q.abs() + ratio.log.abs() + log_weight.abs();
    let units = integrand.density_error(radius) + ratio.error + 3.0 * sizes + 10.0;
    let error = UNIT_ROUNDOFF * units;
    LossNode { loss, loss_error: UNIT_ROUNDOFF * ratio.error, log_p, relative_error: error + error * error }
}

/// A node without mass of its own for a finite end, known to 4 u: up to `8u · |end| · density` is misplaced there.
///
/// Its mass is what may be misplaced, and its relative error is [`MISPLACED`].
fn node_of_end(integrand: &Integrand, swapped: bool, end: f64) -> LossNode {
    let log_mass = ln(8.0 * UNIT_ROUNDOFF * end.abs());
    let node = node_of_panel(integrand, swapped, end, 0.0, end.abs());
    LossNode { log_p: node.log_p + log_mass, relative_error: MISPLACED, ..node }
}

/// Marks a node that stands for misplaced mass: twice its mass, for it is counted as well as uncertain.
const MISPLACED: f64 = 2.0;

fn node_of_atom(atom: &Atom, swapped: bool) -> Option<LossNode> {
    let (p, loss) = if swapped { (atom.q, -atom.loss) } else { (atom.p, atom.loss) };
    if p.upper() <= 0.0 {
        return None;
    }
    let uncertain = 0.5 * p.width() / p.midpoint();
    // Where nothing is known but an upper bound, that is the mass, all of it uncertain.
    let (mass, uncertain) = if uncertain < 0.5 { (p.midpoint(), uncertain) } else { (p.upper(), 1.0) };
    let leading = loss.approximate();
    let rest = loss.enclosure() - leading;
    let loss_error = rest.upper().max(-rest.lower());
    let log_p = ln(mass);
    // q = p e^{−L}: the error of the loss enters once more.
    let rounding = UNIT_ROUNDOFF * (4.0 + 2.0 * log_p.abs() + leading.abs());
    let relative_error = uncertain * (1.0 + 1e-9) + rounding + loss_error;
    Some(LossNode { loss: leading, loss_error, log_p, relative_error })
}
