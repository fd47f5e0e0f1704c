//! What is known of a composition before its lattice is made, and how it is made.

use super::{
    buffers::Buffers,
    compose::Composition,
    composed::{Composed, weight_norm},
    composition::Law,
    discretise::{Discretisation, Grid, STRIDES, Strides, WIDTHS},
    law::{LatticeLaw, Optimistic, Pessimistic},
    loose_atoms::{Twins, loose_atoms},
    outcomes::Outcomes,
    plan::{Convolution, LatticePlan, Options, Planner, Range, Saddle, Window},
    sketch::Sketch,
    sparse::{self, Sparse},
};
use crate::{
    engine::{Goal, masses},
    pair::SharedPair,
};
use hockeystick_numerics::probability::Probability;
use std::thread;

/// The most points of a law that is made from tails: each takes ten microseconds.
const MOST_TAILS: usize = 50_000;
/// By how much a window may be longer than a power of two before it is doubled.
const LITTLE_MORE: f64 = 1.15;
/// The part of the allowed width that round-off may take before anything is done about it.
const HARMLESS_PART: f64 = 0.01;
/// From this many parts on a second thread is worth it.
const MANY_PARTS: usize = 16;
/// The part of all bins that may matter by then.
const NARROW_PART: usize = 4;
/// The most cells for which other places of the points are tried.
const FEW_CELLS: usize = 8192;
/// The widest cell, times the tilt.
const WIDEST: f64 = 0.5;
/// The most outcomes that are composed one by one, and so many are always worth it.
const MOST_OUTCOMES: f64 = 131_072.0;
const FEW_OUTCOMES: f64 = 2048.0;
/// The part of the tolerance that their error may be.
const SMALL_ERROR: f64 = 0.1;
/// What an outcome, a cell and a step of a transform take, in nanoseconds.
const OUTCOME_COST: f64 = 100.0;
const CELL_COST: f64 = 100.0;
const STEP_COST: f64 = 0.5;

/// What is known before the spacing is.
pub(super) struct Draft<'a> {
    pub(super) parts: &'a [(SharedPair, u64)],
    outcomes: Vec<Option<Outcomes>>,
    twins: Option<Twins>,
    ranges: Vec<Range>,
    planner: Planner,
    pub(super) goal: Goal,
    pub(super) options: Options,
    pub(super) saddle: Saddle,
    allowed: f64,
    window: Window,
    pub(super) infinite: Probability,
}

