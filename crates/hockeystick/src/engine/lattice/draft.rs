//! What is known of a composition before its lattice is made, and how it is made.

use super::{
    compose::Composition,
    composed::weight_norm,
    discretise::{Grid, STRIDES, Strides, WIDTHS},
    groups::{Fineness, Groups, Parts},
    loose_atoms::{LooseAtoms, Twins},
    outcomes::Outcomes,
    plan::{Convolution, Costs, LatticePlan, Options, Planner, Range, Saddle, Window},
    sketch::Sketch,
    sparse::{self, Sparse},
};
use crate::{
    engine::{Goal, masses},
    pair::{Merging, SharedPair, Widths, ZONES},
    two_threads::mapped,
};
use hockeystick_numerics::probability::Probability;
use std::borrow::Cow;

/// The most points of a law that is made from tails: each takes ten microseconds.
const MOST_TAILS: usize = 50_000;
/// By how much a window may be longer than a power of two before it is doubled.
const LITTLE_MORE: f64 = 1.15;
/// The part of the allowed width that round-off may take before anything is done about it.
const HARMLESS_PART: f64 = 0.01;
/// From this many parts on a second thread is worth it.
pub(crate) const MANY_PARTS: usize = 16;
/// The atoms of a part that are kept while the lattice is planned, of many parts.
const ROUGHLY: usize = 1200;
/// How close outcomes are taken together once it is, in spacings: what that costs falls with the square.
const TOGETHER: f64 = 0.25;
/// Where cells may be as wide as these widths, outcomes are taken together so many times as far.
const FAINT: [usize; ZONES] = [2, 5];
/// From so many parts on some may be composed in groups, if that makes the spacing so many times as wide, and takes less time.
const FEWEST_PARTS: usize = 12;
const WORTH_GROUPS: f64 = 2.0;
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
/// And what a product of outcomes takes.
const PRODUCT_COST: f64 = 2.5;
/// The most products of outcomes of a group.
const MOST_PRODUCTS: f64 = 5e8;
/// The part of the time for a lattice without groups that one with groups may take.
const MOST_PART: f64 = 0.6;
/// After so many different parts few bins are left to transform to.
const TRANSFORMED_PARTS: usize = 32;

/// What is known before the spacing is.
pub(crate) struct Draft<'a> {
    pub(crate) parts: &'a [(SharedPair, u64)],
    pub(crate) outcomes: Vec<Option<Outcomes>>,
    /// The logarithm of probabilities that do not matter.
    least: f64,
    twins: Option<Twins>,
    /// What the atoms of one use of each part cost.
    loose: Vec<LooseAtoms>,
    pub(crate) ranges: Vec<Range>,
    pub(crate) groups: Groups,
    planner: Planner,
    pub(crate) goal: Goal,
    pub(crate) options: Options,
    pub(crate) saddle: Saddle,
    allowed: f64,
    window: Window,
    pub(crate) infinite: Probability,
}

impl<'a> Draft<'a> {
    /// The options may depend on the saddle point.
    pub(crate) fn new(
        parts: &'a [(SharedPair, u64)],
        goal: Goal,
        options: impl Fn(Saddle) -> Options,
    ) -> Option<Self> {
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
        let planner = Planner::new(sketches, goal, infinite.value().midpoint());
        let saddle = planner.saddle();
        let options = options(saddle);
        let (allowed, window, ranges) = fineness(&planner, saddle, options);
        // The likeliest atom of a part is on the lattice, and so is the second of the twins.
        let loose = (outcomes.iter().enumerate())
            .map(|(part, outcomes)| {
                let fixed = if twins.is_some_and(|twins| twins.part == part) { 2 } else { 1 };
                outcomes
                    .as_ref()
                    .map_or_else(LooseAtoms::default, |outcomes| LooseAtoms::of(outcomes, fixed, saddle.tilt))
            })
            .collect();
        let draft = Self {
            parts,
            outcomes,
            least,
            twins,
            loose,
            ranges,
            groups: Groups::none(parts),
            planner,
            goal,
            options,
            saddle,
            allowed,
            window,
            infinite,
        };
        Some(draft.grouped())
    }

