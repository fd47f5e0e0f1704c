//! Discretises all parts and multiplies their spectra, on one thread or two.

use super::{
    choice::LatticePlan,
    convolve::{Buffers, Spectrum},
    evaluate::{ComposedLaw, weight_norm},
    grid::Grid,
    law::{LatticeLaw, Optimistic, Pessimistic},
    problem::Problem,
    tuning::TUNING,
};
use crate::two_threads::mapped;
use hockeystick_numerics::limits::{check, helped};
use std::thread;

/// A unit of work: the laws of a part, or of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Task {
    /// A part: its pessimistic law, and its optimistic law for the uses outside of groups.
    Part(usize),
    /// A group of parts: its optimistic law only.
    Group(usize),
}

/// The laws of a task with their counts.
pub(crate) struct TaskLaws {
    pub(crate) upper: Option<(LatticeLaw<Pessimistic>, u64)>,
    pub(crate) lower: Vec<(LatticeLaw<Optimistic>, u64)>,
}

impl Problem<'_> {
    /// All parts, with the groups spread evenly between them, so that both products soon have few non-negligible bins.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        let (parts, groups) = (self.parts.len(), self.groups.groups.len());
        let mut tasks = Vec::with_capacity(parts + groups);
        let mut next = 0;
        for part in 0..parts {
            while next < groups && next * parts <= part * groups {
                tasks.push(Task::Group(next));
                next += 1;
            }
            tasks.push(Task::Part(part));
        }
        tasks.extend((next..groups).map(Task::Group));
        tasks
    }

    /// Both composed laws on the grid of a plan.
    pub(crate) fn compose(&self, plan: LatticePlan) -> Option<Sides> {
        let mut buffers = Buffers::taken();
        let mut both = Both { upper: self.spectrum(&plan)?, lower: self.spectrum(&plan)? };
        let tasks = self.tasks();
        let mut rest = tasks.as_slice();
        // One product until few bins are left, so that there is one set of large arrays; then one product for each of two threads.
        while !rest.is_empty()
            && (rest.len() < TUNING.many_parts || both.width() > buffers.bins.len() / TUNING.split_bins)
        {
            let next;
            (next, rest) = rest.split_at(rest.len().min(if tasks.len() < TUNING.many_parts {
                1
            } else {
                TUNING.many_parts
            }));
            for laws in mapped(next, TUNING.many_parts, |task| self.laws(&plan, *task)) {
                both.add(laws?, &mut buffers)?;
            }
        }
        if !rest.is_empty() {
            let [first, second] = halves(rest);
            let mut beside = Both { upper: both.upper.beside().ok()?, lower: both.lower.beside().ok()? };
            let other = thread::scope(|scope| {
                let other = helped(scope, || {
                    let mut buffers = Buffers::taken();
                    second.iter().try_for_each(|task| beside.add(self.laws(&plan, *task)?, &mut buffers))?;
                    buffers.give_back();
                    Some(beside)
                });
                first.iter().try_for_each(|task| both.add(self.laws(&plan, *task)?, &mut buffers))?;
                other.join()
            })?;
            both = Both { upper: both.upper.and(other.upper), lower: both.lower.and(other.lower) };
        }
        let upper = ComposedLaw::of(both.upper, &mut buffers).ok()?;
        let lower = ComposedLaw::of(both.lower, &mut buffers).ok()?;
        buffers.give_back();
        Some(Sides { upper, lower })
    }

    /// An empty product on the grid of a plan.
    pub(crate) fn spectrum<Side>(&self, plan: &LatticePlan) -> Option<Spectrum<Side>> {
        let LatticePlan { spacing, length, tilt, orders, .. } = *plan;
        let norm = weight_norm(tilt, spacing, length as f64 * spacing);
        Spectrum::new(length, spacing, tilt, orders, self.harmless(plan, norm)).ok()
    }

    /// The composed pessimistic law alone.
    pub(crate) fn upper(&self, plan: &LatticePlan) -> Option<ComposedLaw<Pessimistic>> {
        let (mut upper, mut buffers) = (self.spectrum(plan)?, Buffers::taken());
        for (part, (pair, count)) in self.parts.iter().enumerate() {
            let outcomes = self.outcomes_for(part, plan.spacing);
            let grid = self.grid(part, plan.spacing)?;
            let grid = Grid { offset: plan.moved * plan.spacing, ..grid };
            let law = plan.discretisation.pessimistic(pair, outcomes.as_deref(), grid);
            upper.add(&law, *count, &mut buffers).ok()?;
        }
        let upper = ComposedLaw::of(upper, &mut buffers).ok()?;
        buffers.give_back();
        Some(upper)
    }

    /// The laws of a task on the grid of a plan.
    pub(crate) fn laws(&self, plan: &LatticePlan, task: Task) -> Option<TaskLaws> {
        check();
        match task {
            Task::Part(part) => self.part_laws(plan, part),
            Task::Group(group) => self.group_laws(plan, group),
        }
    }

    fn grid(&self, part: usize, spacing: f64) -> Option<Grid> {
        let facts = &self.facts.parts[part];
        Grid::covering(&facts.losses, &facts.range, spacing, self.facts.saddle.tilt)
    }

    fn part_laws(&self, plan: &LatticePlan, part: usize) -> Option<TaskLaws> {
        let (pair, count) = &self.parts[part];
        let grid = self.grid(part, plan.spacing)?;
        let outcomes = self.outcomes_for(part, plan.spacing);
        let (how, outcomes, alone) =
            (plan.discretisation, outcomes.as_deref(), self.groups.grouping.alone[part]);
        let (above, below) = match self.facts.options.spacing {
            // With a requested spacing the edges of the optimistic law are optimised separately, which is narrower.
            Some(_) => (how.pessimistic(pair, outcomes, grid), how.optimistic(pair, outcomes, grid)),
            None if alone == 0 => {
                let upper = Some((how.pessimistic(pair, outcomes, grid), *count));
                return Some(TaskLaws { upper, lower: Vec::new() });
            }
            None => how.both(pair, outcomes, grid),
        };
        Some(TaskLaws { upper: Some((above, *count)), lower: vec![(below, alone)] })
    }

    /// The law of a group, or those of its parts if it has too many outcomes.
    fn group_laws(&self, plan: &LatticePlan, group: usize) -> Option<TaskLaws> {
        let group = &self.groups.groups[group];
        if let Some(law) = self.all().law(group, self.fineness(plan.spacing)) {
            return Some(TaskLaws { upper: None, lower: vec![(law, group.uses)] });
        }
        let one = |part: &usize| {
            let grid = self.grid(*part, plan.spacing)?;
            let outcomes = self.outcomes_for(*part, plan.spacing);
            let law = plan.discretisation.optimistic(&self.parts[*part].0, outcomes.as_deref(), grid);
            Some((law, group.uses))
        };
        Some(TaskLaws { upper: None, lower: group.parts.iter().map(one).collect::<Option<_>>()? })
    }
}

