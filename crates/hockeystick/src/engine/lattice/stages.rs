//! The stages of a composition one at a time, so that each can be measured: planned, put on the grid, composed.

use super::{
    choice::LatticePlan,
    compose::{Sides, TaskLaws},
    convolve::Buffers,
    evaluate::ComposedLaw,
    law::{LatticeLaw, Optimistic, Pessimistic},
    options::Options,
    problem::Problem,
    profile::{Composed, Lattice},
    refine::planned,
};
use crate::{engine::Goal, pair::SharedPair};

/// A composition that is planned: the same stages as [`Lattice::compose_with`], but for refinements of the spacing.
pub struct Stages<'a> {
    problem: Problem<'a>,
    plan: LatticePlan,
}

/// The laws of all parts on a grid, with their counts.
#[derive(Clone, Debug)]
pub struct Laws {
    upper: Vec<(LatticeLaw<Pessimistic>, u64)>,
    lower: Vec<(LatticeLaw<Optimistic>, u64)>,
}

impl<'a> Stages<'a> {
    /// Chooses tilt, window and, unless the options have one, spacing. `None` if that takes too many points.
    pub fn planned(parts: &'a [(SharedPair, u64)], goal: Goal, options: Options) -> Option<Self> {
        let problem = Problem::new(parts, goal, |_| options)?;
        let plan = planned(&problem, None)?;
        Some(Self { problem, plan })
    }

    /// What was chosen.
    pub fn plan(&self) -> LatticePlan {
        self.plan
    }

    /// Puts the losses of every part on the grid, from above and from below.
    pub fn discretised(&self) -> Option<Laws> {
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for task in self.problem.tasks() {
            let TaskLaws { upper: above, lower: below } = self.problem.laws(&self.plan, task)?;
            upper.extend(above);
            lower.extend(below);
        }
        Some(Laws { upper, lower })
    }

    /// Composes both: a transform and a power for each part, and one transform back.
    pub fn composed(&self, laws: &Laws) -> Option<Lattice> {
        let mut buffers = Buffers::taken();
        let mut upper = self.problem.spectrum::<Pessimistic>(&self.plan)?;
        laws.upper.iter().try_for_each(|(law, count)| upper.add(law, *count, &mut buffers)).ok()?;
        let upper = ComposedLaw::of(upper, &mut buffers).ok()?;
        let mut lower = self.problem.spectrum::<Optimistic>(&self.plan)?;
        laws.lower.iter().try_for_each(|(law, count)| lower.add(law, *count, &mut buffers)).ok()?;
        let lower = ComposedLaw::of(lower, &mut buffers).ok()?;
        buffers.give_back();
        Some(Lattice::new(self.plan, Composed::OnGrid(Sides { upper, lower }), &self.problem))
    }
}
