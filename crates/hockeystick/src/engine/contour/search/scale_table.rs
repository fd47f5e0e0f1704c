//! Estimates, in plain floats, of how much each scale of losses contributes to g(ε). For searches.
//!
//! `K` of the losses below a cut is tabulated for some cuts and tilts. From the table a saddle-point estimate takes microseconds. At a jump
//! of `K` the estimate for the whole law is wrong, but those for narrow ranges of losses are not.

use super::{Sketch, scaled_losses::ScaledLosses};
use crate::engine::contour::{factors::Factors, tuning::TUNING};
use hockeystick_numerics::special::quick::{exp, expm1, ln, ln_1p};
use std::f64::consts::TAU;

/// `K` for losses below each of several cuts.
#[derive(Clone, Debug)]
pub(crate) struct ScaleTable {
    /// From the largest loss that matters down.
    cuts: Vec<f64>,
    /// `ln c`, equally spaced, and `c`.
    log_tilts: Vec<f64>,
    tilts: Vec<f64>,
    /// `K(c)` of the losses below a cut.
    log_moments: Vec<Vec<f64>>,
    /// By how much `K(c)` decreases from a cut to the next.
    steps: Vec<Vec<f64>>,
    /// `log F(c)/(c(c + 1))` of outcomes with a loss between a cut and the next, and of those with none above the last.
    slices: Vec<Vec<f64>>,
    parts: Vec<ScaledLosses>,
    /// The number of slices, from the first on, in which a loss is a rare event.
    rare: usize,
    /// Mean and deviation of the sum of all smaller losses.
    usual: [f64; 2],
    /// The deviation of all that is below the last cut.
    deviation: f64,
}

/// So many deviations of a normal law resolve it.
const RESOLVED: f64 = 8.0;
/// Three points and weights that stand for a normal law.
const NORMAL_POINTS: [(f64, f64); 3] = [(-1.732, 1.0 / 6.0), (0.0, 2.0 / 3.0), (1.732, 1.0 / 6.0)];
/// The most cuts.
const MOST_CUTS: usize = 48;
/// The smallest tilt is this over the largest loss.
const LEAST_EXPONENT: f64 = 0.02;
/// The largest tilt is this over the smallest cut,
const LARGEST_EXPONENT: f64 = 150.0;
/// or this over the deviation, if that is smaller.
const DEVIATIONS: f64 = 30.0;
const MOST_TILTS: usize = 250;
/// How far apart a slope is taken, in proportion.
const FALL_STEP: f64 = 0.05;
/// Halvings of an interval of logarithms.
const HALVINGS: usize = 30;

impl ScaleTable {
    /// For outcomes of more than `e^{log_mass}`; `None` if no pair can be cut.
    pub(crate) fn new(factors: &Factors, log_mass: f64) -> Option<Self> {
        let factors = factors.for_search();
        let largest = factors.loss_of_mass(log_mass)?;
        let parts: Vec<ScaledLosses> =
            factors.others.iter().filter_map(|factor| ScaledLosses::new(factor, largest)).collect();
        if parts.is_empty() {
            return None;
        }
        let whole = factors.without_cut();
        let mut cuts = vec![largest];
        while cuts.len() < MOST_CUTS {
            let next = cuts[cuts.len() - 1] / TUNING.cut_ratio;
            let above: f64 = parts.iter().map(|part| part.count * part.above(next)[0]).sum();
            cuts.push(next);
            if above > TUNING.many_losses {
                break;
            }
        }
        let smallest = cuts[cuts.len() - 1];
        let variance =
            factors.normal + parts.iter().map(|part| part.count * part.square(smallest)).sum::<f64>();
        let deviation = variance.sqrt();
        let least = ln((LEAST_EXPONENT / largest).min(0.01 * whole.strip_end()));
        let most =
            ln((LARGEST_EXPONENT / smallest).min(DEVIATIONS / deviation).max(LARGEST_EXPONENT / largest));
        let most = most.min(ln(0.9 * whole.strip_end()));
        let sketch = Sketch::new(&whole, exp(most))?;
        let count = (((most - least) / TUNING.tilt_step).ceil() as usize).clamp(8, MOST_TILTS);
        let step = (most - least) / count as f64;
        let log_tilts: Vec<f64> = (0..=count).map(|i| step.mul_add(i as f64, least)).collect();
        let column = |log_tilt: &f64| {
            let tilt = exp(*log_tilt);
            let (mut log_moments, mut steps) =
                (vec![sketch.at(tilt).value; cuts.len()], vec![0.0; cuts.len()]);
            for part in &parts {
                part.add(tilt, &cuts, |cut, log_moment, step| {
                    log_moments[cut] += log_moment;
                    steps[cut] += step;
                });
            }
            [log_moments, steps]
        };
        let columns: Vec<_> = log_tilts.iter().map(column).collect();
        let rows = |which: usize| -> Vec<Vec<f64>> {
            let row = |cut: usize| columns.iter().map(|column| column[which][cut]).collect();
            (0..cuts.len()).map(row).collect()
        };
        let (log_moments, steps) = (rows(0), rows(1));
        let tilts = log_tilts.iter().map(|log| exp(*log)).collect();
        let number = |cut: f64| parts.iter().map(|part| part.count * part.above(cut)[0]).sum::<f64>();
        let rare = cuts[1..].iter().take_while(|cut| number(**cut) < TUNING.rare).count();
        let sum =
            |of: &dyn Fn(&ScaledLosses) -> f64| parts.iter().map(|part| part.count * of(part)).sum::<f64>();
        let usual = [
            sum(&|part| part.mean(cuts[rare])),
            (factors.normal + sum(&|part| part.square(cuts[rare]))).sqrt(),
        ];
        let mut table = Self {
            cuts,
            log_tilts,
            tilts,
            log_moments,
            steps,
            slices: Vec::new(),
            parts,
            rare,
            usual,
            deviation,
        };
        let last = table.cuts.len() - 1;
        let row = |log: &dyn Fn(usize) -> f64| {
            (0..table.tilts.len()).map(|i| table.with_kernel(i, log(i))).collect::<Vec<f64>>()
        };
        let slices = (0..last).map(|cut| row(&|i| table.log_hits(cut, cut + 1, i)));
        let slices = slices.chain([row(&|i| table.log_moments[last][i])]).collect();
        table.slices = slices;
        Some(table)
    }

