//! The steps of a composition one at a time, so that each can be measured: planned, built, composed, answered.

use super::{
    buffers::Buffers,
    build::StepLaws,
    composition::{Lattice, Law},
    draft::Draft,
    law::{LatticeLaw, Optimistic, Pessimistic},
    plan::{LatticePlan, Options},
};
use crate::{engine::Goal, pair::SharedPair};

/// A composition on a lattice that is planned: the same steps as [`Lattice::compose_with`], but for refinements of the spacing.
pub struct Steps<'a> {
    draft: Draft<'a>,
    plan: LatticePlan,
}

/// The laws of all parts on a lattice, with their counts: what is composed.
#[derive(Clone, Debug)]
pub struct Laws {
    upper: Vec<(LatticeLaw<Pessimistic>, u64)>,
    lower: Vec<(LatticeLaw<Optimistic>, u64)>,
}

impl<'a> Steps<'a> {
    /// Chooses tilt, window and, unless the options have one, spacing. `None` if that takes too many points.
    pub fn planned(parts: &'a [(SharedPair, u64)], goal: Goal, options: Options) -> Option<Self> {
        let draft = Draft::new(parts, goal, |_| options)?;
        let plan = draft.plan(options.spacing.unwrap_or_else(|| draft.spacing()))?;
        Some(Self { draft, plan })
    }

    /// What was chosen.
    pub fn plan(&self) -> LatticePlan {
        self.plan
    }

    /// Puts the losses of every part on the lattice, from above and from below.
    pub fn built(&self) -> Option<Laws> {
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for step in self.draft.steps() {
            let StepLaws { upper: above, lower: below } = self.draft.laws(&self.plan, step)?;
            upper.extend(above);
            lower.extend(below);
        }
        Some(Laws { upper, lower })
    }

    /// Composes both: a transform and a power for each part, and one transform back.
    pub fn composed(&self, laws: &Laws) -> Option<Lattice> {
        let mut buffers = Buffers::taken();
        let mut upper = self.draft.composition::<Pessimistic>(&self.plan)?;
        laws.upper.iter().try_for_each(|(law, count)| upper.add(law, *count, &mut buffers)).ok()?;
        let upper = upper.finish(&mut buffers).ok()?;
        let mut lower = self.draft.composition::<Optimistic>(&self.plan)?;
        laws.lower.iter().try_for_each(|(law, count)| lower.add(law, *count, &mut buffers)).ok()?;
        let law = Law::Tilted { upper, lower: lower.finish(&mut buffers).ok()? };
        buffers.give_back();
        Some(Lattice::new(self.plan, law, &self.draft))
    }
}
