//! The law of a pair as point masses, in plain floats.

use super::super::{
    outcomes::{Atom, Outcomes, Stretch},
    tuning::TUNING,
};
use crate::pair::SharedPair;
use hockeystick_numerics::{
    ball::Ball, limits::check, quadrature::gauss_legendre::GaussLegendre, special::quick::exp,
    vectorised::vectorised,
};
use std::sync::OnceLock;

/// Losses with their masses under `P`.
#[derive(Clone, Debug)]
pub(crate) struct PointMasses {
    /// In increasing order.
    losses: Vec<f64>,
    log_masses: Vec<f64>,
}

/// The points of a Gauss–Legendre rule.
const GAUSS: usize = 8;
/// Lanes of a vectorised sum.
const LANES: usize = 8;

impl PointMasses {
    /// From outcomes, without atoms below `e^least`. The number of parts limits the number of points.
    pub(crate) fn of_outcomes(outcomes: &Outcomes, least: f64, parts: usize) -> Self {
        let mut points: Vec<(f64, f64)> = outcomes.stretches.iter().flat_map(along).collect();
        let most = (TUNING.most_points_of_all / parts.max(1)).clamp(TUNING.fewest_points, TUNING.most_points);
        let stride = outcomes.atoms.len() / most + 1;
        for atoms in outcomes.atoms.chunks(stride) {
            let mass: f64 = atoms.iter().map(|atom| atom.p.midpoint()).sum();
            let log_mass = mass.ln();
            if log_mass >= least {
                let loss = |atom: &Atom| atom.p.midpoint() / mass * atom.loss.midpoint();
                points.push((atoms.iter().map(loss).sum(), log_mass));
            }
        }
        Self::of_points(points)
    }

    /// From tail probabilities at equidistant losses.
    pub(crate) fn of_tails(pair: &SharedPair) -> Self {
        let (lowest, highest) = pair.finite_losses().into_inner();
        let above = |x: f64| {
            check();
            pair.tails(Ball::from(x)).p.value().midpoint() - pair.infinite_mass().value().midpoint()
        };
        let below = |x: f64| pair.tails(Ball::from(-x)).p.complement().midpoint();
        let top = reach(highest.upper(), |x| above(x) <= 1e-30);
        let bottom = -reach(-lowest.lower(), |x| below(x) <= 1e-30);
        let step = (top - bottom) / TUNING.points_of_tails as f64;
        let tails: Vec<f64> = (0..=TUNING.points_of_tails).map(|i| above(bottom + step * i as f64)).collect();
        let points = (tails.windows(2).enumerate())
            .map(|(i, pair)| (bottom + step * (i as f64 + 0.5), (pair[0] - pair[1]).max(0.0).ln()))
            .collect();
        Self::of_points(points)
    }

    fn of_points(mut points: Vec<(f64, f64)>) -> Self {
        points.retain(|(loss, log_mass)| loss.is_finite() && log_mass.is_finite());
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (losses, log_masses) = points.into_iter().unzip();
        Self { losses, log_masses }
    }

