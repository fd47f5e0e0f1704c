//! One mechanism composed in stages under a tilt, as a profile.

use super::{
    extent::Extents,
    group::{Composition, Parts, Side, total_drift},
    ladder::{Facts, Ladder, most_accurate},
};
use crate::{
    curve::{Budget, Evaluation, PrivacyProfile},
    engine::{
        Goal,
        lattice::{
            Buffers, ComposedLaw, Discretisation, Estimate, Grid, LatticeLaw, LossRange, Optimistic, Options,
            Outcomes, Pessimistic, PointMasses, Spectrum, TUNING, weight_norm,
        },
        masses,
    },
    pair::SharedPair,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    probability::Probability,
    rounding::{add_down, add_up},
};
use std::fmt;

/// How a mechanism is composed in stages, as it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct StagedPlan {
    /// How losses are put on the grids.
    pub discretisation: Discretisation,
    /// Which uses on which grid.
    pub ladder: Ladder,
    /// The tilt `c`.
    pub tilt: f64,
    /// About where the question is.
    pub epsilon: f64,
    /// About what δ is there.
    pub delta: f64,
}

impl fmt::Display for StagedPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { discretisation, ladder, tilt, epsilon, delta } = self;
        write!(
            f,
            "{discretisation} in stages: {ladder}; tilted by {tilt:.3} for δ ≈ {delta:.1e} at ε ≈ {epsilon:.4}"
        )
    }
}

/// One mechanism and its repetitions, composed in stages.
///
/// # Guarantee
/// Both ends are proven: rounding goes to the safe side, and everything else is bounded and added.
#[derive(Clone, Debug)]
pub struct Staged {
    upper: Ended<Pessimistic>,
    lower: Ended<Optimistic>,
    infinite: Probability,
    largest: Enclosure,
    plan: StagedPlan,
    /// A lower bound on δ at the ε of the plan.
    lower_at_goal: f64,
}

/// A composed law, and how far its tilted measure may be off.
#[derive(Clone, Debug)]
struct Ended<S> {
    law: ComposedLaw<S>,
    /// `log(κ(c)·S·drift)`.
    log_drift: f64,
    offset: Enclosure,
    tilt: f64,
}

impl<S> Ended<S> {
    /// By how much δ(ε) may be off: the weights `(1 − e^{ε−x})₊ e^{−cx}` are at most `κ(c)e^{−cε}`.
    fn drift(&self, epsilon: f64) -> f64 {
        let at = Enclosure::point(epsilon) - self.offset;
        (-(at * self.tilt) + self.log_drift).exp().upper()
    }
}

/// Log densities below this underflow.
const LEAST: f64 = -740.0;
/// The most points of the law of one use: each takes two tenths of a microsecond.
const MOST_CELLS: f64 = 2_097_152.0;
/// A law that is made from tails has this many points at most: each takes ten microseconds.
const MOST_TAILS: f64 = 50_000.0;

impl Staged {
    /// One mechanism used `count` times; `None` if stages are no more accurate than one transform, or not possible.
    pub fn compose(pair: &SharedPair, count: u64, goal: Goal, options: Options) -> Option<Self> {
        let outcomes = Outcomes::of(pair, LEAST);
        let law = outcomes.as_ref().map_or_else(
            || PointMasses::of_tails(pair),
            |outcomes| PointMasses::of_outcomes(outcomes, LEAST, 1),
        );
        // Two atoms are both points of one grid: then nothing is rounded at all.
        let is_two_atoms = |all: &Outcomes| all.stretches.is_empty() && all.atoms.len() <= 2;
        if law.is_empty() || count < 4 || outcomes.as_ref().is_some_and(is_two_atoms) {
            return None;
        }
        let (k, parts) = (count as f64, [(pair.clone(), count)]);
        let infinite = masses::infinite_mass(&parts);
        let estimate = Estimate::new(vec![(law.clone(), k)], goal, infinite.value().midpoint());
        let saddle = estimate.saddle();
        let asked = estimate.allowed(saddle, options.tolerance);
        let scale = saddle.delta_per_scale;
        let (lowest, highest) = pair.finite_losses().into_inner();
        let prepared = |allowed: f64| {
            let window = estimate.window(saddle, allowed);
            let range = *estimate.ranges(saddle, allowed).first()?;
            let kappa = log_kappa(window.tilt).exp();
            let share = TUNING.negligible * allowed * scale / (2.0 * kappa * k);
            let extents = Extents::new(&law.within(range.bottom, range.top), window.tilt, share, count);
            let facts = Facts {
                uses: count,
                lengths: (0..=count.ilog2()).map(|j| extents.length(1 << j)).collect(),
                period: window.period,
                range: range.top.min(highest.upper()) - range.bottom.max(lowest.lower()),
                per_rounding: saddle.tilt,
                per_first: options.discretisation.per_density() / extents.deviation(),
                wanted: TUNING.gap_share * asked,
                coarsest: (0.25 * saddle.deviation).max(1e-12).min(0.25 / (saddle.tilt + 1.0)),
                most_points: options.most_points,
                most_cells: if outcomes.is_some() { MOST_CELLS } else { MOST_TAILS },
            };
            let ladder = most_accurate(&facts)?;
            Some((ladder, window, range, Composition { tilt: window.tilt, extents, share }))
        };
        let (ladder, ..) = prepared(asked)?;
        let allowed = ladder.reachable(asked);
        let (ladder, window, range, composition) = prepared(allowed)?;
        if ladder.stages.len() < 2 {
            return None;
        }
        let range = LossRange::plain(range.bottom, range.top);
        let grid = Grid::covering(&pair.finite_losses(), &range, ladder.first, saddle.tilt)?;
        let orders = [window.order_below, window.order_above];
        let how = options.discretisation;
        let ending = Ending {
            composition: &composition,
            ladder: &ladder,
            uses: count,
            orders,
            allowed: allowed * scale,
        };
        let (above, below) = how.both(pair, outcomes.as_ref(), grid);
        let (upper, lower) = (ending.of(above)?, ending.of(below)?);
        let plan = StagedPlan {
            discretisation: how,
            ladder: ladder.clone(),
            tilt: window.tilt,
            epsilon: saddle.epsilon,
            delta: saddle.delta,
        };
        let largest = masses::largest_finite_loss(&parts);
        let mut staged = Self { upper, lower, infinite, largest, plan, lower_at_goal: 0.0 };
        staged.lower_at_goal = staged.lower(staged.plan.epsilon).least;
        Some(staged)
    }

