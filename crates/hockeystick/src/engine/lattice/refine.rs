//! Choose, compose, look at the width, and choose again: the only loop that tries a second time.

use super::{
    ceiling::Ceiling,
    choice::{Convolution, LatticePlan, choose, is_worth_moving, on_grid, spacing},
    enumerate::Enumerated,
    estimate::Saddle,
    evaluate::ComposedLaw,
    law::Pessimistic,
    options::Options,
    problem::Problem,
    profile::{Composed, Lattice},
    tuning::TUNING,
};
use crate::{
    curve::PrivacyProfile,
    engine::Goal,
    pair::{Listing, SharedPair},
};
use hockeystick_numerics::limits::check;

/// The composition is too large for a lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a lattice takes at most 10^9 uses and {most_points} points, which this composition exceeds")]
pub struct TooLarge {
    /// The most points that were allowed.
    pub most_points: usize,
}

/// The most uses: round-off grows with their number.
const MOST_USES: f64 = 1e9;

impl Lattice {
    /// Composes each pair as often as its count says, finely enough for a relative width of `tolerance` if memory allows.
    pub fn compose(parts: &[(SharedPair, u64)], goal: Goal, tolerance: f64) -> Result<Self, TooLarge> {
        Self::compose_with(parts, goal, Options { tolerance, ..Options::default() })
    }

    /// Composes each pair as often as its count says, as the options say.
    pub fn compose_with(parts: &[(SharedPair, u64)], goal: Goal, options: Options) -> Result<Self, TooLarge> {
        Self::refined(&posed(parts, goal, options, |_| options.tolerance)?)
    }

    /// The same, or a coarser one if that proves that it stays below the ceiling: for compositions that may not matter beside another.
    pub fn compose_below(
        parts: &[(SharedPair, u64)],
        goal: Goal,
        options: Options,
        ceiling: Ceiling,
    ) -> Result<Self, TooLarge> {
        if options.tolerance >= TUNING.coarse_tolerance || options.spacing.is_some() {
            return Self::compose_with(parts, goal, options);
        }
        let tolerance = |saddle| ceiling.worth_trying(goal, saddle).max(options.tolerance);
        let problem = posed(parts, goal, options, tolerance)?;
        if problem.facts.options == options {
            return Self::refined(&problem);
        }
        let coarse = planned(&problem, None).and_then(|plan| Self::on_grid(&problem, plan));
        match coarse {
            Some(lattice) if lattice.upper(ceiling.epsilon) <= ceiling.delta => Ok(lattice),
            Some(_) | None => Self::refined(&problem.with(options)),
        }
    }

    /// Outcome by outcome, if there are so few that it is less work than a grid; `None` if not.
    pub fn of_few_outcomes(parts: &[(SharedPair, u64)], goal: Goal, tolerance: f64) -> Option<Self> {
        if !are_few(parts) {
            return None;
        }
        let options = Options { tolerance, ..Options::default() };
        Self::enumerated(&posed(parts, goal, options, |_| tolerance).ok()?)
    }

    /// Outcome by outcome if that is chosen, and accurate enough.
    fn enumerated(problem: &Problem<'_>) -> Option<Self> {
        let is_sparse = |plan: &LatticePlan| matches!(plan.convolution, Convolution::Sparse { .. });
        let plan = choose(&problem.facts, &problem.groups.grouping, &TUNING).filter(is_sparse)?;
        let missing = problem.facts.enumeration?.missing * (1.0 + 1e-9);
        let law = Enumerated::compose(&problem.atoms()?, missing);
        let wanted = TUNING.enumeration_error * problem.facts.options.tolerance;
        (law.error() <= wanted).then(|| Self::new(plan, Composed::Enumerated(law), problem))
    }

    fn on_grid(problem: &Problem<'_>, plan: LatticePlan) -> Option<Self> {
        Some(Self::new(plan, Composed::OnGrid(problem.compose(plan)?), problem))
    }

