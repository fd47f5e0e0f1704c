//! Where a sum of losses comes from, in plain floats: which scales of losses decide, and about how much each has. For searches.
//!
//! `K` of the losses below a cut is tabulated for some cuts and tilts. From a table, saddle-point estimates for every ε take
//! microseconds, and those of narrow ranges of losses hold where the one of the whole law lies at a jump of `K`.

use super::{
    cumulants::Sketch,
    factors::{Factor, Factors},
};
use crate::two_threads::mapped;
use hockeystick_numerics::{
    special::quick::{exp, expm1, expm1_near_zero, ln, ln_1p},
    vectorised::vectorised,
};
use std::{f64::consts::TAU, ops::Range};

/// `K` for losses below each of several cuts.
#[derive(Clone, Debug)]
pub(super) struct Rough {
    /// From the largest loss that matters down.
    cuts: Vec<f64>,
    /// `ln c`, equally spaced, and `c`.
    log_tilts: Vec<f64>,
    tilts: Vec<f64>,
    /// `K(c)` of the losses below a cut, and by how much the next lower one's is less.
    log_moments: Vec<Vec<f64>>,
    steps: Vec<Vec<f64>>,
    /// `log F(c)/(c(c + 1))` of outcomes with a loss between a cut and the next, and of those with none above the last.
    slices: Vec<Vec<f64>>,
    parts: Vec<Part>,
    /// How many slices there are, from the first on, of which a loss is a rare event, and mean and deviation of the sum of all smaller losses.
    rare: usize,
    usual: [f64; 2],
    /// The deviation of all that is below the last cut.
    deviation: f64,
}

/// So many deviations of a normal law resolve it.
const RESOLVED: f64 = 8.0;
/// A loss is rare if fewer than this are as large, on average.
const RARE: f64 = 0.1;
/// How far the estimate for one loss and that of the saddle point may be apart, as a logarithm, before it seems to take more than one.
const SIMILAR: f64 = 1.5;
/// Three points and weights that stand for a normal law.
const NORMAL_POINTS: [(f64, f64); 3] = [(-1.732, 1.0 / 6.0), (0.0, 2.0 / 3.0), (1.732, 1.0 / 6.0)];
/// Losses at neighbouring cuts have this ratio.
const RATIO: f64 = 1.5;
/// There are no more cuts than this, and none where so many losses are larger on average.
const MOST_CUTS: usize = 48;
const MANY: f64 = 20.0;
/// How far tilts reach: from so much over the largest loss to so much over the smallest cut, or the deviation of all.
const LEAST_EXPONENT: f64 = 0.02;
const LARGEST_EXPONENT: f64 = 150.0;
const DEVIATIONS: f64 = 30.0;
/// The step of the logarithms of tilts, and how many there are at most.
const TILT_STEP: f64 = 0.1;
const MOST_TILTS: usize = 250;
/// From so many on a second thread is worth it.
const MANY_TILTS: usize = 80;
/// How many times as much a function may bend at its least value as beside it, before it is taken to jump there.
const LOPSIDED: f64 = 3.0;
/// How many times as much it turns beyond a tilt as on the flat side of it, before that is taken to be a corner.
const CORNER: f64 = 10.0;
/// How much smaller than at ε = 0 a δ is taken to be at least, and how much larger than that it may be, as logarithms: estimates there are too
/// small by 0.01 to 0.07.
const LEAST_FALL: f64 = 0.05;
const MOST_ABOVE: f64 = 0.125;
/// How far apart a slope is taken, in proportion.
const FALL_STEP: f64 = 0.05;
/// Halvings of an interval of logarithms.
const HALVINGS: usize = 30;

