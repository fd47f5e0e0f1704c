//! The laws of all parts on a lattice, composed.

use super::{
    buffers::Buffers,
    compose::Composition,
    composed::Composed,
    composition::Law,
    discretise::Grid,
    draft::{Draft, MANY_PARTS, grid},
    law::{LatticeLaw, Optimistic, Pessimistic},
    plan::LatticePlan,
};
use crate::two_threads::mapped;
use hockeystick_numerics::limits::{check, helped};
use std::thread;

/// The part of all bins that may matter before there are two compositions.
const NARROW_PART: usize = 4;
/// How many steps' laws are made at once before that.
const AT_ONCE: usize = 16;

/// What is put on the lattice next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A part: above, and below as often as it is used outside of groups.
    Part(usize),
    /// A group of parts: below only.
    Group(usize),
}

/// The laws of a step, with how often they are used.
pub(crate) struct StepLaws {
    pub(crate) upper: Option<(LatticeLaw<Pessimistic>, u64)>,
    pub(crate) lower: Vec<(LatticeLaw<Optimistic>, u64)>,
}

impl Draft<'_> {
    /// All parts and groups. Groups are spread evenly, so that both laws have few bins that matter after few of them.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let (parts, groups) = (self.parts.len(), self.groups.groups.len());
        let mut steps = Vec::with_capacity(parts + groups);
        let mut next = 0;
        for part in 0..parts {
            while next < groups && next * parts <= part * groups {
                steps.push(Step::Group(next));
                next += 1;
            }
            steps.push(Step::Part(part));
        }
        steps.extend((next..groups).map(Step::Group));
        steps
    }

    /// Both laws on the lattice of a plan.
    pub(crate) fn build(&self, plan: LatticePlan) -> Option<Law> {
        let mut buffers = Buffers::taken();
        let mut both = Both { upper: self.composition(&plan)?, lower: self.composition(&plan)? };
        let steps = self.steps();
        let mut rest = steps.as_slice();
        // One composition until few bins matter, so that there are no more large arrays than for one part; then two, by two threads.
        while !rest.is_empty() && (rest.len() < MANY_PARTS || both.width() > buffers.bins.len() / NARROW_PART)
        {
            let next;
            (next, rest) = rest.split_at(rest.len().min(if steps.len() < MANY_PARTS { 1 } else { AT_ONCE }));
            for laws in mapped(next, AT_ONCE, |step| self.laws(&plan, *step)) {
                both.add(laws?, &mut buffers)?;
            }
        }
        if !rest.is_empty() {
            let [first, second] = halves(rest);
            let mut beside = Both { upper: both.upper.beside().ok()?, lower: both.lower.beside().ok()? };
            let other = thread::scope(|scope| {
                let other = helped(scope, || {
                    let mut buffers = Buffers::taken();
                    second.iter().try_for_each(|step| beside.add(self.laws(&plan, *step)?, &mut buffers))?;
                    buffers.give_back();
                    Some(beside)
                });
                first.iter().try_for_each(|step| both.add(self.laws(&plan, *step)?, &mut buffers))?;
                other.join()
            })?;
            both = Both { upper: both.upper.and(other.upper), lower: both.lower.and(other.lower) };
        }
        let upper = both.upper.finish(&mut buffers).ok()?;
        let lower = both.lower.finish(&mut buffers).ok()?;
        buffers.give_back();
        Some(Law::Tilted { upper, lower })
    }

    /// The composed law above.
    pub(crate) fn upper(&self, plan: &LatticePlan) -> Option<Composed<Pessimistic>> {
        let (mut upper, mut buffers) = (self.composition(plan)?, Buffers::taken());
        for (part, ((pair, count), range)) in self.parts.iter().zip(&self.ranges).enumerate() {
            let outcomes = self.outcomes_for(part, plan.spacing);
            let grid = grid(pair, range, plan.spacing, self.saddle.tilt)?;
            let grid = Grid { offset: plan.moved * plan.spacing, ..grid };
            let law = plan.discretisation.pessimistic(pair, outcomes.as_deref(), grid);
            upper.add(&law, *count, &mut buffers).ok()?;
        }
        let upper = upper.finish(&mut buffers).ok()?;
        buffers.give_back();
        Some(upper)
    }

    /// The laws of a step on the lattice of a plan.
    pub(crate) fn laws(&self, plan: &LatticePlan, step: Step) -> Option<StepLaws> {
        check();
        match step {
            Step::Part(part) => self.part_laws(plan, part),
            Step::Group(group) => self.group_laws(plan, group),
        }
    }

    fn part_laws(&self, plan: &LatticePlan, part: usize) -> Option<StepLaws> {
        let (pair, count) = &self.parts[part];
        let grid = grid(pair, &self.ranges[part], plan.spacing, self.saddle.tilt)?;
        let outcomes = self.outcomes_for(part, plan.spacing);
        let (how, outcomes, alone) = (plan.discretisation, outcomes.as_deref(), self.groups.alone[part]);
        let (above, below) = match self.options.spacing {
            // As good as can be on the lattice that was asked for.
            Some(_) => (how.pessimistic(pair, outcomes, grid), how.optimistic(pair, outcomes, grid)),
            None if alone == 0 => {
                let upper = Some((how.pessimistic(pair, outcomes, grid), *count));
                return Some(StepLaws { upper, lower: Vec::new() });
            }
            None => how.both(pair, outcomes, grid),
        };
        Some(StepLaws { upper: Some((above, *count)), lower: vec![(below, alone)] })
    }

    /// If the group has no law, its parts have.
    fn group_laws(&self, plan: &LatticePlan, group: usize) -> Option<StepLaws> {
        let group = &self.groups.groups[group];
        if let Some(law) = self.all().law(group, self.fineness(plan.spacing)) {
            return Some(StepLaws { upper: None, lower: vec![(law, group.uses)] });
        }
        let one = |part: &usize| {
            let grid = grid(&self.parts[*part].0, &self.ranges[*part], plan.spacing, self.saddle.tilt)?;
            let outcomes = self.outcomes_for(*part, plan.spacing);
            let law = plan.discretisation.optimistic(&self.parts[*part].0, outcomes.as_deref(), grid);
            Some((law, group.uses))
        };
        Some(StepLaws { upper: None, lower: group.parts.iter().map(one).collect::<Option<_>>()? })
    }
}

