//! `ε(δ)`: the smallest ε ≥ 0 for which the composition is (ε, δ)-DP.

use super::{
    Answer, Guarantee, Query, Shortfall, Unknown,
    answer::half_width,
    arguments::check_delta,
    known::Known,
    question::{Composed, Question},
};
use crate::{
    curve::{Budget, NoEpsilon, PrivacyProfile, smallest_epsilon},
    engine::Goal,
    error::Error,
};
use hockeystick_numerics::enclosure::Enclosure;

impl Query<'_> {
    /// `ε` at a given `0 ≤ δ < 1`: the larger of the directions asked for. `δ = 0` asks for pure differential privacy.
    ///
    /// # Guarantee
    /// `0 ≤ lower ≤ truth ≤ upper`. The upper end is infinite, and the shortfall says why, if no finite ε will do.
    pub fn epsilon(&self, delta: f64) -> Result<Answer, Error> {
        check_delta(delta)?;
        if delta == 0.0 {
            return self.pure();
        }
        let question = self.question()?;
        question.limited(
            Goal::Epsilon { delta },
            |known| question.epsilon_whatever_it_takes(delta, known),
            |answer| answer,
        )
    }
}

impl Question<'_> {
    fn epsilon_whatever_it_takes(&self, delta: f64, known: &Known) -> Result<Answer, Error> {
        if let Some(answer) = self.bound(Goal::Epsilon { delta })? {
            return Ok(answer);
        }
        if let Some(answer) = self.nothing(delta)? {
            return Ok(answer);
        }
        self.worst(Goal::Epsilon { delta }, known, |composed| {
            let Composed { direction, ref profile, method, ref plan, ref notes } = *composed;
            let (bounds, why) = smallest_epsilon(profile.as_ref(), delta);
            Answer {
                unknown: Unknown::Epsilon { delta },
                bounds,
                guarantee: Guarantee::Certified,
                method,
                direction,
                budget: budget(profile.as_ref(), bounds),
                shortfall: why.map(|why| Shortfall::of(why, delta)),
                plans: vec![plan.clone()],
                notes: notes.clone(),
            }
        })
    }

    /// `ε = 0`, if that is seen without a composition.
    fn nothing(&self, delta: f64) -> Result<Option<Answer>, Error> {
        let plan = self.request(Goal::Epsilon { delta })?.spends_nothing(delta);
        Ok(plan.map(|plan| Answer {
            unknown: Unknown::Epsilon { delta },
            bounds: Enclosure::ZERO,
            guarantee: Guarantee::Certified,
            method: plan.engine.method(),
            direction: plan.direction,
            budget: Budget::default(),
            shortfall: None,
            notes: self.query.notes(),
            plans: vec![plan],
        }))
    }
}

/// What widens δ widens ε in proportion.
fn budget(profile: &dyn PrivacyProfile, bounds: Enclosure) -> Budget {
    let half = half_width(bounds);
    if !half.is_finite() || half == 0.0 {
        return Budget::default();
    }
    profile.delta(bounds.upper()).budget.scaled_to(half)
}

impl Shortfall {
    /// Why no finite ε is proven to reach a δ.
    pub(super) fn of(why: NoEpsilon, delta: f64) -> Self {
        match why {
            NoEpsilon::Unreachable { at_least } => Self::Unreachable { delta, at_least },
            NoEpsilon::Undecided { proven } => Self::Undecided { delta, proven },
        }
    }
}
