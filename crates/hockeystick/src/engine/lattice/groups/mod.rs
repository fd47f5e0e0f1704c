//! Parts with atoms, composed in groups before they are put on the grid: for the optimistic law.
//!
//! In: parts with atoms, and a spacing. Out: the groups, and the optimistic law of each.
//!
//! One atom of a part can be a point of the grid. Another is merged with its neighbour; if that is far away, the cost is linear in the spacing. The
//! outcomes of a dozen parts composed lie close to each other, and merging them costs the square of the spacing, as for a density.
//!
//! # Guarantee
//! The law of a group is dominated by the composition of its parts: merging and dropping outcomes is post-processing.

mod binned;
mod layers;
mod outcome_list;

use super::{
    choice::{Facts, Grouping, PartFacts},
    discretise::merged,
    estimate::LooseAtoms,
    grid::{Grid, Strides},
    law::{LatticeLaw, Optimistic},
    outcomes::Outcomes,
    tuning::TUNING,
};
use crate::pair::SharedPair;
use binned::{Binned, Binning};
use hockeystick_numerics::enclosure::Enclosure;
use layers::layers;
use outcome_list::OutcomeList;

/// `√(2πe)`: a normal law has the entropy of a uniform law of this many standard deviations.
const ENTROPY_WIDTH: f64 = 4.13;

/// The parameters of groups.
#[derive(Clone, Copy)]
pub(crate) struct Fineness {
    pub(crate) spacing: f64,
    pub(crate) tilt: f64,
    /// The share of the tilted law that may be dropped, per part.
    pub(crate) share: f64,
    /// The limit on products of outcomes, for all groups.
    pub(crate) most_products: f64,
}

/// The parts with their outcomes and facts.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) parts: &'a [(SharedPair, u64)],
    pub(crate) outcomes: &'a [Option<Outcomes>],
    pub(crate) facts: &'a [PartFacts],
}

/// Parts that are composed together, each once, and the count of their composition.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) parts: Vec<usize>,
    pub(crate) uses: u64,
}

/// The groups, and their effect in numbers.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<Group>,
    pub(crate) grouping: Grouping,
}

impl Groups {
    /// No groups.
    pub(crate) fn none(facts: &Facts) -> Self {
        Self { groups: Vec::new(), grouping: facts.ungrouped() }
    }

    /// Groups of the parts whose atoms dominate their cost, as small as they can be.
    pub(crate) fn of(all: Parts<'_>, facts: &Facts, fineness: Fineness) -> Self {
        let Self { mut groups, grouping: mut found } = Self::none(facts);
        let candidates: Vec<(usize, u64)> = (all.parts.iter().enumerate())
            .filter(|(part, _)| all.is_better_off_in_a_group(*part, fineness))
            .map(|(part, (_, count))| (part, *count))
            .collect();
        for layer in layers(&candidates) {
            let members: Vec<(usize, OutcomeList)> = layer
                .parts
                .iter()
                .filter_map(|part| Some((*part, all.list(*part, fineness.spacing)?)))
                .collect();
            let Some(dealt) = dealt(members, layer.uses, fineness) else { continue };
            // The groups of a layer are similar, so the first is a sample.
            let number = dealt.len() as f64;
            let most_products = fineness.most_products / number.max(TUNING.fewest_sampled);
            let of_one = Fineness { most_products, ..fineness };
            let Some(sample) = dealt.first().and_then(|group| all.binned(group, of_one)) else { continue };
            let uses = number * layer.uses as f64;
            let gap = sample.gap(fineness.tilt);
            found.loose = found.loose.and(1.0, LooseAtoms::one(uses, gap, fineness.tilt));
            found.products += number * sample.products;
            for part in dealt.iter().flat_map(|group| &group.parts) {
                found.alone[*part] -= layer.uses;
                found.squares += layer.uses as f64 * all.square(*part);
            }
            groups.extend(dealt);
        }
        found.groups = groups.len();
        Self { groups, grouping: found }
    }
}