/// The compositions above and below, while parts are being added.
struct Both {
    upper: Composition<Pessimistic>,
    lower: Composition<Optimistic>,
}

impl Both {
    fn add(&mut self, StepLaws { upper, lower }: StepLaws, buffers: &mut Buffers) -> Option<()> {
        upper.map_or(Ok(()), |(law, count)| self.upper.add(&law, count, buffers)).ok()?;
        lower.iter().try_for_each(|(law, count)| self.lower.add(law, *count, buffers)).ok()
    }

    /// How many bins of either matter.
    fn width(&self) -> usize {
        self.upper.width().max(self.lower.width())
    }
}

/// Every other part and every other group: groups are sorted by how long they take.
fn halves(steps: &[Step]) -> [Vec<Step>; 2] {
    let (mut halves, mut counts) = ([Vec::new(), Vec::new()], [0usize; 2]);
    for step in steps {
        let count = match step {
            Step::Part(_) => &mut counts[0],
            Step::Group(_) => &mut counts[1],
        };
        halves[*count % 2].push(*step);
        *count += 1;
    }
    halves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neither thread gets all parts, or all groups, wherever groups are between parts; and nothing is lost.
    #[test]
    fn halves_have_as_many_of_either_kind() {
        let steps: Vec<Step> = (0..101)
            .map(|i| if i % 4 == 0 { Step::Group(i / 4) } else { Step::Part(i - i.div_ceil(4)) })
            .collect();
        let kinds = |half: &[Step]| half.iter().filter(|step| matches!(step, Step::Group(_))).count();
        let [first, second] = halves(&steps);
        assert_eq!(first.len() + second.len(), 101);
        assert_eq!((kinds(&first), kinds(&second)), (13, 13));
        let places = |half: &[Step]| -> Vec<usize> {
            let group = |step: &Step| if let Step::Group(place) = step { Some(*place) } else { None };
            half.iter().filter_map(group).collect()
        };
        assert_eq!(places(&first), (0..26).step_by(2).collect::<Vec<_>>());
        assert_eq!(places(&second), (1..26).step_by(2).collect::<Vec<_>>());
    }
}