    /// Those of a range of losses.
    pub(crate) fn within(&self, bottom: f64, top: f64) -> Self {
        let points = self.losses.iter().copied().zip(self.log_masses.iter().copied());
        Self::of_points(points.filter(|(loss, _)| (bottom..=top).contains(loss)).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.losses.is_empty()
    }

    /// `K(c) = log E[e^{cL}; L < ∞]` and its first two derivatives.
    pub(crate) fn log_moment(&self, order: f64) -> [f64; 3] {
        let largest = (self.losses.iter().zip(&self.log_masses))
            .map(|(loss, log_mass)| order * loss + log_mass)
            .fold(f64::NEG_INFINITY, |most, exponent| if exponent > most { exponent } else { most });
        let [sum, first, second] = vectorised(
            #[inline(always)]
            || self.weighted(order, largest),
        );
        let mean = first / sum;
        [largest + sum.ln(), mean, (second / sum - mean * mean).max(0.0)]
    }

    /// `Σ e^{cL − largest}`, and the same weighted with `L` and `L²`.
    #[inline(always)]
    fn weighted(&self, order: f64, largest: f64) -> [f64; 3] {
        let mut sums = [[0.0; LANES]; 3];
        let (losses, log_masses) = (self.losses.chunks_exact(LANES), self.log_masses.chunks_exact(LANES));
        let rest = losses.remainder().iter().zip(log_masses.remainder());
        let mut add = |lane: usize, loss: f64, log_mass: f64| {
            let weight = exp(order * loss + log_mass - largest);
            sums[0][lane] += weight;
            sums[1][lane] += weight * loss;
            sums[2][lane] += weight * loss * loss;
        };
        for (losses, log_masses) in losses.zip(log_masses) {
            for lane in 0..LANES {
                add(lane, losses[lane], log_masses[lane]);
            }
        }
        rest.for_each(|(loss, log_mass)| add(0, *loss, *log_mass));
        sums.map(|lanes| lanes.iter().sum())
    }

    /// For each of several decreasing shares: the losses below and above which outcomes contribute at most that share to `E e^{cL}`.
    pub(crate) fn rare<const N: usize>(&self, order: f64, shares: [f64; N]) -> ([f64; N], [f64; N]) {
        let [log_moment, ..] = self.log_moment(order);
        let share = |i: usize| exp((order * self.losses[i] + self.log_masses[i] - log_moment).max(-700.0));
        let (mut below, mut above) = ([f64::NEG_INFINITY; N], [f64::INFINITY; N]);
        let (mut sum, mut level) = (0.0, N);
        for i in 0..self.losses.len() {
            sum += share(i);
            while level > 0 && sum > shares[level - 1] {
                level -= 1;
                below[level] = if i == 0 { f64::NEG_INFINITY } else { self.losses[i - 1] };
            }
        }
        (sum, level) = (0.0, N);
        for i in (0..self.losses.len()).rev() {
            sum += share(i);
            while level > 0 && sum > shares[level - 1] {
                level -= 1;
                above[level] = self.losses.get(i + 1).copied().unwrap_or(f64::INFINITY);
            }
        }
        (below, above)
    }

    /// The loss above which the probability is at most `mass`, or ∞ if the last point has more.
    pub(crate) fn top(&self, mass: f64) -> f64 {
        let mut sum = 0.0;
        for (i, log_mass) in self.log_masses.iter().enumerate().rev() {
            sum += exp(*log_mass);
            if sum > mass {
                return self.losses.get(i + 1).copied().unwrap_or(f64::INFINITY);
            }
        }
        self.losses[0]
    }

    /// The loss below which the probability is at most `mass`, or −∞ if the first point has more.
    pub(crate) fn bottom(&self, mass: f64) -> f64 {
        let mut sum = 0.0;
        for (i, log_mass) in self.log_masses.iter().enumerate() {
            sum += exp(*log_mass);
            if sum > mass {
                return if i == 0 { f64::NEG_INFINITY } else { self.losses[i - 1] };
            }
        }
        self.losses[self.losses.len() - 1]
    }
}

/// Quadrature of a stretch: the midpoint rule, which converges fast for densities that vanish smoothly at both ends; Gauss–Legendre if an end
/// is sharp. The error of the rule is multiplied by the count.
fn along(stretch: &Stretch) -> Vec<(f64, f64)> {
    let (from, to) = (stretch.bottom.min(stretch.top), stretch.bottom.max(stretch.top));
    let count = (TUNING.points_per_deviation * (to - from) / stretch.scale())
        .ceil()
        .clamp(TUNING.fewest_points as f64, TUNING.most_points as f64);
    let outcome = |x: f64, weight: f64| (stretch.loss(x).value, stretch.log_density(x) + weight.ln());
    static RULE: OnceLock<Option<GaussLegendre>> = OnceLock::new();
    match RULE.get_or_init(|| GaussLegendre::new(GAUSS).ok()) {
        Some(rule) if !stretch.slivers.is_empty() => {
            let panels = (count / GAUSS as f64).ceil();
            let half = 0.5 * (to - from) / panels;
            let middles = (0..panels as usize).map(|i| from + half * (2.0 * i as f64 + 1.0));
            let nodes = rule.nodes().iter().zip(rule.weights());
            middles
                .flat_map(|x| nodes.clone().map(move |(node, weight)| (x + half * node, half * weight)))
                .map(|(x, weight)| outcome(x, weight))
                .collect()
        }
        Some(_) | None => {
            let step = (to - from) / count;
            (0..count as usize).map(|i| outcome(from + step * (i as f64 + 0.5), step)).collect()
        }
    }
}

/// A number slightly above the first at which `is_enough` holds, within the support.
fn reach(end: f64, is_enough: impl Fn(f64) -> bool) -> f64 {
    let mut high = if end.is_finite() { end.abs().clamp(1e-6, 1e3).min(end.max(1e-6)) } else { 1.0 };
    while !is_enough(high) && high < 1e6 && high < end {
        high = (high * 2.0).min(end);
    }
    let mut low = 0.0;
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if is_enough(middle) { high = middle } else { low = middle }
    }
    high
}
