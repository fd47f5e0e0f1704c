//! The choice of method and grid: pure functions of plain numbers.
//!
//! In: [`Facts`], and what composing in groups would bring. Out: a [`LatticePlan`] that says everything that was chosen.
//!
//! # Guarantee
//! None is needed: every plan encloses. A bad one is wide or slow.

mod facts;
mod plan;

pub(crate) use facts::{Enumeration, Facts, Grouping, PartFacts};
pub use plan::{Convolution, LatticePlan};

use super::{
    convolve::BinSources,
    discretise::Gap,
    estimate::{LooseAtoms, Saddle},
    grid::Grid,
    tuning::Tuning,
};

/// The plan: outcome by outcome if that is less work, else on the grid that the tolerance asks for. `None` if that has too many points.
pub(crate) fn choose(facts: &Facts, grouping: &Grouping, tuning: &Tuning) -> Option<LatticePlan> {
    enumerated(facts, tuning).or_else(|| on_grid(facts, grouping, spacing(facts, grouping, tuning), tuning))
}

/// The plan without a grid, if that is possible and less work than the grid without groups would be.
fn enumerated(facts: &Facts, tuning: &Tuning) -> Option<LatticePlan> {
    let Enumeration { outcomes, missing } = facts.enumeration.filter(|_| facts.options.is_free())?;
    let error = tuning.enumeration_error * facts.options.tolerance;
    if missing > error * facts.saddle.delta || outcomes > tuning.most_outcomes {
        return None;
    }
    let alone = facts.ungrouped();
    let work = outcomes * tuning.outcome_cost;
    if outcomes > tuning.few_outcomes
        && work > work_on_grid(facts, &alone, spacing(facts, &alone, tuning), tuning)
    {
        return None;
    }
    Some(LatticePlan {
        convolution: Convolution::Sparse { outcomes: outcomes as usize },
        spacing: 0.0,
        length: 0,
        cells: 0,
        groups: 0,
        tilt: facts.saddle.tilt,
        ..blank(facts)
    })
}

/// The plan for a spacing; `None` if it takes too many points.
pub(crate) fn on_grid(
    facts: &Facts,
    grouping: &Grouping,
    spacing: f64,
    tuning: &Tuning,
) -> Option<LatticePlan> {
    let spacing = if facts.options.spacing.is_some() { spacing } else { snapped(facts, spacing) };
    let most = facts.options.most_points;
    let length = facts.window.points(spacing).filter(|length| *length <= most)?;
    let mut cells = 0;
    for part in &facts.parts {
        let own = Grid::covering(&part.losses, &part.range, spacing, facts.saddle.tilt)?.len();
        if own > if part.has_outcomes { most } else { most.min(tuning.most_tails) } {
            return None;
        }
        cells += own;
    }
    Some(LatticePlan { spacing, length, cells, groups: grouping.groups, ..blank(facts) })
}

fn blank(facts: &Facts) -> LatticePlan {
    LatticePlan {
        discretisation: facts.options.discretisation,
        convolution: Convolution::Tilted,
        spacing: 0.0,
        moved: 0.0,
        length: 0,
        cells: 0,
        groups: 0,
        bins: BinSources::default(),
        tilt: facts.window.tilt,
        orders: [facts.window.order_below, facts.window.order_above],
        epsilon: facts.saddle.epsilon,
        delta: facts.saddle.delta,
    }
}

/// The spacing for the tolerance, or one a little coarser that halves the window.
pub(crate) fn spacing(facts: &Facts, grouping: &Grouping, tuning: &Tuning) -> f64 {
    let spacing = exact_spacing(facts, grouping, tuning);
    let points = facts.window.period / spacing + 2.0;
    let excess = points / points.log2().floor().exp2();
    if excess < tuning.rounded_down { spacing * excess * (1.0 + 1e-3) } else { spacing }
}

/// The spacing for which the upper and the lower δ should differ by the allowed width.
fn exact_spacing(facts: &Facts, grouping: &Grouping, tuning: &Tuning) -> f64 {
    let alone = facts.parts.iter().zip(&grouping.alone);
    let atoms = alone.fold(grouping.loose, |sum, (part, count)| sum.and(*count as f64, part.loose));
    spacing_with(facts, grouping, atoms, tuning)
}