/// Distributes parts over as many groups as possible, each with outcomes close to each other or the maximal number of parts. `None` if there
/// are too few parts.
fn dealt(mut members: Vec<(usize, OutcomeList)>, uses: u64, fineness: Fineness) -> Option<Vec<Group>> {
    let count = members.len() as f64;
    let (mut entropy, mut variance) = (0.0, 0.0);
    for (_, list) in &members {
        let tilted = list.tilted(fineness.tilt);
        entropy += tilted.entropy / count;
        variance += tilted.variance / count;
    }
    let is_close = |size: usize| {
        let m = size as f64;
        ENTROPY_WIDTH * (variance * m).sqrt()
            <= TUNING.close_outcomes * fineness.spacing * (entropy * m).exp()
    };
    let most = TUNING.most_in_group.min(members.len());
    let size = (2..=most).find(|size| is_close(*size) || *size == most)?;
    members.sort_by_key(|(_, list)| list.outcomes.len());
    let number = members.len() / size;
    let nth = |group: usize| members.iter().skip(group).step_by(number).map(|(part, _)| *part).collect();
    Some((0..number).map(|group| Group { parts: nth(group), uses }).collect())
}

impl Parts<'_> {
    fn is_better_off_in_a_group(&self, part: usize, Fineness { spacing, tilt, .. }: Fineness) -> bool {
        let Some(outcomes) = &self.outcomes[part] else { return false };
        let atoms = LooseAtoms::of(outcomes, 1, tilt).merged;
        // Both costs of one use at this spacing, over c.
        let (linear, square) = (0.5 * atoms * spacing, (tilt + 1.0) / 8.0 * spacing * spacing);
        linear > TUNING.atoms_for_groups * square
            && OutcomeList::count(outcomes, &self.facts[part].range, spacing) <= TUNING.most_in_part
    }

    fn list(&self, part: usize, spacing: f64) -> Option<OutcomeList> {
        Some(OutcomeList::of(self.outcomes[part].as_ref()?, &self.facts[part].range, spacing))
    }

    /// The quadratic cost of one use of a part in a group, over `c(c+1)`: the upper law splits all but the likeliest atom, which adds `Δ²/6` to
    /// the variance; bins and cells of the lower law remove some.
    fn square(&self, part: usize) -> f64 {
        let atom = self.outcomes[part].as_ref().and_then(Outcomes::likeliest_atom);
        let on_lattice = atom.map_or(0.0, |atom| atom.p.midpoint());
        0.5 * ((1.0 - on_lattice) / 6.0
            + 1.0 / (12.0 * TUNING.bins_per_spacing * TUNING.bins_per_spacing)
            + TUNING.lost_variance)
    }

    fn binned(&self, group: &Group, fineness: Fineness) -> Option<Binned> {
        let Fineness { spacing, tilt, share, most_products } = fineness;
        let lists: Vec<OutcomeList> =
            group.parts.iter().map(|part| self.list(*part, spacing)).collect::<Option<_>>()?;
        Binning { width: spacing / TUNING.bins_per_spacing, tilt, share, most_products }.of(&lists)
    }

    /// The optimistic law of a group.
    pub(crate) fn law(&self, group: &Group, fineness: Fineness) -> Option<LatticeLaw<Optimistic>> {
        let outcomes = self.binned(group, fineness)?.outcomes();
        let log_finite = group.parts.iter().fold(Enclosure::ZERO, |sum, part| {
            let infinite = self.parts[*part].0.infinite_mass().value().lower();
            sum + Enclosure::point(-infinite).ln_1p()
        });
        let infinite = (-log_finite.exp_m1()).lower().max(0.0);
        let Fineness { spacing, tilt, .. } = fineness;
        let (low, high) = (outcomes.atoms.first()?.loss.lower(), outcomes.atoms.last()?.loss.upper());
        let reach = low.abs().max(high.abs()) / spacing;
        if reach.is_nan() || reach >= 1e9 {
            return None;
        }
        let grid = Grid {
            spacing,
            first: (low / spacing).floor() as i64 - 2,
            last: (high / spacing).ceil() as i64 + 2,
            offset: 0.0,
            is_cut_below: false,
            is_cut_above: false,
            strides: Strides::NONE,
            lost_per_variance: 0.5 * (tilt + 1.0),
        };
        merged(infinite, &outcomes, grid)
    }
}

#[cfg(test)]
mod tests;
