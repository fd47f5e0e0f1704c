//! The input of a composition: parts, question, and the facts from which method and grid are chosen.

use super::{
    choice::{Enumeration, Facts, LatticePlan, PartFacts, group_goal, takes_groups},
    enumerate,
    estimate::{Estimate, LooseAtoms, PointMasses, Saddle, Twins},
    grid::LossRange,
    groups::{Fineness, Groups, Parts},
    options::Options,
    outcomes::Outcomes,
    tuning::{TUNING, WIDTHS},
};
use crate::{
    engine::{Goal, masses},
    pair::{Merging, SharedPair, Widths},
    two_threads::mapped,
};
use hockeystick_numerics::probability::Probability;
use std::borrow::Cow;

/// Parts with their outcomes, a question, and the facts for the choice.
pub(crate) struct Problem<'a> {
    pub(crate) parts: &'a [(SharedPair, u64)],
    pub(crate) goal: Goal,
    /// `None` for a pair that only offers tail probabilities.
    outcomes: Vec<Option<Outcomes>>,
    /// Log densities and log masses below this are truncated.
    log_floor: f64,
    estimate: Estimate,
    pub(crate) facts: Facts,
    pub(crate) groups: Groups,
    pub(crate) infinite: Probability,
}

impl<'a> Problem<'a> {
    /// The options may depend on the saddle point.
    pub(crate) fn new(
        parts: &'a [(SharedPair, u64)],
        goal: Goal,
        options: impl Fn(Saddle) -> Options,
    ) -> Option<Self> {
        let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
        // Smaller probabilities are negligible next to δ, or underflow.
        let log_floor = match goal {
            Goal::Delta { .. } => -740.0,
            Goal::Epsilon { delta } => (delta.ln() - uses.ln() - 60.0).max(-740.0),
        };
        let (outcomes, laws) = listed(parts, log_floor);
        if laws.iter().any(|(law, _)| law.is_empty()) {
            return None;
        }
        let infinite = masses::infinite_mass(parts);
        let estimate = Estimate::new(laws, goal, infinite.value().midpoint());
        let saddle = estimate.saddle();
        let facts = facts(parts, &outcomes, &estimate, saddle, options(saddle));
        let groups = Groups::none(&facts);
        Some(Self { parts, goal, outcomes, log_floor, estimate, facts, groups, infinite }.grouped())
    }

    /// The same with other options.
    pub(crate) fn with(self, options: Options) -> Self {
        let facts = facts(self.parts, &self.outcomes, &self.estimate, self.facts.saddle, options);
        let groups = Groups::none(&facts);
        Self { facts, groups, ..self }.grouped()
    }

    /// With parts in groups, if that allows a much coarser grid.
    fn grouped(self) -> Self {
        let Some(goal) = group_goal(&self.facts, &TUNING) else { return self };
        let fineness = Fineness { most_products: goal.most_products, ..self.fineness(goal.spacing) };
        let groups = Groups::of(self.all(), &self.facts, fineness);
        let is_better = takes_groups(&self.facts, &groups.grouping, goal, &TUNING);
        if is_better { Self { groups, ..self } } else { self }
    }

    /// The parameters of groups for a grid of this spacing.
    pub(crate) fn fineness(&self, spacing: f64) -> Fineness {
        let Facts { saddle, share, .. } = self.facts;
        Fineness { spacing, tilt: saddle.tilt, share, most_products: TUNING.most_products }
    }

    /// The outcomes of a part, at the resolution that a grid of this spacing needs.
    pub(crate) fn outcomes_for(&self, part: usize, spacing: f64) -> Option<Cow<'_, Outcomes>> {
        let known = self.outcomes[part].as_ref()?;
        if !known.are_merged() {
            return Some(Cow::Borrowed(known));
        }
        let LossRange { rare_below, rare_above, .. } = self.facts.parts[part].range;
        let zones =
            TUNING.merged_zones.map(|level| (rare_below[level], rare_above[level], WIDTHS[level] as f64));
        let widths = Widths { width: TUNING.merged_width * spacing, zones };
        Outcomes::merged(&self.parts[part].0, self.log_floor, Merging::Within(widths)).map(Cow::Owned)
    }

    pub(crate) fn all(&self) -> Parts<'_> {
        Parts { parts: self.parts, outcomes: &self.outcomes, facts: &self.facts.parts }
    }

    /// The outcomes of all parts with their counts, if each is listed by itself.
    pub(crate) fn atoms(&self) -> Option<Vec<(&Outcomes, u64)>> {
        atoms(self.parts, &self.outcomes)
    }

    /// The error of a spectrum, in the 2-norm, that is negligible beside the allowed width: the share of one part. `weight_norm` is the
    /// 2-norm of the weights in the sum for δ.
    pub(crate) fn harmless(&self, plan: &LatticePlan, weight_norm: f64) -> f64 {
        let Facts { allowed, saddle, .. } = self.facts;
        let wanted = TUNING.negligible * allowed * saddle.delta_per_scale;
        wanted * (plan.length as f64).sqrt() / weight_norm / self.parts.len() as f64
    }
}