/// The root of the [`Gap`], the atoms being given.
fn spacing_with(facts: &Facts, grouping: &Grouping, atoms: LooseAtoms, tuning: &Tuning) -> f64 {
    let (c, discretisation) = (facts.saddle.tilt, facts.options.discretisation);
    let uses = grouping.alone.iter().map(|count| *count as f64).sum();
    let Gap { linear, square } = discretisation.gap(uses, atoms, c);
    let wider = if discretisation.is_adaptive() { tuning.cost_of_wide_cells() } else { 1.0 };
    let square = square * wider + c * (c + 1.0) * grouping.squares;
    let share =
        if facts.parts.len() < tuning.slow_to_refine { tuning.gap_share } else { tuning.safe_gap_share };
    spacing_of_gap(Gap { linear, square }, share * facts.allowed, facts.saddle)
}

/// The spacing at which a gap is as wide as wanted; never so coarse that the composed law has no shape.
fn spacing_of_gap(Gap { linear, square }: Gap, wanted: f64, saddle: Saddle) -> f64 {
    let spacing = 2.0 * wanted / (linear + (linear * linear + 4.0 * square * wanted).sqrt());
    let coarsest = (0.25 * saddle.deviation).max(1e-12).min(0.25 / (saddle.tilt + 1.0));
    spacing.min(coarsest).max(1e-12)
}

/// A spacing, a little finer, of which the distance of the likeliest atoms is a multiple.
fn snapped(facts: &Facts, spacing: f64) -> f64 {
    match facts.atom_distance {
        Some(distance) if distance > spacing => distance / (distance / spacing).ceil(),
        Some(_) | None => spacing,
    }
}

/// About how long the laws of a plan take to be made and composed, in nanoseconds; ∞ if there is no such plan.
fn work_on_grid(facts: &Facts, grouping: &Grouping, spacing: f64, tuning: &Tuning) -> f64 {
    on_grid(facts, grouping, spacing, tuning).map_or(f64::INFINITY, |plan| {
        let transforms = facts.parts.len().min(tuning.transformed_parts) as f64;
        let length = plan.length as f64;
        tuning.cell_cost * plan.cells as f64
            + tuning.transform_cost * 4.0 * length * length.log2() * transforms
    })
}

/// What groups are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GroupGoal {
    /// The spacing that would do if atoms cost nothing.
    pub(crate) spacing: f64,
    /// How many products of outcomes all groups may take.
    pub(crate) most_products: f64,
}

/// Is it worth looking for groups, and for which?
pub(crate) fn group_goal(facts: &Facts, tuning: &Tuning) -> Option<GroupGoal> {
    if !facts.options.is_free() || facts.parts.len() < tuning.parts_for_groups {
        return None;
    }
    let alone = facts.ungrouped();
    let ideal = spacing_with(facts, &alone, LooseAtoms::default(), tuning);
    if ideal < tuning.group_gain * exact_spacing(facts, &alone, tuning) {
        return None;
    }
    let work = work_on_grid(facts, &alone, spacing(facts, &alone, tuning), tuning);
    // (If there is no lattice without groups, there is no work to compare with.)
    let most_products =
        if work.is_finite() { tuning.group_work * work / tuning.product_cost } else { tuning.most_products };
    Some(GroupGoal { spacing: ideal, most_products })
}

/// Are these groups worth it: a much wider spacing for less work?
pub(crate) fn takes_groups(facts: &Facts, grouping: &Grouping, goal: GroupGoal, tuning: &Tuning) -> bool {
    let alone = facts.ungrouped();
    let found = exact_spacing(facts, grouping, tuning);
    // There are more cells and more bins in a finer lattice.
    let products = grouping.products * (goal.spacing / found).powi(2);
    let work = work_on_grid(facts, grouping, found, tuning) + tuning.product_cost * products;
    let work_alone = work_on_grid(facts, &alone, spacing(facts, &alone, tuning), tuning);
    found >= tuning.group_gain * exact_spacing(facts, &alone, tuning)
        && work <= tuning.group_work * work_alone
}

/// Does it matter where within a spacing the points are? Not if they are dense, nor if atoms hold all of them.
pub(crate) fn is_worth_moving(facts: &Facts, plan: &LatticePlan, tuning: &Tuning) -> bool {
    plan.discretisation.is_adaptive()
        && plan.cells <= tuning.few_cells
        && facts.parts.iter().any(|part| part.has_density)
}

#[cfg(test)]
mod tests;