    /// What was chosen.
    pub fn plan(&self) -> &StagedPlan {
        &self.plan
    }

    fn lower(&self, epsilon: f64) -> Lower {
        let (value, drift) = (self.lower.law.value(epsilon), self.lower.drift(epsilon));
        let roundoff = add_up(value.roundoff, drift);
        let errors = add_up(value.aliasing, roundoff);
        let finite = add_down(value.finite.lower(), -errors).max(0.0);
        let least = add_down(value.infinite.lower(), finite).clamp(0.0, 1.0);
        Lower { least, aliasing: value.aliasing, roundoff }
    }

    fn upper(&self, epsilon: f64) -> f64 {
        let value = self.upper.law.value(epsilon);
        let errors = add_up(value.roundoff, self.upper.drift(epsilon));
        add_up(value.infinite.upper(), add_up(value.finite.upper(), errors)).clamp(0.0, 1.0)
    }
}

/// A lower bound on δ, and what was subtracted.
struct Lower {
    least: f64,
    aliasing: f64,
    roundoff: f64,
}

/// `log κ(c)`, `κ(c) = c^c/(1 + c)^{1+c}`, rounded up.
fn log_kappa(tilt: f64) -> f64 {
    let log = tilt * tilt.ln() - (1.0 + tilt) * tilt.ln_1p();
    log + 1e-12 * (1.0 + tilt * tilt.ln().abs())
}

/// The last stage, the same for both sides.
struct Ending<'a> {
    composition: &'a Composition,
    ladder: &'a Ladder,
    uses: u64,
    orders: [f64; 2],
    /// The error that is allowed in units of the scale.
    allowed: f64,
}

impl Ending<'_> {
    fn of<S: Side + Clone>(&self, law: LatticeLaw<S>) -> Option<Ended<S>> {
        let tilt = self.composition.tilt;
        let parts: Parts<S> = self.composition.groups(law, self.ladder, self.uses)?;
        let last = self.ladder.stages.last()?;
        let length = last.points as f64;
        let norm = weight_norm(tilt, last.spacing, length * last.spacing);
        let harmless = TUNING.negligible * self.allowed * length.sqrt() / norm;
        let mut spectrum = Spectrum::new(last.points, last.spacing, tilt, self.orders, harmless).ok()?;
        let mut buffers = Buffers::taken();
        for (group, count) in &parts {
            spectrum.add(&group.law, *count, &mut buffers).ok()?;
        }
        let scales = spectrum.scales();
        let (drift, log_scale) = total_drift(&parts, tilt);
        let law = ComposedLaw::of(spectrum, &mut buffers).ok()?;
        buffers.give_back();
        let log_drift = log_kappa(tilt) + log_scale + scales.log_factor + drift.ln() + 1e-9;
        Some(Ended { law, log_drift, offset: scales.offset, tilt })
    }
}

impl PrivacyProfile for Staged {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let (lower, high) = (self.lower(epsilon), self.upper(epsilon));
        // δ falls from above 1 − e^ε on: what is known at the goal holds below it.
        let trivial = -Enclosure::point(epsilon.min(1.0)).exp_m1();
        let at_goal = if epsilon <= self.plan.epsilon { self.lower_at_goal } else { 0.0 };
        let low = lower.least.max(trivial.lower()).max(at_goal);
        let bounds = Enclosure::new(low.min(high), high);
        let half = 0.5 * bounds.width();
        let aliasing = (0.5 * lower.aliasing).min(half);
        let roundoff = lower.roundoff.min(half - aliasing);
        let discretisation = (half - aliasing - roundoff).max(0.0);
        let budget = Budget { discretisation, aliasing, roundoff, ..Budget::default() };
        Evaluation { delta: Probability::from_value(bounds), budget }
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        self.upper(epsilon) <= delta
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }

    fn near(&self, _delta: f64) -> Option<f64> {
        Some(self.plan.epsilon)
    }
}
