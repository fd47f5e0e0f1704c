//! A composition on a lattice: planned, built, enclosed from both sides.

use super::{
    composed::Composed,
    draft::Draft,
    law::{Optimistic, Pessimistic},
    plan::{LatticePlan, Options, Saddle},
    sparse::Sparse,
};
use crate::{
    curve::{Evaluation, PrivacyProfile},
    engine::{Budget, Goal, masses},
    pair::SharedPair,
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    limits::check,
    probability::Probability,
    rounding::{add_down, add_up},
};

/// The composition is too large for a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a lattice takes at most 10^9 uses and {most_points} points, which this composition exceeds")]
pub struct TooLarge {
    /// The most points that were allowed.
    pub most_points: usize,
}

/// A composition on a lattice: enclosed from both sides.
#[derive(Clone, Debug)]
pub struct Lattice {
    law: Law,
    infinite: Probability,
    largest: Enclosure,
    plan: LatticePlan,
    /// A lower bound on δ at the ε of the plan.
    lower_at_goal: f64,
    parts: Vec<(SharedPair, u64)>,
    goal: Goal,
    options: Options,
}

/// The composed law.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of it, and its arrays are elsewhere")]
pub(crate) enum Law {
    /// On a lattice, from either side.
    Tilted { upper: Composed<Pessimistic>, lower: Composed<Optimistic> },
    /// Outcome by outcome.
    Sparse(Sparse),
}

/// What another composition reached: a lattice that stays below need not be fine.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// The ε.
    pub epsilon: f64,
    /// The δ.
    pub delta: f64,
    /// The plan of the other, if that is a lattice: estimates of the same kind are off alike.
    pub plan: Option<LatticePlan>,
}

impl Ceiling {
    /// The tolerance with which it is worth trying: a part of what is expected to lie between.
    fn worth_trying(&self, goal: Goal, saddle: Saddle) -> f64 {
        let between = self.plan.map_or(f64::INFINITY, |other| match goal {
            Goal::Delta { .. } => 1.0 - saddle.delta / other.delta,
            Goal::Epsilon { .. } => 1.0 - saddle.epsilon / other.epsilon,
        });
        // (Not if it is no number.)
        if between > 0.0 { (PART_BETWEEN * between).min(COARSE) } else { 0.0 }
    }
}

/// The most uses: round-off grows with their number.
const MOST_USES: f64 = 1e9;
/// The tolerance that is tried first where a composition may not matter.
const COARSE: f64 = 0.03;
/// The part of what is expected to be between two compositions that the width of one may be.
const PART_BETWEEN: f64 = 0.6;
/// How many places of the points are tried within a spacing.
const PLACES: u32 = 8;
/// The most times that a plan is made finer, after its width was seen.
const REFINEMENTS: usize = 2;

impl Lattice {
    /// Composes each pair as often as its count says, finely enough for a relative width of `tolerance` if memory allows.
    pub fn compose(parts: &[(SharedPair, u64)], goal: Goal, tolerance: f64) -> Result<Self, TooLarge> {
        Self::compose_with(parts, goal, Options { tolerance, ..Options::default() })
    }

    /// Composes each pair as often as its count says, as the options say.
    pub fn compose_with(parts: &[(SharedPair, u64)], goal: Goal, options: Options) -> Result<Self, TooLarge> {
        Self::of_draft(&Self::drafted(parts, goal, options, |_| options.tolerance)?)
    }

    /// The same, or a coarser one if that proves that it stays below the ceiling: for compositions that may not matter beside another.
    pub fn compose_below(
        parts: &[(SharedPair, u64)],
        goal: Goal,
        options: Options,
        ceiling: Ceiling,
    ) -> Result<Self, TooLarge> {
        if options.tolerance >= COARSE || options.spacing.is_some() {
            return Self::compose_with(parts, goal, options);
        }
        let tolerance = |saddle| ceiling.worth_trying(goal, saddle).max(options.tolerance);
        let draft = Self::drafted(parts, goal, options, tolerance)?;
        if draft.options == options {
            return Self::of_draft(&draft);
        }
        let coarse =
            draft.plan(draft.spacing()).and_then(|plan| Some(Self::new(plan, draft.build(plan)?, &draft)));
        match coarse {
            Some(lattice) if lattice.upper(ceiling.epsilon) <= ceiling.delta => Ok(lattice),
            Some(_) | None => Self::of_draft(&draft.with(options)),
        }
    }

