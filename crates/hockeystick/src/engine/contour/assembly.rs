//! The pieces of a recipe. Their sum is `g(ε)`, the contribution of the finite losses to δ.

use super::{
    Recipe,
    choose::NotBuilt,
    facts::Facts,
    line::Integral,
    piece::{BandLimited, Line, Outline, Piece, slices},
    recipe::ContourPlan,
    tuning::TUNING,
};
use crate::engine::Goal;
use hockeystick_numerics::{
    roots::{Tolerance, bracketed_root},
    special::ln,
};

/// Pieces that add up to `g(ε)`.
#[derive(Debug)]
pub(super) struct Assembly {
    recipe: Recipe,
    pieces: Vec<Box<dyn Piece>>,
}

impl Assembly {
    /// Builds the pieces of a recipe.
    pub(super) fn new(recipe: Recipe, facts: &Facts<'_>) -> Result<Self, NotBuilt> {
        let factors = facts.question.factors;
        let (line, needed) = (facts.line.clone(), facts.target.needed);
        let alone = |line: Option<Line>| line.map(|line| vec![Box::new(line) as Box<dyn Piece>]);
        let pieces = match recipe {
            Recipe::Line => alone(Line::whole(factors, line, needed)),
            Recipe::BandLimited => BandLimited::new(factors, facts.band_limited(), facts.target)
                .map(|line| vec![Box::new(line) as Box<dyn Piece>]),
            Recipe::Slices { sharper } => {
                let table = facts.table().ok_or(NotBuilt::NoCut)?;
                slices::cut(factors, table, facts.target_by_scales(table), sharper)
            }
        };
        Ok(Self { recipe, pieces: pieces.ok_or(NotBuilt::NoLine)? })
    }

    /// The share of pairs and points that were summed.
    pub(super) fn summed(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.summed()).fold(0.0, f64::max)
    }

    pub(super) fn plan(&self) -> ContourPlan {
        let pieces = self.pieces.iter().map(|piece| piece.outline()).collect();
        ContourPlan { recipe: self.recipe, pieces }
    }

    /// `g(ε) = E[(1 − e^{ε−L})₊; L < ∞]`.
    ///
    /// # Guarantee
    /// Encloses it: the pieces partition the finite losses. Smooth cuts split an outcome by weights that add up to 1.
    pub(super) fn integral(&self, epsilon: f64) -> Integral {
        let parts = self.pieces.iter().map(|piece| piece.contribution(epsilon));
        let sum = parts.reduce(Integral::plus).unwrap_or_default();
        Integral { bounds: sum.bounds.clamp(0.0, 1.0), ..sum }
    }

    /// The part of the width that is known without summing any line, before the interval is clamped to [0, 1].
    pub(super) fn width_without_sum(&self, epsilon: f64) -> f64 {
        self.pieces.iter().map(|piece| piece.width_without_sum(epsilon)).sum()
    }

    /// The relative width of g(ε). 1 if g is far below the δ asked for, so that ε is far off. 0 if ε = 0 is proven to suffice.
    pub(super) fn width(&self, goal: Goal, epsilon: f64) -> f64 {
        let found = self.integral(epsilon);
        match goal {
            Goal::Epsilon { delta } if epsilon == 0.0 && found.bounds.upper() <= delta => 0.0,
            Goal::Epsilon { delta } if found.bounds.upper() < TUNING.not_less * delta => 1.0,
            Goal::Epsilon { .. } | Goal::Delta { .. } => found.relative_width(),
        }
    }

    /// The tilt c of the first line. g changes by a factor of about e over a distance 1/c in ε.
    fn tilt(&self) -> f64 {
        self.pieces.iter().find_map(|piece| Outline::line(&piece.outline())).map_or(1.0, |line| line.tilt)
    }

    /// `−d log g/dε`, in plain floats.
    pub(super) fn slope(&self, epsilon: f64) -> f64 {
        let unit = 1.0 / self.tilt();
        // Long enough for round-off to be negligible, short enough for log g to be nearly linear.
        let step = (TUNING.slope_step * epsilon).clamp(TUNING.slope_step * unit, PART_OF_UNIT * unit);
        let from = (epsilon - step).max(0.0);
        let log = |at: f64| ln(self.integral(at).bounds.midpoint());
        (log(from) - log(epsilon + step)) / (epsilon + step - from)
    }

    /// The ε that a question is about; 0 if there g is proven to be no more than what is asked for.
    pub(super) fn center(&self, goal: Goal, guess: f64) -> f64 {
        match goal {
            Goal::Delta { epsilon } => epsilon,
            Goal::Epsilon { delta } if self.integral(0.0).bounds.upper() <= delta => 0.0,
            Goal::Epsilon { delta } => self.root(delta, guess),
        }
    }

    /// About the ε at which g is `delta`, from a guess.
    fn root(&self, delta: f64, guess: f64) -> f64 {
        let log_delta = ln(delta);
        // Decreasing in ε. LOG_ZERO replaces log 0.
        let excess = |epsilon: f64| ln(self.integral(epsilon).bounds.midpoint()).max(LOG_ZERO) - log_delta;
        let unit = 1.0 / self.tilt();
        let guess = if guess > 0.0 { guess } else { TUNING.slope_step * unit };
        let at_guess = excess(guess);
        // log g has a slope of about −c, which estimates the distance to the root.
        let reach = (at_guess / self.tilt()).abs().max(TUNING.slope_step * unit);
        let (mut low, mut high) = (guess, guess);
        let mut step = 1.2 * reach;
        for _ in 0..DOUBLINGS {
            if at_guess > 0.0 {
                (low, high) = (high, high + step);
                if excess(high) <= 0.0 {
                    break;
                }
            } else {
                (low, high) = ((low - step).max(0.0), low);
                if low == 0.0 || excess(low) > 0.0 {
                    break;
                }
            }
            step *= 2.0;
        }
        let tolerance = Tolerance::absolute(ROOT_WIDTH * high);
        bracketed_root(excess, low, high, tolerance).map_or(guess, |root| 0.5 * (root.lower + root.upper))
    }
}

