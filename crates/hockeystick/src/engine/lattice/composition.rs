//! A composition on a lattice: planned, built, enclosed from both sides.

use super::{
    compose::Composition,
    composed::{Composed, weight_norm},
    discretise::{Discretisation, Grid, STRIDES, Strides},
    law::{Optimistic, Pessimistic},
    outcomes::{Atom, Outcomes},
    plan::{LatticePlan, LooseAtom, Options, Planner, Range, Saddle, Window},
    sketch::Sketch,
};
use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{Budget, Goal, masses},
    pair::SharedPair,
};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};

/// The composition is too large for a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a lattice takes at most 10^9 uses and {most_points} points, which this composition exceeds")]
pub struct TooLarge {
    /// The most points that were allowed.
    pub most_points: usize,
}

/// A composition on a lattice: enclosed from both sides.
#[derive(Clone, Debug)]
pub struct Lattice {
    upper: Composed<Pessimistic>,
    lower: Composed<Optimistic>,
    infinite: Probability,
    largest: Enclosure,
    plan: LatticePlan,
    /// A lower bound on δ at the ε of the plan.
    lower_at_goal: f64,
    parts: Vec<(SharedPair, u64)>,
    goal: Goal,
    options: Options,
}

/// The most uses: round-off grows with their number.
const MOST_USES: f64 = 1e9;
/// The most points of a law that is made from tails: each takes ten microseconds.
const MOST_TAILS: usize = 50_000;
/// By how much a window may be longer than a power of two before it is doubled.
const LITTLE_MORE: f64 = 1.15;
/// The part of the allowed width that round-off may take before anything is done about it.
const HARMLESS_PART: f64 = 0.01;
/// The widest cell, times the tilt.
const WIDEST: f64 = 0.5;
/// The most times that a plan is made finer, after its width was seen.
const REFINEMENTS: usize = 2;

impl Lattice {
    /// Composes each pair as often as its count says, finely enough for a relative width of `tolerance` if memory allows.
    pub fn compose(
        parts: &[(SharedPair, u64)],
        goal: Goal,
        tolerance: f64,
        discretisation: Discretisation,
    ) -> Result<Self, TooLarge> {
        Self::compose_with(parts, goal, Options { tolerance, discretisation, ..Options::default() })
    }

    /// Composes each pair as often as its count says, as the options say.
    pub fn compose_with(parts: &[(SharedPair, u64)], goal: Goal, options: Options) -> Result<Self, TooLarge> {
        let too_large = TooLarge { most_points: options.most_points };
        let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
        if uses > MOST_USES {
            return Err(too_large);
        }
        let draft = Draft::new(parts, goal, options).ok_or(too_large)?;
        let mut spacing = options.spacing.unwrap_or_else(|| draft.spacing());
        let mut best: Option<Self> = None;
        for _ in 0..=REFINEMENTS {
            let Some(lattice) = draft.plan(spacing).and_then(|plan| draft.build(plan)) else { break };
            let width = lattice.width(&draft);
            let is_worth_more = lattice.delta(draft.saddle.epsilon).budget.discretisation_share() > 0.5;
            best = Some(lattice);
            if options.spacing.is_some() || width <= options.tolerance || !is_worth_more {
                break;
            }
            // The gap falls with the square of the spacing, or with the spacing.
            let ratio = (options.tolerance / width).max(1e-6);
            spacing *= 0.85 * if options.discretisation.is_first_order() { ratio } else { ratio.sqrt() };
        }
        // Too fine for the memory: as fine as it allows.
        let mut coarser = spacing;
        while options.spacing.is_none() && best.is_none() && coarser < 100.0 {
            coarser *= 1.5;
            best = draft.plan(coarser).and_then(|plan| draft.build(plan));
        }
        best.ok_or(too_large)
    }

    /// What was chosen.
    pub fn plan(&self) -> LatticePlan {
        self.plan
    }