    /// The same with other options.
    pub(crate) fn with(self, options: Options) -> Self {
        let (allowed, window, ranges) = fineness(&self.planner, self.saddle, options);
        let groups = Groups::none(self.parts);
        Self { options, allowed, window, ranges, groups, ..self }.grouped()
    }

    /// Are the method and the grid left to the engine?
    fn is_free(&self) -> bool {
        self.options.discretisation.is_adaptive() && self.options.spacing.is_none()
    }

    /// With parts in groups, if that allows for a much wider spacing.
    fn grouped(self) -> Self {
        if !self.is_free() || self.parts.len() < FEWEST_PARTS {
            return self;
        }
        let costs = self.costs(&self.groups);
        let least = WORTH_GROUPS * self.exact_spacing(&costs);
        let without_atoms = Costs { atoms: LooseAtoms::default(), ..costs };
        let ideal = self.exact_spacing(&without_atoms);
        if ideal < least {
            return self;
        }
        let alone = self.plan(self.spacing()).map_or(f64::INFINITY, |plan| self.time(&plan));
        // (If there is no lattice without groups, there is no time to compare with.)
        let most_products = if alone.is_finite() { MOST_PART * alone / PRODUCT_COST } else { MOST_PRODUCTS };
        let groups = Groups::of(self.all(), Fineness { most_products, ..self.fineness(ideal) });
        let spacing = self.exact_spacing(&self.costs(&groups));
        // There are more cells and more bins in a finer lattice.
        let products = groups.products * (ideal / spacing).powi(2);
        let together = self.plan(spacing).map_or(f64::INFINITY, |plan| self.time(&plan));
        let is_better = spacing >= least && together + PRODUCT_COST * products <= MOST_PART * alone;
        if is_better { Self { groups, ..self } } else { self }
    }

    /// About how long it takes to build the laws of a plan and to compose them, in nanoseconds.
    fn time(&self, plan: &LatticePlan) -> f64 {
        let (length, parts) = (plan.length as f64, self.parts.len().min(TRANSFORMED_PARTS) as f64);
        CELL_COST * plan.cells as f64 + STEP_COST * 4.0 * length * length.log2() * parts
    }

    /// What a spacing costs.
    fn costs(&self, groups: &Groups) -> Costs {
        let alone = self.loose.iter().zip(&groups.alone);
        let atoms = alone.fold(groups.loose, |sum, (loose, count)| sum.and(*count as f64, *loose));
        let uses = groups.alone.iter().map(|count| *count as f64).sum();
        Costs { uses, grouped: groups.squares, atoms }
    }

    fn exact_spacing(&self, costs: &Costs) -> f64 {
        self.planner.spacing(self.saddle, self.allowed, self.options.discretisation, costs)
    }

    /// How fine groups are on a lattice of a spacing.
    pub(crate) fn fineness(&self, spacing: f64) -> Fineness {
        let share = self.planner.share(self.allowed);
        Fineness { spacing, tilt: self.saddle.tilt, share, most_products: MOST_PRODUCTS }
    }