impl<'a> Draft<'a> {
    pub(super) fn new(parts: &'a [(SharedPair, u64)], goal: Goal, options: Options) -> Option<Self> {
        let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
        // Densities below this cannot matter.
        let least = match goal {
            Goal::Delta { .. } => -740.0,
            Goal::Epsilon { delta } => (delta.ln() - uses.ln() - 60.0).max(-740.0),
        };
        let (outcomes, sketches) = sketched(parts, least);
        if sketches.iter().any(|(sketch, _)| sketch.is_empty()) {
            return None;
        }
        let infinite = masses::infinite_mass(parts);
        let twins = Twins::of(parts, &outcomes);
        let atoms = loose_atoms(parts, &outcomes, twins);
        let planner = Planner::new(sketches, goal, infinite.value().midpoint(), atoms);
        let saddle = planner.saddle();
        let (allowed, window, ranges) = fineness(&planner, saddle, options);
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

    /// The same with other options.
    pub(super) fn with(self, options: Options) -> Self {
        let (allowed, window, ranges) = fineness(&self.planner, self.saddle, options);
        Self { options, allowed, window, ranges, ..self }
    }

    /// The spacing for the tolerance, or one a little coarser that halves the window.
    pub(super) fn spacing(&self) -> f64 {
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
    pub(super) fn plan(&self, spacing: f64) -> Option<LatticePlan> {
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
            convolution: Convolution::Tilted,
            spacing,
            moved: 0.0,
            length,
            cells,
            tilt: self.window.tilt,
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

    /// An empty composition on the lattice of a plan.
    pub(super) fn composition<Side>(&self, plan: &LatticePlan) -> Option<Composition<Side>> {
        let LatticePlan { spacing, length, tilt, orders, .. } = *plan;
        Composition::new(length, spacing, tilt, orders, self.harmless(plan)).ok()
    }

    /// Both laws on the lattice of a plan.
    pub(super) fn build(&self, plan: LatticePlan) -> Option<Law> {
        let mut buffers = Buffers::taken();
        let mut both = Both { upper: self.composition(&plan)?, lower: self.composition(&plan)? };
        let mut rest = 0..self.parts.len();
        // Alone until few bins matter, so that there are no more large arrays than for one part; then with a second thread.
        while !rest.is_empty() && (rest.len() < MANY_PARTS || both.width() > buffers.bins.len() / NARROW_PART)
        {
            both.add(self, &plan, rest.start, &mut buffers)?;
            rest.start += 1;
        }
        let middle = rest.start.midpoint(rest.end);
        let (first, second) = (rest.start..middle, middle..rest.end);
        if !second.is_empty() {
            let mut beside = Both { upper: both.upper.beside().ok()?, lower: both.lower.beside().ok()? };
            let other = thread::scope(|scope| {
                let other = scope.spawn(|| {
                    let mut buffers = Buffers::taken();
                    second.into_iter().try_for_each(|part| beside.add(self, &plan, part, &mut buffers))?;
                    buffers.give_back();
                    Some(beside)
                });
                first.into_iter().try_for_each(|part| both.add(self, &plan, part, &mut buffers))?;
                // A panic there goes on here.
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })?;
            both = Both { upper: both.upper.and(other.upper), lower: both.lower.and(other.lower) };
        }
        let upper = both.upper.finish(&mut buffers).ok()?;
        let lower = both.lower.finish(&mut buffers).ok()?;
        buffers.give_back();
        Some(Law::Tilted { upper, lower })
    }

    /// The composed law above.
    pub(super) fn upper(&self, plan: &LatticePlan) -> Option<Composed<Pessimistic>> {
        let (mut upper, mut buffers) = (self.composition(plan)?, Buffers::taken());
        for ((pair, count), (outcomes, range)) in
            self.parts.iter().zip(self.outcomes.iter().zip(&self.ranges))
        {
            let grid = grid(pair, range, plan.spacing, self.saddle.tilt)?;
            let grid = Grid { offset: plan.moved * plan.spacing, ..grid };
            let law = plan.discretisation.pessimistic(pair, outcomes.as_ref(), grid);
            upper.add(&law, *count, &mut buffers).ok()?;
        }
        let upper = upper.finish(&mut buffers).ok()?;
        buffers.give_back();
        Some(upper)
    }

    /// Does it matter where the points are? Not if they are dense, nor if atoms hold all of them.
    pub(super) fn is_worth_moving(&self, plan: &LatticePlan) -> bool {
        let has_density =
            |outcomes: &Option<Outcomes>| outcomes.as_ref().is_some_and(|some| !some.stretches.is_empty());
        plan.discretisation == Discretisation::ConnectTheDots
            && plan.cells <= FEW_CELLS
            && self.outcomes.iter().any(has_density)
    }

    /// The laws above and below a part, and how often it is used.
    pub(super) fn laws(
        &self,
        plan: &LatticePlan,
        part: usize,
    ) -> Option<(LatticeLaw<Pessimistic>, LatticeLaw<Optimistic>, u64)> {
        let (pair, count) = &self.parts[part];
        let grid = grid(pair, &self.ranges[part], plan.spacing, self.saddle.tilt)?;
        let (how, outcomes) = (plan.discretisation, self.outcomes[part].as_ref());
        let (above, below) = match self.options.spacing {
            // As good as can be on the lattice that was asked for.
            Some(_) => (how.pessimistic(pair, outcomes, grid), how.optimistic(pair, outcomes, grid)),
            None => how.both(pair, outcomes, grid),
        };
        Some((above, below, *count))
    }

    /// The composition outcome by outcome, if there are few and that costs less than the lattice of a plan would.
    pub(super) fn sparse(&self) -> Option<(LatticePlan, Sparse)> {
        let is_wanted =
            self.options.discretisation == Discretisation::ConnectTheDots && self.options.spacing.is_none();
        let are_listed = self.parts.iter().all(|(pair, _)| {
            let (lowest, highest) = pair.finite_losses().into_inner();
            lowest.lower().is_finite() && highest.upper().is_finite()
        });
        if !is_wanted || !are_listed {
            return None;
        }
        let parts: Vec<(&Outcomes, u64)> = (self.parts.iter().zip(&self.outcomes))
            .map(|((_, count), outcomes)| Some((outcomes.as_ref()?, *count)))
            .collect::<Option<_>>()?;
        let outcomes = sparse::count(&parts).filter(|count| *count <= MOST_OUTCOMES)?;
        let plan = self.plan(self.spacing());
        let on_lattice = plan.map_or(f64::INFINITY, |plan| {
            let length = plan.length as f64;
            CELL_COST * plan.cells as f64 + STEP_COST * 4.0 * length * length.log2() * parts.len() as f64
        });
        if outcomes > FEW_OUTCOMES && OUTCOME_COST * outcomes > on_lattice {
            return None;
        }
        let sparse = Sparse::compose(&parts);
        let Saddle { epsilon, delta, tilt, .. } = self.saddle;
        let plan = LatticePlan {
            discretisation: self.options.discretisation,
            convolution: Convolution::Sparse { outcomes: outcomes as usize },
            spacing: 0.0,
            moved: 0.0,
            length: 0,
            cells: 0,
            tilt,
            orders: [self.window.order_below, self.window.order_above],
            epsilon,
            delta,
        };
        (sparse.error() <= SMALL_ERROR * self.options.tolerance).then_some((plan, sparse))
    }
}

/// The outcomes of all parts, leaving out densities below `e^least`, and a sketch of each with its number of uses.
fn sketched(parts: &[(SharedPair, u64)], least: f64) -> (Vec<Option<Outcomes>>, Vec<(Sketch, f64)>) {
    let some = |parts: &[(SharedPair, u64)]| -> Vec<(Option<Outcomes>, (Sketch, f64))> {
        let one = |(pair, count): &(SharedPair, u64)| {
            let outcomes = Outcomes::of(pair, least);
            let sketch = outcomes.as_ref().map_or_else(|| Sketch::of_tails(pair), Sketch::of_outcomes);
            (outcomes, (sketch, *count as f64))
        };
        parts.iter().map(one).collect()
    };
    if parts.len() < MANY_PARTS {
        return some(parts).into_iter().unzip();
    }
    let (first, second) = parts.split_at(parts.len() / 2);
    thread::scope(|scope| {
        let second = scope.spawn(|| some(second));
        let first = some(first);
        // A panic there goes on here.
        let second = second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        first.into_iter().chain(second).unzip()
    })
}

/// What the tolerance allows: a relative width of δ, a window, and the losses that matter.
fn fineness(planner: &Planner, saddle: Saddle, options: Options) -> (f64, Window, Vec<Range>) {
    let allowed = planner.allowed(saddle, options.tolerance);
    let ranges = match options.spacing {
        // The lattice that was asked for, with all its points.
        Some(_) => (planner.ranges(saddle, allowed).into_iter())
            .map(|range| Range::plain(range.bottom, range.top))
            .collect(),
        None => planner.ranges(saddle, allowed),
    };
    (allowed, planner.window(saddle, allowed), ranges)
}

/// The compositions above and below, while parts are being added.
struct Both {
    upper: Composition<Pessimistic>,
    lower: Composition<Optimistic>,
}

impl Both {
    fn add(
        &mut self,
        draft: &Draft<'_>,
        plan: &LatticePlan,
        part: usize,
        buffers: &mut Buffers,
    ) -> Option<()> {
        let (above, below, count) = draft.laws(plan, part)?;
        self.upper.add(&above, count, buffers).ok()?;
        self.lower.add(&below, count, buffers).ok()
    }

    /// How many bins of either matter.
    fn width(&self) -> usize {
        self.upper.width().max(self.lower.width())
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
    let is_narrow = |level: usize| spacing * WIDTHS[level] as f64 * (tilt + 1.0) <= WIDEST;
    let index = |loss: f64| ((loss / spacing).clamp(-2e9, 2e9) as i64).clamp(first - 1, last + 1);
    let mut strides = Strides::NONE;
    let are_all_alike = range.faint_above[0] == f64::INFINITY && range.faint_below[0] == f64::NEG_INFINITY;
    for level in (0..STRIDES).take_while(|level| !are_all_alike && is_narrow(*level)) {
        strides.from[level] = index(range.faint_above[level]);
        strides.to[level] = index(range.faint_below[level]);
    }
    Some(Grid { spacing, first, last, offset, is_cut_below, is_cut_above, strides, lost_per_variance })
}