    /// The composed laws.
    pub(super) fn laws(&self) -> (&Composed<Pessimistic>, &Composed<Optimistic>) {
        (&self.upper, &self.lower)
    }

    /// What it was made of, what for, and how.
    pub(super) fn made_of(&self) -> (&[(SharedPair, u64)], Goal, Options) {
        (&self.parts, self.goal, self.options)
    }

    /// The relative width that the goal will see: of ε a little more, for the search stops a little outside.
    fn width(&self, draft: &Draft<'_>) -> f64 {
        let (bounds, more) = match draft.goal {
            Goal::Delta { epsilon } => (self.delta(epsilon).delta.value(), 1.0),
            Goal::Epsilon { delta } => (self.epsilon(delta), 1.25),
        };
        if bounds.upper() > 0.0 { more * bounds.width() / bounds.upper() } else { 0.0 }
    }
}

/// What is known before the spacing is.
struct Draft<'a> {
    parts: &'a [(SharedPair, u64)],
    outcomes: Vec<Option<Outcomes>>,
    twins: Option<Twins>,
    ranges: Vec<Range>,
    planner: Planner,
    goal: Goal,
    options: Options,
    saddle: Saddle,
    allowed: f64,
    window: Window,
    infinite: Probability,
}

impl<'a> Draft<'a> {
    fn new(parts: &'a [(SharedPair, u64)], goal: Goal, options: Options) -> Option<Self> {
        let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
        // Densities below this cannot matter.
        let least = match goal {
            Goal::Delta { .. } => -740.0,
            Goal::Epsilon { delta } => (delta.ln() - uses.ln() - 60.0).max(-740.0),
        };
        let outcomes: Vec<Option<Outcomes>> =
            parts.iter().map(|(pair, _)| Outcomes::of(pair, least)).collect();
        let sketches: Vec<(Sketch, f64)> = (parts.iter().zip(&outcomes))
            .map(|((pair, count), outcomes)| {
                let sketch = outcomes.as_ref().map_or_else(|| Sketch::of_tails(pair), Sketch::of_outcomes);
                (sketch, *count as f64)
            })
            .collect();
        if sketches.iter().any(|(sketch, _)| sketch.is_empty()) {
            return None;
        }
        let infinite = masses::infinite_mass(parts);
        let twins = Twins::of(parts, &outcomes);
        let atoms = loose_atoms(parts, &outcomes, twins);
        let planner = Planner::new(sketches, goal, infinite.value().midpoint(), atoms);
        let saddle = planner.saddle();
        let allowed = planner.allowed(saddle, options.tolerance);
        let window = planner.window(saddle, allowed);
        let ranges = match options.spacing {
            // The lattice that was asked for, with all its points.
            Some(_) => (planner.ranges(saddle, allowed).into_iter())
                .map(|range| Range::plain(range.bottom, range.top))
                .collect(),
            None => planner.ranges(saddle, allowed),
        };
        Some(Self {
            parts,
            outcomes,
            twins,
            ranges,
            planner,
            goal,
            options,
            saddle,
            allowed,
            window,
            infinite,
        })
    }

    /// The spacing for the tolerance, or one a little coarser that halves the window.
    fn spacing(&self) -> f64 {
        let spacing = self.planner.spacing(self.saddle, self.allowed, self.options.discretisation);
        let points = self.window.period / spacing + 2.0;
        let excess = points / points.log2().floor().exp2();
        if excess < LITTLE_MORE { spacing * excess * (1.0 + 1e-3) } else { spacing }
    }

    /// A spacing, a little finer, of which the distance of two atoms is a multiple: those of the part that has the most to lose.
    fn snapped(&self, spacing: f64) -> f64 {
        match self.twins {
            Some(Twins { distance, .. }) if distance > spacing => distance / (distance / spacing).ceil(),
            Some(_) | None => spacing,
        }
    }

