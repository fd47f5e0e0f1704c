//! A composition on a lattice as a profile: enclosed from both sides.

use super::{choice::LatticePlan, compose::Sides, enumerate::Enumerated, options::Options, problem::Problem};
use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{Budget, Goal, masses},
    pair::SharedPair,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    probability::Probability,
    rounding::{add_down, add_up},
};

/// A composition on a lattice: enclosed from both sides.
#[derive(Clone, Debug)]
pub struct Lattice {
    pub(super) composed: Composed,
    infinite: Probability,
    largest: Enclosure,
    pub(super) plan: LatticePlan,
    /// A lower bound on δ at the ε of the plan.
    lower_at_goal: f64,
    parts: Vec<(SharedPair, u64)>,
    goal: Goal,
    options: Options,
}

/// The composed law.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of it, and its arrays are elsewhere")]
pub(crate) enum Composed {
    /// On a grid, from either side.
    OnGrid(Sides),
    /// Outcome by outcome.
    Enumerated(Enumerated),
}

impl Lattice {
    /// What was chosen.
    pub fn plan(&self) -> LatticePlan {
        self.plan
    }

    pub(crate) fn new(plan: LatticePlan, composed: Composed, problem: &Problem<'_>) -> Self {
        let parts = problem.parts;
        let bins = match &composed {
            Composed::OnGrid(sides) => sides.upper.sources(),
            Composed::Enumerated(_) => plan.bins,
        };
        let mut lattice = Self {
            composed,
            infinite: problem.infinite,
            largest: masses::largest_finite_loss(parts),
            plan: LatticePlan { bins, ..plan },
            lower_at_goal: 0.0,
            parts: parts.to_vec(),
            goal: problem.goal,
            options: problem.facts.options,
        };
        lattice.lower_at_goal = lattice.lower(plan.epsilon);
        lattice
    }

    /// A number that is at least δ(ε).
    pub(crate) fn upper(&self, epsilon: f64) -> f64 {
        match &self.composed {
            Composed::OnGrid(sides) => sides.upper.upper(epsilon),
            Composed::Enumerated(law) => {
                add_up(self.infinite.value().upper(), law.finite(epsilon).upper()).clamp(0.0, 1.0)
            }
        }
    }

    /// A number that is at most δ(ε).
    pub(crate) fn lower(&self, epsilon: f64) -> f64 {
        match &self.composed {
            Composed::OnGrid(sides) => sides.lower.lower(epsilon),
            Composed::Enumerated(law) => {
                add_down(self.infinite.value().lower(), law.finite(epsilon).lower()).clamp(0.0, 1.0)
            }
        }
    }

    /// Losses with their masses, in plain floats: those of the upper law.
    pub(crate) fn masses(&self) -> Vec<(f64, f64)> {
        match &self.composed {
            Composed::OnGrid(sides) => sides.upper.masses(self.plan.epsilon),
            Composed::Enumerated(law) => law.masses(),
        }
    }

    /// What it was made of, what for, and how.
    pub(crate) fn made_of(&self) -> (&[(SharedPair, u64)], Goal, Options) {
        (&self.parts, self.goal, self.options)
    }
}

impl PrivacyProfile for Lattice {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let optimistic = match &self.composed {
            Composed::OnGrid(sides) => Some(sides.lower.value(epsilon)),
            Composed::Enumerated(_) => None,
        };
        let low = optimistic.map_or_else(|| self.lower(epsilon), |value| value.least());
        let high = self.upper(epsilon);
        // δ falls from above 1 − e^ε on: what is known at the goal holds below it.
        let trivial = -Enclosure::point(epsilon.min(1.0)).exp_m1();
        let at_goal = if epsilon <= self.plan.epsilon { self.lower_at_goal } else { 0.0 };
        let low = low.max(trivial.lower()).max(at_goal);
        let bounds = Enclosure::new(low.min(high), high);
        let half = 0.5 * bounds.width();
        let budget = match optimistic {
            Some(value) => {
                let aliasing = (0.5 * value.aliasing).min(half);
                let roundoff = (value.roundoff + 0.5 * value.finite.width()).min(half - aliasing);
                let discretisation = (half - aliasing - roundoff).max(0.0);
                Budget { discretisation, aliasing, roundoff, ..Budget::default() }
            }
            None => Budget { roundoff: half, ..Budget::default() },
        };
        Evaluation { delta: Probability::from_value(bounds), budget }
    }

    fn is_at_most(&self, epsilon: f64, delta: f64) -> bool {
        self.upper(epsilon) <= delta
    }

    fn mass_at_infinity(&self) -> Probability {
        self.infinite
    }

    fn largest_finite_loss(&self) -> Enclosure {
        self.largest
    }

    fn near(&self, _delta: f64) -> Option<f64> {
        Some(self.plan.epsilon)
    }
}