    /// The outcomes of a part, as closely as a lattice of a spacing needs them.
    pub(crate) fn outcomes_for(&self, part: usize, spacing: f64) -> Option<Cow<'_, Outcomes>> {
        let known = self.outcomes[part].as_ref()?;
        if !known.are_merged() {
            return Some(Cow::Borrowed(known));
        }
        let Range { faint_below, faint_above, .. } = self.ranges[part];
        let zones = FAINT.map(|level| (faint_below[level], faint_above[level], WIDTHS[level] as f64));
        let widths = Widths { width: TOGETHER * spacing, zones };
        Outcomes::merged(&self.parts[part].0, self.least, Merging::Within(widths)).map(Cow::Owned)
    }

    pub(crate) fn all(&self) -> Parts<'_> {
        Parts { parts: self.parts, outcomes: &self.outcomes, ranges: &self.ranges }
    }

    /// The spacing for the tolerance, or one a little coarser that halves the window.
    pub(crate) fn spacing(&self) -> f64 {
        self.spacing_for(&self.groups)
    }

    fn spacing_for(&self, groups: &Groups) -> f64 {
        let spacing = self.exact_spacing(&self.costs(groups));
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
    pub(crate) fn plan(&self, spacing: f64) -> Option<LatticePlan> {
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
            groups: self.groups.groups.len(),
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
    pub(crate) fn composition<Side>(&self, plan: &LatticePlan) -> Option<Composition<Side>> {
        let LatticePlan { spacing, length, tilt, orders, .. } = *plan;
        Composition::new(length, spacing, tilt, orders, self.harmless(plan)).ok()
    }

    /// Does it matter where the points are? Not if they are dense, nor if atoms hold all of them.
    pub(crate) fn is_worth_moving(&self, plan: &LatticePlan) -> bool {
        let has_density =
            |outcomes: &Option<Outcomes>| outcomes.as_ref().is_some_and(|some| !some.stretches.is_empty());
        plan.discretisation.is_adaptive() && plan.cells <= FEW_CELLS && self.outcomes.iter().any(has_density)
    }

    /// The composition outcome by outcome, if there are few and that costs less than the lattice of a plan would.
    pub(crate) fn sparse(&self) -> Option<(LatticePlan, Sparse)> {
        let are_listed = self.parts.iter().all(|(pair, _)| {
            let (lowest, highest) = pair.finite_losses().into_inner();
            lowest.lower().is_finite() && highest.upper().is_finite()
        });
        if !self.is_free() || !are_listed {
            return None;
        }
        let parts: Vec<(&Outcomes, u64)> = (self.parts.iter().zip(&self.outcomes))
            .map(|((_, count), outcomes)| Some((outcomes.as_ref()?, *count)))
            .map(|part| part.filter(|(outcomes, _)| !outcomes.are_merged()))
            .collect::<Option<_>>()?;
        // What is not listed counts as giving the input away.
        let missing: f64 = parts.iter().map(|(outcomes, count)| *count as f64 * outcomes.missing).sum();
        if missing > SMALL_ERROR * self.options.tolerance * self.saddle.delta {
            return None;
        }
        let outcomes = sparse::count(&parts).filter(|count| *count <= MOST_OUTCOMES)?;
        // (As it would be without groups: what is composed one by one is narrower.)
        let plan = self.plan(self.spacing_for(&Groups::none(self.parts)));
        let on_lattice = plan.map_or(f64::INFINITY, |plan| self.time(&plan));
        if outcomes > FEW_OUTCOMES && OUTCOME_COST * outcomes > on_lattice {
            return None;
        }
        let sparse = Sparse::compose(&parts, missing * (1.0 + 1e-9));
        let Saddle { epsilon, delta, tilt, .. } = self.saddle;
        let plan = LatticePlan {
            discretisation: self.options.discretisation,
            convolution: Convolution::Sparse { outcomes: outcomes as usize },
            spacing: 0.0,
            moved: 0.0,
            length: 0,
            cells: 0,
            groups: 0,
            tilt,
            orders: [self.window.order_below, self.window.order_above],
            epsilon,
            delta,
        };
        (sparse.error() <= SMALL_ERROR * self.options.tolerance).then_some((plan, sparse))
    }
}

/// The outcomes of all parts, leaving out densities below `e^least`, and a sketch of each with its number of uses. Of many parts those with
/// many outcomes are shown roughly.
fn sketched(parts: &[(SharedPair, u64)], least: f64) -> (Vec<Option<Outcomes>>, Vec<(Sketch, f64)>) {
    let merging = if parts.len() < MANY_PARTS { Merging::Nothing } else { Merging::Into(ROUGHLY) };
    let one = |(pair, count): &(SharedPair, u64)| {
        let outcomes = Outcomes::merged(pair, least, merging);
        let sketch = outcomes.as_ref().map_or_else(
            || Sketch::of_tails(pair),
            |outcomes| Sketch::of_outcomes(outcomes, least, parts.len()),
        );
        (outcomes, (sketch, *count as f64))
    };
    mapped(parts, MANY_PARTS, one).into_iter().unzip()
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

/// The points that cover the losses of a pair in a range, or all of them where that is no more.
pub(crate) fn grid(pair: &SharedPair, range: &Range, spacing: f64, tilt: f64) -> Option<Grid> {
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