    pub(crate) fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// The logarithm of an estimate of g(ε) for outcomes with a loss between two cuts and none above, and the tilt of its saddle, or of the
    /// largest integrand up to a tilt.
    pub(crate) fn between(&self, high: usize, low: usize, epsilon: f64, most_tilt: f64) -> (f64, f64) {
        self.saddle(epsilon, most_tilt, |i| self.with_kernel(i, self.log_hits(high, low, i)))
    }

    /// Is a tilt at the end of the table? Then the integrand still falls there, and the estimate is too large.
    pub(crate) fn is_last(&self, tilt: f64) -> bool {
        tilt >= self.tilts[self.tilts.len() - 2]
    }

    /// For each slice with an estimate above `e^{log_least}`: its largest loss, and the tilt of its saddle, or the smallest tilt at which its
    /// integrand is at most `e^{log_little}`.
    pub(crate) fn tilted_cuts(
        &self,
        epsilon: f64,
        log_least: f64,
        log_little: f64,
    ) -> impl Iterator<Item = (f64, f64)> {
        (0..self.cuts.len() - 1).filter_map(move |cut| {
            let (log, tilt) = self.saddle(epsilon, f64::INFINITY, |i| self.slices[cut][i]);
            if log <= log_least || self.is_last(tilt) {
                return None;
            }
            // It falls up to the saddle.
            let is_little = |i: usize| self.slices[cut][i] - self.tilts[i] * epsilon <= log_little;
            let enough = (0..self.tilts.len()).take_while(|i| self.tilts[*i] < tilt).find(|i| is_little(*i));
            Some((self.cuts[cut], enough.map_or(tilt, |i| self.tilts[i])))
        })
    }

    /// `log F` of outcomes with a loss between two cuts.
    fn log_hits(&self, high: usize, low: usize, i: usize) -> f64 {
        let below = self.log_moments[low][i];
        let more: f64 = self.steps[high..low].iter().map(|step| step[i]).sum();
        below + if more > 30.0 { more } else { ln(expm1(more)) }
    }

    /// The same for outcomes with no loss above a cut.
    pub(crate) fn below(&self, cut: usize, epsilon: f64, most_tilt: f64) -> (f64, f64) {
        self.saddle(epsilon, most_tilt, |i| self.with_kernel(i, self.log_moments[cut][i]))
    }

    /// The same for ranges of losses, one after the other, from a cut on down.
    pub(crate) fn apart(&self, from: usize, to: usize, epsilon: f64) -> f64 {
        let last = self.cuts.len() - 1;
        let to = if to > last { self.slices.len() } else { to };
        let each: Vec<f64> = self.slices[from..to]
            .iter()
            .map(|slice| self.saddle(epsilon, f64::INFINITY, |i| slice[i]).0)
            .collect();
        log_sum(&each)
    }

    /// The logarithm of an estimate of g(ε). Where a loss is rare, one has to do, and sums over it are better than a saddle point.
    pub(crate) fn log_delta(&self, epsilon: f64) -> f64 {
        let each: Vec<f64> = (self.slices.iter().enumerate())
            .map(|(cut, slice)| {
                let (log, _) = self.saddle(epsilon, f64::INFINITY, |i| slice[i]);
                let single = if cut < self.rare { ln(self.single(cut, epsilon)) } else { f64::NAN };
                if (single - log).abs() < TUNING.similar { single } else { log }
            })
            .collect();
        log_sum(&each)
    }