    /// The plan for a spacing; `None` if it takes too many points.
    fn plan(&self, spacing: f64) -> Option<LatticePlan> {
        let spacing = if self.options.spacing.is_some() { spacing } else { self.snapped(spacing) };
        let most = self.options.most_points;
        let length = Planner::points(self.window.period, spacing).filter(|length| *length <= most)?;
        let mut cells = 0;
        for (part, (outcomes, range)) in self.parts.iter().zip(self.outcomes.iter().zip(&self.ranges)) {
            let own = grid(&part.0, range, spacing, self.saddle.tilt)?.len();
            if own > if outcomes.is_some() { most } else { most.min(MOST_TAILS) } {
                return None;
            }
            cells += own;
        }
        Some(LatticePlan {
            discretisation: self.options.discretisation,
            spacing,
            length,
            cells,
            tilt: self.saddle.tilt,
            orders: [self.window.order_below, self.window.order_above],
            epsilon: self.saddle.epsilon,
            delta: self.saddle.delta,
        })
    }

    /// The error of a spectrum that changes δ by a small part of the allowed width, shared by all parts.
    fn harmless(&self, plan: &LatticePlan) -> f64 {
        let period = plan.length as f64 * plan.spacing;
        let norm = weight_norm(plan.tilt, plan.spacing, period);
        let wanted = HARMLESS_PART * self.allowed * self.saddle.delta_per_scale;
        wanted * (plan.length as f64).sqrt() / norm / self.parts.len() as f64
    }

    fn build(&self, plan: LatticePlan) -> Option<Lattice> {
        let LatticePlan { spacing, length, tilt, orders, discretisation, .. } = plan;
        let largest = masses::largest_finite_loss(self.parts);
        let harmless = self.harmless(&plan);
        let grids = || {
            (self.parts.iter().zip(self.outcomes.iter().zip(&self.ranges))).map(
                |(part, (outcomes, range))| {
                    Some((part, outcomes.as_ref(), grid(&part.0, range, spacing, tilt)?))
                },
            )
        };
        // One after the other, so that only one is in memory while it is being made.
        let mut upper = Composition::<Pessimistic>::new(length, spacing, tilt, orders, harmless).ok()?;
        for part in grids() {
            let ((pair, count), outcomes, grid) = part?;
            upper.add(&discretisation.pessimistic(pair, outcomes, grid), *count).ok()?;
        }
        let upper = upper.finish().ok()?;
        let mut lower = Composition::<Optimistic>::new(length, spacing, tilt, orders, harmless).ok()?;
        for part in grids() {
            let ((pair, count), outcomes, grid) = part?;
            lower.add(&discretisation.optimistic(pair, outcomes, grid), *count).ok()?;
        }
        let lower = lower.finish().ok()?;
        let (parts, goal, options) = (self.parts.to_vec(), self.goal, self.options);
        let lower_at_goal = lower.lower(plan.epsilon);
        Some(Lattice {
            upper,
            lower,
            infinite: self.infinite,
            largest,
            plan,
            lower_at_goal,
            parts,
            goal,
            options,
        })
    }
}

/// The atoms that need not be on the lattice: the likeliest of a part is, and so is the second of the twins.
fn loose_atoms(
    parts: &[(SharedPair, u64)],
    outcomes: &[Option<Outcomes>],
    twins: Option<Twins>,
) -> Vec<LooseAtom> {
    let mut loose = Vec::new();
    for (i, ((_, count), outcomes)) in parts.iter().zip(outcomes).enumerate() {
        let Some(outcomes) = outcomes else { continue };
        let own = loose.len();
        for (j, atom) in outcomes.atoms.iter().enumerate() {
            let loss = |atom: &Atom| atom.loss.midpoint();
            let above = outcomes.atoms.get(j + 1).map_or(f64::INFINITY, |next| loss(next) - loss(atom));
            let below = j.checked_sub(1).map_or(f64::INFINITY, |j| loss(atom) - loss(&outcomes.atoms[j]));
            loose.push(LooseAtom { uses: *count as f64 * atom.p.midpoint(), gap: above.min(below) });
        }
        let fixed = if twins.is_some_and(|twins| twins.part == i) { 2 } else { 1 };
        loose[own..].sort_by(|a, b| b.uses.total_cmp(&a.uses));
        loose.drain(own..loose.len().min(own + fixed));
    }
    loose
}