/// The composed laws, from either side.
#[derive(Clone, Debug)]
pub(crate) struct Sides {
    pub(crate) upper: ComposedLaw<Pessimistic>,
    pub(crate) lower: ComposedLaw<Optimistic>,
}

/// Both products of spectra.
struct Both {
    upper: Spectrum<Pessimistic>,
    lower: Spectrum<Optimistic>,
}

impl Both {
    fn add(&mut self, TaskLaws { upper, lower }: TaskLaws, buffers: &mut Buffers) -> Option<()> {
        upper.map_or(Ok(()), |(law, count)| self.upper.add(&law, count, buffers)).ok()?;
        lower.iter().try_for_each(|(law, count)| self.lower.add(law, *count, buffers)).ok()
    }

    /// The number of non-negligible bins of either.
    fn width(&self) -> usize {
        self.upper.width().max(self.lower.width())
    }
}

/// Every other part and every other group: groups are sorted by their work.
fn halves(tasks: &[Task]) -> [Vec<Task>; 2] {
    let (mut halves, mut counts) = ([Vec::new(), Vec::new()], [0usize; 2]);
    for task in tasks {
        let count = match task {
            Task::Part(_) => &mut counts[0],
            Task::Group(_) => &mut counts[1],
        };
        halves[*count % 2].push(*task);
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
        let tasks: Vec<Task> = (0..101)
            .map(|i| if i % 4 == 0 { Task::Group(i / 4) } else { Task::Part(i - i.div_ceil(4)) })
            .collect();
        let kinds = |half: &[Task]| half.iter().filter(|task| matches!(task, Task::Group(_))).count();
        let [first, second] = halves(&tasks);
        assert_eq!(first.len() + second.len(), 101);
        assert_eq!((kinds(&first), kinds(&second)), (13, 13));
        let places = |half: &[Task]| -> Vec<usize> {
            let group = |task: &Task| if let Task::Group(place) = task { Some(*place) } else { None };
            half.iter().filter_map(group).collect()
        };
        assert_eq!(places(&first), (0..26).step_by(2).collect::<Vec<_>>());
        assert_eq!(places(&second), (1..26).step_by(2).collect::<Vec<_>>());
    }
}