    /// The same for one loss between a cut and the next, and smaller ones besides.
    fn single(&self, cut: usize, epsilon: f64) -> f64 {
        let [mean, deviation] = self.usual;
        let all = |x: f64| -> f64 {
            self.parts
                .iter()
                .map(|part| part.count * part.excess(x, self.cuts[cut + 1]..self.cuts[cut]))
                .sum()
        };
        NORMAL_POINTS.iter().map(|(at, weight)| weight * all(epsilon - mean - at * deviation)).sum()
    }

    /// The height, in units of the tilt, of a line that resolves enough of the losses below a cut: `1/(cL)`, L being the largest loss with
    /// enough losses between it and the cut. No more than resolves the sum of all losses below the last cut.
    pub(crate) fn resolution(&self, cut: usize, tilt: f64) -> f64 {
        let i = self.tilts.partition_point(|other| *other < tilt).min(self.tilts.len() - 1);
        let mut sum = 0.0;
        let enough = self.steps[cut..].iter().position(|step| {
            sum += step[i];
            sum > TUNING.resolved_losses
        });
        let at = enough.map_or(self.cuts.len() - 1, |steps| (cut + steps + 1).min(self.cuts.len() - 1));
        (1.0 / (tilt * self.cuts[at])).min(RESOLVED / (tilt * self.deviation))
    }

    /// An estimate of the ε with `g(ε) = e^{log_delta}`; almost 0 if g(0) is smaller, `None` if g is larger at every ε tried.
    pub(crate) fn epsilon(&self, log_delta: f64) -> Option<f64> {
        let (mut low, mut high) = (ln(self.cuts[0] * 1e-10), ln(self.cuts[0] * 1e4));
        let all = |log_epsilon: f64| self.log_delta(exp(log_epsilon));
        if all(low) <= log_delta {
            return Some(exp(low));
        }
        let is_less_at_last = all(high) < log_delta;
        if !is_less_at_last {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if all(middle) > log_delta { low = middle } else { high = middle }
        }
        Some(exp(0.5 * (low + high)))
    }

    /// `−d log g/d log ε`.
    pub(crate) fn log_fall(&self, epsilon: f64) -> f64 {
        let all = |factor: f64| self.log_delta(factor * epsilon);
        (all(1.0 - FALL_STEP) - all(1.0 + FALL_STEP)) / (2.0 * FALL_STEP)
    }

    fn with_kernel(&self, i: usize, log: f64) -> f64 {
        log - self.log_tilts[i] - ln_1p(self.tilts[i])
    }

    /// The saddle-point estimate of an integral, from the values of `log F/(c(c + 1))` at the tilts up to one, and the tilt.
    fn saddle(&self, epsilon: f64, most_tilt: f64, log: impl Fn(usize) -> f64) -> (f64, f64) {
        let value = |i: usize| {
            let value = log(i) - self.tilts[i] * epsilon;
            if value.is_nan() { f64::INFINITY } else { value }
        };
        let count = self.tilts.partition_point(|tilt| *tilt <= most_tilt).max(3);
        // It is convex in c: the least value is where it stops to fall.
        let (mut low, mut high) = (0, count - 1);
        while low < high {
            let middle = (low + high) / 2;
            if value(middle + 1) < value(middle) { low = middle + 1 } else { high = middle }
        }
        let (at, middle) = (low, value(low));
        if !middle.is_finite() {
            return (f64::NEG_INFINITY, 0.0);
        }
        let at_end = at == 0 || at + 1 == count;
        let at = at.clamp(1, count - 2);
        let (left, right) = (value(at - 1), value(at + 1));
        let step = self.log_tilts[1] - self.log_tilts[0];
        if at_end {
            return (middle, self.tilts[at]);
        }
        // Across a jump the second difference is meaningless: the one on the flatter side is used.
        let (near, away) = if left < right { (left, at.checked_sub(2)) } else { (right, Some(at + 2)) };
        let away = away.filter(|i| *i < count).map_or(f64::INFINITY, value);
        let (bend, bend_away) = (left + right - 2.0 * middle, away - 2.0 * near + middle);
        let (bend, lower) = if bend_away > 0.0 && bend > TUNING.lopsided * bend_away {
            (bend_away, 0.0)
        } else if bend > 0.0 && bend.is_finite() {
            (bend, (right - left).powi(2) / (8.0 * bend))
        } else {
            (0.0, 0.0)
        };
        let tilt = self.tilts[at];
        (middle - lower - 0.5 * ln(TAU * bend.max(1e-6) / (step * step * tilt * tilt)), tilt)
    }
}

fn log_sum(logs: &[f64]) -> f64 {
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if highest == f64::NEG_INFINITY {
        return highest;
    }
    highest + ln(logs.iter().map(|log| exp(log - highest)).sum::<f64>())
}
