//! `δ(ε)`: the smallest δ for which the composition is (ε, δ)-DP.

use super::{Answer, Composed, Guarantee, Query, Unknown, check_epsilon};
use crate::{engine::Goal, error::Error};

impl Query<'_> {
    /// `δ` at a given `ε ≥ 0`: the larger of the directions asked for.
    ///
    /// # Guarantee
    /// `0 ≤ lower ≤ truth ≤ upper ≤ 1`.
    pub fn delta(&self, epsilon: f64) -> Result<Answer, Error> {
        check_epsilon(epsilon)?;
        if let Some(answer) = self.bound(Goal::Delta { epsilon })? {
            return Ok(answer);
        }
        let mut worst: Option<Answer> = None;
        for Composed { direction, profile, method, plan, notes } in self.profiles(Goal::Delta { epsilon })? {
            let evaluation = profile.delta(epsilon);
            let bounds = evaluation.delta.value();
            let answer = Answer {
                unknown: Unknown::Delta { epsilon },
                bounds,
                guarantee: Guarantee::Certified,
                method,
                direction,
                budget: evaluation.budget,
                shortfall: None,
                plans: vec![plan],
                notes,
            };
            worst = Answer::worst(worst, answer);
        }
        Ok(worst.expect("every relation has a direction").checked_against(self.tolerance))
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

    /// The answer for both directions from the answers for each: the maximum, end by end.
    fn worse(self, other: Self) -> Self {
        let bounds = self.bounds.max(other.bounds);
        let plans = [self.plans.clone(), other.plans.clone()].concat();
        if other.upper() > self.upper() {
            Self { bounds, plans, ..other }
        } else {
            Self { bounds, plans, ..self }
        }
    }
}