    fn refined(problem: &Problem<'_>) -> Result<Self, TooLarge> {
        if let Some(lattice) = Self::enumerated(problem) {
            return Ok(lattice);
        }
        let options = problem.facts.options;
        let compose = |spacing: f64| {
            check();
            let lattice = Self::on_grid(problem, planned(problem, Some(spacing))?)?;
            Some(if options.spacing.is_some() { lattice.with_best_points(problem) } else { lattice })
        };
        let mut spacing =
            options.spacing.unwrap_or_else(|| spacing(&problem.facts, &problem.groups.grouping, &TUNING));
        let mut best: Option<Self> = None;
        for _ in 0..=TUNING.refinements {
            let Some(lattice) = compose(spacing) else { break };
            let width = lattice.width(problem.goal);
            let epsilon = problem.facts.saddle.epsilon;
            let is_worth_more = lattice.delta(epsilon).budget.discretisation_share() > 0.5;
            best = Some(lattice);
            if options.spacing.is_some() || width <= options.tolerance || !is_worth_more {
                break;
            }
            // The gap falls with the square of the spacing, or with the spacing.
            let ratio = (options.tolerance / width).max(1e-6);
            spacing *=
                TUNING.refined * if options.discretisation.is_first_order() { ratio } else { ratio.sqrt() };
        }
        // Too fine for the memory: as fine as it allows.
        let mut coarser = spacing;
        while options.spacing.is_none() && best.is_none() && coarser < 100.0 {
            coarser *= 1.5;
            best = compose(coarser);
        }
        best.ok_or(TooLarge { most_points: options.most_points })
    }

    /// With the points of the laws above moved to where they cost least.
    ///
    /// Connect-the-dots is the best law on given points; which multiples of a given spacing, plus what, these are is free. A law that is
    /// as narrow as a few spacings gains some percent of what the spacing costs; a wide one gains nothing. Where the spacing follows
    /// from the tolerance a finer one does more.
    fn with_best_points(mut self, problem: &Problem<'_>) -> Self {
        let Composed::OnGrid(sides) = &mut self.composed else { return self };
        if !is_worth_moving(&problem.facts, &self.plan, &TUNING) {
            return self;
        }
        let cost = |upper: &ComposedLaw<Pessimistic>| match problem.goal {
            Goal::Delta { epsilon } => upper.upper(epsilon),
            Goal::Epsilon { delta } => upper.epsilon(delta, self.plan.epsilon).unwrap_or(f64::INFINITY),
        };
        let mut least = cost(&sides.upper);
        for place in 1..TUNING.places {
            let plan = LatticePlan { moved: f64::from(place) / f64::from(TUNING.places), ..self.plan };
            let Some(other) = problem.upper(&plan) else { continue };
            let own = cost(&other);
            if own < least {
                (least, self.plan.moved, sides.upper) = (own, plan.moved, other);
            }
        }
        self
    }

    /// The relative width that the goal will see: of ε a little more, for the search stops a little outside.
    fn width(&self, goal: Goal) -> f64 {
        let (bounds, more) = match goal {
            Goal::Delta { epsilon } => (self.delta(epsilon).delta.value(), 1.0),
            Goal::Epsilon { delta } => (self.epsilon(delta), 1.21),
        };
        if bounds.upper() > 0.0 { more * bounds.width() / bounds.upper() } else { 0.0 }
    }
}

/// Has a composition so few outcomes that they may be worth listing?
fn are_few(parts: &[(SharedPair, u64)]) -> bool {
    let mut product = 1.0;
    parts.iter().all(|(pair, count)| {
        let laws = pair.ratio_laws();
        let atoms: usize = laws.iter().map(|law| law.atoms.len()).sum();
        for i in 1..atoms.max(1) {
            product *= (*count as f64 + i as f64) / i as f64;
            if product > TUNING.most_outcomes {
                return false;
            }
        }
        laws.iter().all(|law| law.panels.is_empty() && law.listing == Listing::Everything)
    })
}

/// The plan on a grid: for a spacing, or for the one that the tolerance asks for.
pub(crate) fn planned(problem: &Problem<'_>, spacing_of_grid: Option<f64>) -> Option<LatticePlan> {
    let Problem { facts, groups, .. } = problem;
    let asked = spacing_of_grid.or(facts.options.spacing);
    let spacing = asked.unwrap_or_else(|| spacing(facts, &groups.grouping, &TUNING));
    on_grid(facts, &groups.grouping, spacing, &TUNING)
}

/// With a tolerance that may depend on about where the answer will be.
fn posed<'a>(
    parts: &'a [(SharedPair, u64)],
    goal: Goal,
    options: Options,
    tolerance: impl Fn(Saddle) -> f64,
) -> Result<Problem<'a>, TooLarge> {
    let uses: f64 = parts.iter().map(|(_, count)| *count as f64).sum();
    let options_at = |saddle| Options { tolerance: tolerance(saddle), ..options };
    let problem = (uses <= MOST_USES).then(|| Problem::new(parts, goal, options_at)).flatten();
    problem.ok_or(TooLarge { most_points: options.most_points })
}