/// Two atoms that can both be on the lattice.
#[derive(Clone, Copy)]
struct Twins {
    /// The part they are of.
    part: usize,
    /// Their probability times the number of uses.
    uses: f64,
    /// How far their losses are apart.
    distance: f64,
}

impl Twins {
    /// The two likeliest atoms of the part in which they are used the most.
    fn of(parts: &[(SharedPair, u64)], outcomes: &[Option<Outcomes>]) -> Option<Self> {
        let twins = parts.iter().zip(outcomes).enumerate().filter_map(|(part, ((_, count), outcomes))| {
            let [first, second] = outcomes.as_ref()?.likeliest_atoms()?;
            let distance = (first.loss.midpoint() - second.loss.midpoint()).abs();
            Some(Self { part, uses: *count as f64 * (first.p + second.p).midpoint(), distance })
        });
        twins.max_by(|a, b| a.uses.total_cmp(&b.uses))
    }
}

/// The points that cover the losses of a pair in a range, or all of them where that is no more.
pub(super) fn grid(pair: &SharedPair, range: &Range, spacing: f64, tilt: f64) -> Option<Grid> {
    let (lowest, highest) = pair.finite_losses().into_inner();
    let is_cut_below = lowest.lower() < range.bottom - spacing;
    let is_cut_above = highest.upper() > range.top + spacing;
    let low = if is_cut_below { range.bottom } else { lowest.lower() };
    let high = if is_cut_above { range.top } else { highest.upper() };
    // Indices must be exact, and so must be sums of as many as there can be uses.
    let reach = low.abs().max(high.abs()) / spacing;
    if reach.is_nan() || reach >= 1e9 {
        return None;
    }
    let (first, last) = ((low / spacing).floor() as i64 - 2, (high / spacing).ceil() as i64 + 2);
    let last = last.max(first + 4);
    let (lost_per_variance, offset) = (0.5 * (tilt + 1.0), 0.0);
    // The cost of a width is a square only as long as e^{cL} does not change much across it.
    let is_narrow = |level: usize| spacing * f64::from(2 << level) * (tilt + 1.0) <= WIDEST;
    let index = |loss: f64| ((loss / spacing).clamp(-2e9, 2e9) as i64).clamp(first - 1, last + 1);
    let mut strides = Strides::NONE;
    for level in (0..STRIDES).take_while(|level| is_narrow(*level)) {
        strides.from[level] = index(range.faint_above[level]);
        strides.to[level] = index(range.faint_below[level]);
    }
    Some(Grid { spacing, first, last, offset, is_cut_below, is_cut_above, strides, lost_per_variance })
}

impl PrivacyProfile for Lattice {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let (low, high) = (self.lower.lower(epsilon), self.upper.upper(epsilon));
        // δ falls from above 1 − e^ε on: what is known at the goal holds below it.
        let trivial = -Enclosure::point(epsilon.min(1.0)).exp_m1();
        let at_goal = if epsilon <= self.plan.epsilon { self.lower_at_goal } else { 0.0 };
        let low = low.max(trivial.lower()).max(at_goal);
        let value = self.lower.value(epsilon);
        let bounds = Enclosure::new(low.min(high), high);
        let half = 0.5 * bounds.width();
        let aliasing = (0.5 * value.aliasing).min(half);
        let roundoff = (value.roundoff + 0.5 * value.finite.width()).min(half - aliasing);
        let discretisation = (half - aliasing - roundoff).max(0.0);
        let budget = Budget { discretisation, aliasing, roundoff, ..Budget::default() };
        Evaluation { delta: Probability::from_value(bounds), budget }
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