    /// With a tolerance that may depend on about where the answer will be.
    fn drafted<'a>(
        parts: &'a [(SharedPair, u64)],
        goal: Goal,
        options: Options,
        tolerance: impl Fn(Saddle) -> f64,
    ) -> Result<Draft<'a>, TooLarge> {
        let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
        let options_at = |saddle| Options { tolerance: tolerance(saddle), ..options };
        let draft = (uses <= MOST_USES).then(|| Draft::new(parts, goal, options_at)).flatten();
        draft.ok_or(TooLarge { most_points: options.most_points })
    }

    fn of_draft(draft: &Draft<'_>) -> Result<Self, TooLarge> {
        let options = draft.options;
        if let Some((plan, sparse)) = draft.sparse() {
            return Ok(Self::new(plan, Law::Sparse(sparse), draft));
        }
        let build = |spacing: f64| {
            check();
            let plan = draft.plan(spacing)?;
            let lattice = Self::new(plan, draft.build(plan)?, draft);
            Some(if options.spacing.is_some() { lattice.with_best_points(draft) } else { lattice })
        };
        let mut spacing = options.spacing.unwrap_or_else(|| draft.spacing());
        let mut best: Option<Self> = None;
        for _ in 0..=REFINEMENTS {
            let Some(lattice) = build(spacing) else { break };
            let width = lattice.width(draft);
            let is_worth_more = lattice.delta(draft.saddle.epsilon).budget.discretisation_share() > 0.5;
            best = Some(lattice);
            if options.spacing.is_some() || width <= options.tolerance || !is_worth_more {
                break;
            }
            // The gap falls with the square of the spacing, or with the spacing.
            let ratio = (options.tolerance / width).max(1e-6);
            spacing *= 0.85 * if options.discretisation.is_first_order() { ratio } else { ratio.sqrt() };
        }
        // Too fine for the memory: as fine as it allows.
        let mut coarser = spacing;
        while options.spacing.is_none() && best.is_none() && coarser < 100.0 {
            coarser *= 1.5;
            best = build(coarser);
        }
        best.ok_or(TooLarge { most_points: options.most_points })
    }

    /// What was chosen.
    pub fn plan(&self) -> LatticePlan {
        self.plan
    }

    pub(crate) fn new(plan: LatticePlan, law: Law, draft: &Draft<'_>) -> Self {
        let parts = draft.parts;
        let mut lattice = Self {
            law,
            infinite: draft.infinite,
            largest: masses::largest_finite_loss(parts),
            plan,
            lower_at_goal: 0.0,
            parts: parts.to_vec(),
            goal: draft.goal,
            options: draft.options,
        };
        lattice.lower_at_goal = lattice.lower(plan.epsilon);
        lattice
    }

    /// With the points of the laws above moved to where they cost least.
    ///
    /// Connect-the-dots is the best law on given points; which multiples of a given spacing, plus what, these are is free. A law that is
    /// as narrow as a few spacings gains some percent of what the spacing costs; a wide one gains nothing. Where the spacing follows
    /// from the tolerance a finer one does more.
    fn with_best_points(mut self, draft: &Draft<'_>) -> Self {
        let Law::Tilted { upper, .. } = &mut self.law else { return self };
        if !draft.is_worth_moving(&self.plan) {
            return self;
        }
        let cost = |upper: &Composed<Pessimistic>| match draft.goal {
            Goal::Delta { epsilon } => upper.upper(epsilon),
            Goal::Epsilon { delta } => upper.epsilon(delta, self.plan.epsilon).unwrap_or(f64::INFINITY),
        };
        let mut least = cost(upper);
        for place in 1..PLACES {
            let plan = LatticePlan { moved: f64::from(place) / f64::from(PLACES), ..self.plan };
            let Some(other) = draft.upper(&plan) else { continue };
            let own = cost(&other);
            if own < least {
                (least, self.plan.moved, *upper) = (own, plan.moved, other);
            }
        }
        self
    }

    /// A number that is at least δ(ε).
    pub(crate) fn upper(&self, epsilon: f64) -> f64 {
        match &self.law {
            Law::Tilted { upper, .. } => upper.upper(epsilon),
            Law::Sparse(sparse) => {
                add_up(self.infinite.value().upper(), sparse.finite(epsilon).upper()).clamp(0.0, 1.0)
            }
        }
    }

    /// A number that is at most δ(ε).
    pub(crate) fn lower(&self, epsilon: f64) -> f64 {
        match &self.law {
            Law::Tilted { lower, .. } => lower.lower(epsilon),
            Law::Sparse(sparse) => {
                add_down(self.infinite.value().lower(), sparse.finite(epsilon).lower()).clamp(0.0, 1.0)
            }
        }
    }

    /// Losses with their masses, in plain floats: those of the upper law.
    pub(crate) fn masses(&self) -> Vec<(f64, f64)> {
        match &self.law {
            Law::Tilted { upper, .. } => upper.masses(self.plan.epsilon),
            Law::Sparse(sparse) => sparse.masses(),
        }
    }

    /// What it was made of, what for, and how.
    pub(crate) fn made_of(&self) -> (&[(SharedPair, u64)], Goal, Options) {
        (&self.parts, self.goal, self.options)
    }

    /// The relative width that the goal will see: of ε a little more, for the search stops a little outside.
    fn width(&self, draft: &Draft<'_>) -> f64 {
        let (bounds, more) = match draft.goal {
            Goal::Delta { epsilon } => (self.delta(epsilon).delta.value(), 1.0),
            Goal::Epsilon { delta } => (self.epsilon(delta), 1.21),
        };
        if bounds.upper() > 0.0 { more * bounds.width() / bounds.upper() } else { 0.0 }
    }
}

impl PrivacyProfile for Lattice {
    fn delta(&self, epsilon: f64) -> Evaluation {
        let optimistic = match &self.law {
            Law::Tilted { lower, .. } => Some(lower.value(epsilon)),
            Law::Sparse(_) => None,
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