/// Stands for log 0.
const LOG_ZERO: f64 = -1e4;
/// The largest step of the difference quotient for a slope, in units of 1/c.
const PART_OF_UNIT: f64 = 0.1;
/// How often a bracket is doubled, and how closely a root is looked for.
const DOUBLINGS: usize = 60;
const ROOT_WIDTH: f64 = 1e-11;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::contour::{
            Accuracy,
            factors::Factors,
            facts::Question,
            search::{saddle, searchable},
            target::Target,
        },
        mechanism::Mechanism,
        pair::{Direction, dominating_pair},
    };
    use proptest::prelude::*;

    const RECIPES: [Recipe; 5] = [
        Recipe::Line,
        Recipe::BandLimited,
        Recipe::Slices { sharper: 0 },
        Recipe::Slices { sharper: 1 },
        Recipe::Slices { sharper: 2 },
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Whatever a composition is cut into, the pieces are all of it: the enclosures of g by all recipes have a point in common, far from the
        /// question, too.
        #[test]
        fn recipes_enclose_the_same(
            (log_noise, more_noise) in (-1.2f64..4.0, -1.2f64..1.5),
            (log_rate, more_rate) in (-13f64..-0.5, -13f64..-0.5),
            (log_count, more_count) in (0f64..18.4, 0f64..8.0),
            log_delta in -230f64..-1.0,
            kinds in 0usize..4,
        ) {
            let sampled = |noise: f64, rate: f64| format!("poisson(gaussian(sigma={}), rate={})", noise.exp(), rate.exp());
            let parts = [
                (sampled(log_noise, log_rate), log_count.exp() as u64),
                (sampled(more_noise, more_rate), more_count.exp() as u64),
                (format!("gaussian(sigma={})", 20.0 * more_noise.exp()), more_count.exp() as u64),
            ];
            let pairs: Vec<_> = parts
                .iter()
                .take(1 + kinds % 3)
                .map(|(step, count)| {
                    let step: Mechanism = step.parse().unwrap();
                    (dominating_pair(&step, Direction::Remove).unwrap(), *count)
                })
                .collect();
            let factors = Factors::new(&pairs);
            let (goal, accuracy) = (Goal::Epsilon { delta: log_delta.exp() }, Accuracy::NARROW);
            let Some(saddle) = saddle::find(&factors, goal) else { return Ok(()) };
            let target = Target::first(goal, accuracy, &saddle);
            let facts = Facts::new(Question { factors: &factors, goal, accuracy }, saddle, target);
            let built: Vec<Assembly> =
                RECIPES.iter().filter_map(|recipe| Assembly::new(*recipe, &facts).ok()).collect();
            for part in [-1.0, -0.1, 0.0, 0.3, 0.8, 1.0, 1.1, 1.6, 3.0] {
                let epsilon = part * target.epsilon.abs().max(1e-6);
                let found = built.iter().map(|assembly| assembly.integral(epsilon).bounds);
                let (lower, upper) = found.fold((0.0f64, 1.0f64), |(lower, upper), bounds| {
                    (lower.max(bounds.lower()), upper.min(bounds.upper()))
                });
                prop_assert!(
                    lower <= upper,
                    "{parts:?} at {epsilon}: {:?}",
                    built.iter().map(|one| (one.recipe, one.integral(epsilon).bounds)).collect::<Vec<_>>()
                );
            }
        }
    }

    /// Of very many pairs, those that two threads sum in one piece may be such that none can be cut: their sums above the cuts are empty.
    #[test]
    fn a_piece_may_hold_no_pair_that_is_cut() {
        let pair = |text: String| {
            (dominating_pair(&text.parse::<Mechanism>().unwrap(), Direction::Remove).unwrap(), 3)
        };
        let cut = (0..120)
            .map(|i| pair(format!("poisson(gaussian(sigma={}), rate=1e-4)", 0.5 + 1e-3 * f64::from(i))));
        let not = (0..120)
            .map(|i| pair(format!("truncated_gaussian(sigma={}, bound=900)", 60.0 + 0.1 * f64::from(i))));
        let factors = searchable(Factors::new(&cut.chain(not).collect::<Vec<_>>()));
        assert!(factors.are_many());
        let (goal, accuracy) = (Goal::Epsilon { delta: 1e-6 }, Accuracy::NARROW);
        let saddle = saddle::find(&factors, goal).unwrap();
        let target = Target::first(goal, accuracy, &saddle);
        let facts = Facts::new(Question { factors: &factors, goal, accuracy }, saddle, target);
        let built: Vec<Assembly> =
            RECIPES.iter().filter_map(|recipe| Assembly::new(*recipe, &facts).ok()).collect();
        assert!(built.iter().any(|one| matches!(one.recipe, Recipe::Slices { .. })));
        for part in [0.5, 1.0, 1.5] {
            let found: Vec<_> = built.iter().map(|one| one.integral(part * target.epsilon).bounds).collect();
            assert!(
                found.iter().all(|one| found.iter().all(|other| one.overlaps(*other))),
                "{part}: {found:?}"
            );
        }
    }

    /// One pair has a rare large loss, the other has tiny ones only, which it was cut at all the same: of next to nothing there was no rule,
    /// and the answer was [0, 1.9].
    #[test]
    fn a_pair_is_not_cut_at_losses_of_another() {
        let part = |text: &str, count| {
            (dominating_pair(&text.parse::<Mechanism>().unwrap(), Direction::Remove).unwrap(), count)
        };
        for count in [3, 300_000] {
            let pairs = [
                part("poisson(gaussian(sigma=0.7665), rate=4.893e-5)", 1),
                part("poisson(gaussian(sigma=36.23), rate=9.769e-6)", count),
            ];
            let factors = Factors::new(&pairs);
            let (goal, accuracy) = (Goal::Epsilon { delta: 1.3e-13 }, Accuracy::NARROW);
            let saddle = saddle::find(&factors, goal).unwrap();
            let target = Target::first(goal, accuracy, &saddle);
            let facts = Facts::new(Question { factors: &factors, goal, accuracy }, saddle, target);
            let assembly = Assembly::new(Recipe::Slices { sharper: 0 }, &facts);
            let Ok(assembly) = assembly else { panic!("{count}: {assembly:?}") };
            let epsilon = assembly.center(goal, target.epsilon);
            assert!(assembly.width(goal, epsilon) < 1e-8, "{count}: {epsilon}");
        }
    }
}