impl Rough {
    /// For outcomes of more than `e^{log_mass}`; `None` if no pair can be cut.
    pub(super) fn new(factors: &Factors, log_mass: f64) -> Option<Self> {
        let largest = factors.loss_of_mass(log_mass)?;
        let parts: Vec<Part> =
            factors.others.iter().filter_map(|factor| Part::new(factor, largest)).collect();
        if parts.is_empty() {
            return None;
        }
        let whole = factors.without_cut();
        let mut cuts = vec![largest];
        while cuts.len() < MOST_CUTS {
            let next = cuts[cuts.len() - 1] / RATIO;
            let above: f64 = parts.iter().map(|part| part.count * part.above(next)[0]).sum();
            cuts.push(next);
            if above > MANY {
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
        let count = (((most - least) / TILT_STEP).ceil() as usize).clamp(8, MOST_TILTS);
        let step = (most - least) / count as f64;
        let log_tilts: Vec<f64> = (0..=count).map(|i| step.mul_add(i as f64, least)).collect();
        let columns = mapped(&log_tilts, MANY_TILTS, |log_tilt| {
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
        });
        let rows = |which: usize| -> Vec<Vec<f64>> {
            let row = |cut: usize| columns.iter().map(|column| column[which][cut]).collect();
            (0..cuts.len()).map(row).collect()
        };
        let (log_moments, steps) = (rows(0), rows(1));
        let tilts = log_tilts.iter().map(|log| exp(*log)).collect();
        let number = |cut: f64| parts.iter().map(|part| part.count * part.above(cut)[0]).sum::<f64>();
        let rare = cuts[1..].iter().take_while(|cut| number(**cut) < RARE).count();
        let sum = |of: &dyn Fn(&Part) -> f64| parts.iter().map(|part| part.count * of(part)).sum::<f64>();
        let usual = [
            sum(&|part| part.mean(cuts[rare])),
            (factors.normal + sum(&|part| part.square(cuts[rare]))).sqrt(),
        ];
        let mut rough = Self {
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
        let last = rough.cuts.len() - 1;
        let row = |log: &dyn Fn(usize) -> f64| {
            (0..rough.tilts.len()).map(|i| rough.with_kernel(i, log(i))).collect::<Vec<f64>>()
        };
        let slices = (0..last).map(|cut| row(&|i| rough.log_hits(cut, cut + 1, i)));
        let slices = slices.chain([row(&|i| rough.log_moments[last][i])]).collect();
        rough.slices = slices;
        Some(rough)
    }

    pub(super) fn cuts(&self) -> &[f64] {
        &self.cuts
    }

    /// The logarithm of an estimate of g(ε) for outcomes with a loss between two cuts and none above, and the tilt of its saddle, or of the
    /// largest integrand up to a tilt.
    pub(super) fn between(&self, high: usize, low: usize, epsilon: f64, most_tilt: f64) -> (f64, f64) {
        self.saddle(epsilon, most_tilt, |i| self.with_kernel(i, self.log_hits(high, low, i)))
    }

    /// Is a tilt where the table ends, and an estimate that belongs to it too large, for it still falls there?
    pub(super) fn is_last(&self, tilt: f64) -> bool {
        tilt >= self.tilts[self.tilts.len() - 2]
    }

    /// The largest losses of slices of more than `e^{log_least}`, and the tilts it takes for these to be at their saddles, or no more than
    /// `e^{log_little}`.
    pub(super) fn tilted_cuts(
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
    pub(super) fn below(&self, cut: usize, epsilon: f64, most_tilt: f64) -> (f64, f64) {
        self.saddle(epsilon, most_tilt, |i| self.with_kernel(i, self.log_moments[cut][i]))
    }

    /// The same for ranges of losses, one after the other, from a cut on down.
    pub(super) fn apart(&self, from: usize, to: usize, epsilon: f64) -> f64 {
        let last = self.cuts.len() - 1;
        let to = if to > last { self.slices.len() } else { to };
        let each: Vec<f64> = self.slices[from..to]
            .iter()
            .map(|slice| self.saddle(epsilon, f64::INFINITY, |i| slice[i]).0)
            .collect();
        log_sum(&each)
    }

    /// The logarithm of an estimate of g(ε). Where a loss is rare, one has to do, and sums over it are better than a saddle point.
    pub(super) fn log_delta(&self, epsilon: f64) -> f64 {
        let each: Vec<f64> = (self.slices.iter().enumerate())
            .map(|(cut, slice)| {
                let (log, _) = self.saddle(epsilon, f64::INFINITY, |i| slice[i]);
                let single = if cut < self.rare { ln(self.single(cut, epsilon)) } else { f64::NAN };
                if (single - log).abs() < SIMILAR { single } else { log }
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

    /// `1/(cL)` of the largest loss L for which, at a tilt, about so many losses are between it and a cut: up to how many tilts a line for
    /// what is below the cut has to go for them to be resolved; or for all that is below the last cut to be.
    pub(super) fn resolution(&self, cut: usize, tilt: f64, number: f64) -> f64 {
        let i = self.tilts.partition_point(|other| *other < tilt).min(self.tilts.len() - 1);
        let mut sum = 0.0;
        let enough = self.steps[cut..].iter().position(|step| {
            sum += step[i];
            sum > number
        });
        let at = enough.map_or(self.cuts.len() - 1, |steps| (cut + steps + 1).min(self.cuts.len() - 1));
        (1.0 / (tilt * self.cuts[at])).min(RESOLVED / (tilt * self.deviation))
    }

    /// The ε at which all of it is about `e^{log_delta}`; next to 0 if it is less everywhere.
    pub(super) fn epsilon(&self, log_delta: f64) -> Option<f64> {
        let (mut low, mut high) = (ln(self.cuts[0] * 1e-10), ln(self.cuts[0] * 1e4));
        let all = |log_epsilon: f64| self.log_delta(exp(log_epsilon));
        // Estimates are off by some percent, which matters where δ is hardly smaller than at ε = 0.
        let most = all(low) - LEAST_FALL;
        if most <= log_delta - MOST_ABOVE {
            return Some(exp(low));
        }
        let is_less_at_last = all(high) < log_delta.min(most);
        if !is_less_at_last {
            return None;
        }
        let log_delta = log_delta.min(most);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if all(middle) > log_delta { low = middle } else { high = middle }
        }
        Some(exp(0.5 * (low + high)))
    }

    /// `−d log g/d log ε`.
    pub(super) fn log_fall(&self, epsilon: f64) -> f64 {
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
        // Beside a jump what is on its other side says nothing: there the bend is that of the next two.
        let (near, away) = if left < right { (left, at.checked_sub(2)) } else { (right, Some(at + 2)) };
        let away = away.filter(|i| *i < count).map_or(f64::INFINITY, value);
        let (bend, bend_away) = (left + right - 2.0 * middle, away - 2.0 * near + middle);
        let corner = self.below_corner(at, left < right, count, value);
        let (bend, lower) = if bend_away > 0.0 && bend > LOPSIDED * bend_away {
            (bend_away, 0.0)
        } else if let Some(lower) = corner.filter(|_| bend_away <= 0.0) {
            (0.0, lower)
        } else if bend > 0.0 && bend.is_finite() {
            (bend, (right - left).powi(2) / (8.0 * bend))
        } else {
            (0.0, 0.0)
        };
        let tilt = self.tilts[at];
        (middle - lower - 0.5 * ln(TAU * bend.max(1e-6) / (step * step * tilt * tilt)), tilt)
    }

    /// How much lower than at a tilt a convex function of tilts is where it turns from the straight line on one side of it to the one on its
    /// other side, just beyond the tilt on the right or on the left; `None` if it bends as much on the flat side.
    fn below_corner(
        &self,
        at: usize,
        is_right: bool,
        count: usize,
        value: impl Fn(usize) -> f64,
    ) -> Option<f64> {
        let slope = |i: usize| (value(i + 1) - value(i)) / (self.tilts[i + 1] - self.tilts[i]);
        let (flat, next, steep) = if is_right {
            (at.checked_sub(2).map(slope)?, slope(at - 1), (at + 2 < count).then(|| slope(at + 1))?)
        } else {
            ((at + 2 < count).then(|| slope(at + 1))?, slope(at), at.checked_sub(2).map(slope)?)
        };
        let beyond = if is_right { at + 1 } else { at - 1 };
        let way = self.tilts[beyond] - self.tilts[at];
        let turn = (value(beyond) - value(at)) / way - next;
        if !(turn.abs() > CORNER * (next - flat).abs() && turn.is_finite() && steep.is_finite()) {
            return None;
        }
        // value(at) + next·x = value(beyond) + steep·(x − way).
        let x = (value(beyond) - value(at) - steep * way) / (next - steep);
        let part = (x / way).clamp(0.0, 1.0);
        Some((-next * part * way).max(0.0))
    }
}

fn log_sum(logs: &[f64]) -> f64 {
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if highest == f64::NEG_INFINITY {
        return highest;
    }
    highest + ln(logs.iter().map(|log| exp(log - highest)).sum::<f64>())
}

/// The losses of one pair, from the smallest on.
#[derive(Clone, Debug)]
struct Part {
    count: f64,
    losses: Vec<f64>,
    /// `log p`, `p` and `e^{−L} − 1`.
    logs: Vec<f64>,
    masses: Vec<f64>,
    rises: Vec<f64>,
    /// `P` and `P − Q` from each loss on.
    above: Vec<[f64; 2]>,
}

impl Part {
    fn new(factor: &Factor, largest: f64) -> Option<Self> {
        let nodes = factor.losses_up_to(largest)?;
        let losses: Vec<f64> = nodes.iter().map(|at| at.loss).collect();
        let logs: Vec<f64> = nodes.iter().map(|at| at.log_p).collect();
        let masses: Vec<f64> = logs.iter().map(|log| exp(*log)).collect();
        let rises: Vec<f64> = losses.iter().map(|loss| expm1(-loss)).collect();
        let mut above = vec![[0.0; 2]; losses.len() + 1];
        for i in (0..losses.len()).rev() {
            above[i] = [above[i + 1][0] + masses[i], above[i + 1][1] - masses[i] * rises[i]];
        }
        Some(Self { count: factor.count, losses, logs, masses, rises, above })
    }

    fn first_above(&self, loss: f64) -> usize {
        self.losses.partition_point(|at| *at < loss)
    }

    fn above(&self, loss: f64) -> [f64; 2] {
        self.above[self.first_above(loss)]
    }

    /// `E[(1 − e^{x−L})₊]` of the losses in a range.
    fn excess(&self, x: f64, range: Range<f64>) -> f64 {
        let (from, to) = (self.first_above(range.start.max(x)), self.first_above(range.end));
        if from >= to {
            return 0.0;
        }
        let [p, surplus] = std::array::from_fn(|i| self.above[from][i] - self.above[to][i]);
        exp(x) * surplus - expm1(x) * p
    }

    /// `E[L; L < loss]`.
    fn mean(&self, loss: f64) -> f64 {
        let below = self.first_above(loss);
        self.losses[..below].iter().zip(&self.masses).map(|(loss, p)| p * loss).sum()
    }

    /// `E[L²; L < loss]`.
    fn square(&self, loss: f64) -> f64 {
        let below = self.first_above(loss);
        self.losses[..below].iter().zip(&self.masses).map(|(loss, p)| p * loss * loss).sum()
    }

    /// `p e^{cL}` and `p (e^{cL} − 1 − c(1 − e^{−L}))` of each loss.
    fn tilted(&self, tilt: f64) -> [Vec<f64>; 2] {
        let mut tilted = [vec![0.0; self.losses.len()], vec![0.0; self.losses.len()]];
        // Losses rise: those with a small exponent are next to each other.
        let (low, high) = (self.first_above(-SMALL_EXPONENT / tilt), self.first_above(SMALL_EXPONENT / tilt));
        vectorised(
            #[inline(always)]
            || {
                self.each(low..high, &mut tilted, |loss, _, p, rise| {
                    let growth = p * expm1_near_zero(tilt * loss);
                    [p + growth, growth + p * tilt * rise]
                });
                for large in [0..low, high..self.losses.len()] {
                    self.each(large, &mut tilted, |loss, log_p, p, rise| {
                        let all = exp(log_p + tilt * loss);
                        [all, all - p + p * tilt * rise]
                    });
                }
            },
        );
        tilted
    }

    /// Some of the losses, with `log p`, `p` and `e^{−L} − 1`.
    #[inline(always)]
    fn each(
        &self,
        range: Range<usize>,
        [all, excess]: &mut [Vec<f64>; 2],
        of: impl Fn(f64, f64, f64, f64) -> [f64; 2],
    ) {
        let (losses, logs) = (&self.losses[range.clone()], &self.logs[range.clone()]);
        let (masses, rises) = (&self.masses[range.clone()], &self.rises[range.clone()]);
        let (all, excess) = (&mut all[range.clone()], &mut excess[range]);
        for ((((all, excess), (loss, log_p)), p), rise) in
            all.iter_mut().zip(excess).zip(losses.iter().zip(logs)).zip(masses).zip(rises)
        {
            [*all, *excess] = of(*loss, *log_p, *p, *rise);
        }
    }

    /// `K(c)` of the losses below each cut, and by how much that is more than below the next: `M − 1 = E[e^{cL} − 1 − c(1 − e^{−L})]`,
    /// less what is above.
    fn add(&self, tilt: f64, cuts: &[f64], mut found: impl FnMut(usize, f64, f64)) {
        let [tilted, excesses] = self.tilted(tilt);
        let (mut sum, mut next) = (0.0, 0);
        let mut moment_below = 1.0;
        for (cut, loss) in cuts.iter().enumerate().rev() {
            let end = self.first_above(*loss).max(next);
            let more: f64 = tilted[next..end].iter().sum();
            sum += excesses[next..end].iter().sum::<f64>();
            next = end;
            let [p, surplus] = self.above[end];
            let excess = (sum - p - tilt * surplus).max(-0.999_999);
            found(cut, self.count * ln_1p(excess), self.count * ln_1p(more / moment_below));
            moment_below = 1.0 + excess;
        }
    }
}

/// Up to this exponent `e^x − 1` is taken as such.
const SMALL_EXPONENT: f64 = 0.35;