/// The outcomes of all parts with probabilities above `e^log_floor`, and each law as point masses with its count. If there are many parts,
/// long lists of atoms are merged to a coarse list.
fn listed(parts: &[(SharedPair, u64)], log_floor: f64) -> (Vec<Option<Outcomes>>, Vec<(PointMasses, f64)>) {
    let is_one_thread = parts.len() < TUNING.many_parts;
    let merging = if is_one_thread { Merging::Nothing } else { Merging::Into(TUNING.listed_atoms) };
    let one = |(pair, count): &(SharedPair, u64)| {
        let outcomes = Outcomes::merged(pair, log_floor, merging);
        let law = outcomes.as_ref().map_or_else(
            || PointMasses::of_tails(pair),
            |outcomes| PointMasses::of_outcomes(outcomes, log_floor, parts.len()),
        );
        (outcomes, (law, *count as f64))
    };
    mapped(parts, TUNING.many_parts, one).into_iter().unzip()
}

/// The facts of a composition.
fn facts(
    parts: &[(SharedPair, u64)],
    outcomes: &[Option<Outcomes>],
    estimate: &Estimate,
    saddle: Saddle,
    options: Options,
) -> Facts {
    let allowed = estimate.allowed(saddle, options.tolerance);
    let twins = Twins::of(parts, outcomes);
    let ranges = estimate.ranges(saddle, allowed);
    let of_part = |part: usize, range: LossRange| {
        let (pair, count) = &parts[part];
        let outcomes = outcomes[part].as_ref();
        // The likeliest atom of a part is a point of its grid; for one part, the spacing makes the second likeliest a point, too.
        let fixed = if twins.is_some_and(|twins| twins.part == part) { 2 } else { 1 };
        PartFacts {
            count: *count,
            losses: pair.finite_losses(),
            // With a requested spacing all points are used.
            range: if options.spacing.is_some() { LossRange::plain(range.bottom, range.top) } else { range },
            has_outcomes: outcomes.is_some(),
            has_density: outcomes.is_some_and(|outcomes| !outcomes.stretches.is_empty()),
            loose: outcomes
                .map_or_else(LooseAtoms::default, |outcomes| LooseAtoms::of(outcomes, fixed, saddle.tilt)),
        }
    };
    let of_parts: Vec<PartFacts> =
        ranges.into_iter().enumerate().map(|(part, range)| of_part(part, range)).collect();
    Facts {
        options,
        saddle,
        window: estimate.window(saddle, allowed),
        allowed,
        share: estimate.share(allowed),
        atom_distance: twins.map(|twins| twins.distance),
        enumeration: enumeration(parts, outcomes, &of_parts),
        parts: of_parts,
    }
}

/// The size of the enumeration, if all parts are discrete with bounded losses.
fn enumeration(
    parts: &[(SharedPair, u64)],
    outcomes: &[Option<Outcomes>],
    facts: &[PartFacts],
) -> Option<Enumeration> {
    let are_bounded = facts
        .iter()
        .all(|part| part.losses.start().lower().is_finite() && part.losses.end().upper().is_finite());
    let atoms = atoms(parts, outcomes).filter(|_| are_bounded)?;
    // Outcomes that are not listed count as an infinite loss.
    let missing = atoms.iter().map(|(outcomes, count)| *count as f64 * outcomes.missing).sum();
    Some(Enumeration { outcomes: enumerate::count(&atoms)?, missing })
}

fn atoms<'o>(
    parts: &[(SharedPair, u64)],
    outcomes: &'o [Option<Outcomes>],
) -> Option<Vec<(&'o Outcomes, u64)>> {
    (parts.iter().zip(outcomes))
        .map(|((_, count), outcomes)| Some((outcomes.as_ref()?, *count)))
        .map(|part| part.filter(|(outcomes, _)| !outcomes.are_merged()))
        .collect()
}
