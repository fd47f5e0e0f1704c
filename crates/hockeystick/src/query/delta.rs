//! `δ(ε)`: the smallest δ for which the composition is (ε, δ)-DP.

use super::{
    Answer, Guarantee, Query, Unknown,
    arguments::check_epsilon,
    known::Known,
    question::{Composed, Question},
};
use crate::{curve::PrivacyProfile, engine::Goal, error::Error, plan::Reached};

impl Query<'_> {
    /// `δ` at a given `ε ≥ 0`: the larger of the directions asked for.
    ///
    /// # Guarantee
    /// `0 ≤ lower ≤ truth ≤ upper ≤ 1`.
    pub fn delta(&self, epsilon: f64) -> Result<Answer, Error> {
        check_epsilon(epsilon)?;
        let question = self.question()?;
        question.limited(
            Goal::Delta { epsilon },
            |known| question.delta_whatever_it_takes(epsilon, known),
            |answer| answer,
        )
    }
}

impl Question<'_> {
    fn delta_whatever_it_takes(&self, epsilon: f64, known: &Known) -> Result<Answer, Error> {
        if let Some(answer) = self.bound(Goal::Delta { epsilon })? {
            return Ok(answer);
        }
        self.worst(Goal::Delta { epsilon }, known, |composed| {
            let Composed { direction, ref profile, method, ref plan, ref notes } = *composed;
            let evaluation = profile.delta(epsilon);
            Answer {
                unknown: Unknown::Delta { epsilon },
                bounds: evaluation.delta.value(),
                guarantee: Guarantee::Certified,
                method,
                direction,
                budget: evaluation.budget,
                shortfall: None,
                plans: vec![plan.clone()],
                notes: notes.clone(),
            }
        })
    }
}

impl Answer {
    /// The worst so far, when another direction has answered.
    pub(super) fn worst(so_far: Option<Self>, answer: Self) -> Option<Self> {
        Some(match so_far {
            Some(known) => known.worse(answer),
            None => answer,
        })
    }

    /// A point that the answer is proven not to stay below: a direction that does is not worse.
    ///
    /// Where ε = 0 will do, a direction for which it does, too, is no worse.
    pub(super) fn reached(&self, profile: &dyn PrivacyProfile) -> Option<Reached> {
        let lower = self.lower().filter(|lower| *lower > 0.0 || self.upper() == 0.0)?;
        let (epsilon, delta) = match self.unknown {
            Unknown::Delta { epsilon } => (epsilon, lower),
            Unknown::Epsilon { delta } => (lower, delta),
            Unknown::TruePositives { .. } => return None,
        };
        Some(Reached { epsilon, delta, dual: profile.dual_at_hand(epsilon) })
    }

    /// The answer for both directions from the answers for each: the maximum, end by end.
    pub(super) fn worse(self, other: Self) -> Self {
        let bounds = self.bounds.max(other.bounds);
        let plans = [self.plans.clone(), other.plans.clone()].concat();
        if other.upper() > self.upper() {
            Self { bounds, plans, ..other }
        } else {
            Self { bounds, plans, ..self }
        }
    }
}
