//! A part of an account of which only moments are left.

use super::{
    Answer, Guarantee, Method, Shortfall, Unknown, answer::half_width, arguments::DEFAULT_TOLERANCE,
};
use crate::{
    curve::{Budget, PrivacyProfile, smallest_epsilon},
    engine::{Goal, contour::FixedLines},
    error::Error,
    mechanism::{Mechanism, Relation},
    pair::{Direction, SharedPair, dominating_pair},
    plan::{Engine, Plan},
};
use hockeystick_numerics::enclosure::Enclosure;

/// Mechanisms that were folded into their moments on fixed lines, and are not listed any more.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    directions: &'static [Direction],
    /// For each direction; one for all as long as everything is the same in all of them.
    lines: Vec<FixedLines>,
    pub(super) summary: FoldedParts,
}

/// How much was folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldedParts {
    /// Mechanisms that were distinct when they were folded.
    pub mechanisms: u64,
    /// Their uses.
    pub uses: u128,
}

/// Pairs in one direction.
type Pairs = Vec<(SharedPair, u64)>;

impl Folded {
    /// Of nothing yet, on lines that suit the parts.
    pub(super) fn suited_to(parts: &[(Mechanism, u64)], relation: Relation) -> Result<Self, Error> {
        let directions = Direction::of(relation);
        let pairs = pairs(parts, directions[0])?;
        let lines = FixedLines::suited_to(&pairs).ok_or_else(|| unfoldable(parts))?;
        Ok(Self { directions, lines: vec![lines], summary: FoldedParts::default() })
    }

    /// Refuses a mechanism that could not be folded.
    pub(super) fn check(&self, mechanism: &Mechanism) -> Result<(), Error> {
        for (lines, direction) in self.lines.iter().zip(self.directions) {
            if !lines.can_add(&dominating_pair(mechanism, *direction)?) {
                return Err(unfoldable(&[(mechanism.clone(), 1)]));
            }
        }
        Ok(())
    }

    /// Together with more.
    pub(super) fn with(&self, parts: &[(Mechanism, u64)]) -> Result<Self, Error> {
        let first = pairs(parts, self.directions[0])?;
        let is_self_dual = first.iter().all(|(pair, _)| pair.is_self_dual());
        let mut lines = self.lines.clone();
        if !is_self_dual && lines.len() < self.directions.len() {
            lines = vec![lines[0].clone(); self.directions.len()];
        }
        let added = lines.iter().zip(self.directions).map(|(lines, direction)| {
            let pairs =
                if *direction == self.directions[0] { first.clone() } else { pairs(parts, *direction)? };
            lines.with(&pairs).ok_or_else(|| unfoldable(parts))
        });
        let uses: u128 = parts.iter().map(|(_, count)| u128::from(*count)).sum();
        let summary = FoldedParts {
            mechanisms: self.summary.mechanisms + parts.len() as u64,
            uses: self.summary.uses + uses,
        };
        Ok(Self { lines: added.collect::<Result<_, _>>()?, directions: self.directions, summary })
    }

    /// Numbers that are stored.
    #[cfg(test)]
    pub(super) fn stored(&self) -> usize {
        self.lines.iter().map(FixedLines::stored).sum()
    }

    /// The answer for all directions, of which `folded` is not listed.
    pub(super) fn answer(&self, goal: Goal, folded: FoldedParts) -> Answer {
        let answers = self.lines.iter().zip(self.directions).map(|(lines, direction)| {
            let profile = lines.profile();
            let (unknown, (bounds, shortfall)) = match goal {
                Goal::Epsilon { delta } => {
                    let (bounds, why) = smallest_epsilon(&profile, delta);
                    (Unknown::Epsilon { delta }, (bounds, why.map(|why| Shortfall::of(why, delta))))
                }
                Goal::Delta { epsilon } => {
                    (Unknown::Delta { epsilon }, (profile.delta(epsilon).delta.value(), None))
                }
            };
            let at = match goal {
                Goal::Epsilon { .. } => bounds.upper().min(f64::MAX),
                Goal::Delta { epsilon } => epsilon,
            };
            let engine = profile.plan(at).map(Engine::Contour);
            let plans = engine.map(|engine| Plan { direction: *direction, engine, reason: REASON });
            Answer {
                unknown,
                bounds,
                guarantee: Guarantee::Certified,
                method: Method::Contour,
                direction: *direction,
                budget: budget(profile.delta(at).budget, bounds),
                shortfall,
                plans: plans.into_iter().collect(),
                notes: vec![self.note(folded, bounds)],
            }
        });
        answers
            .reduce(Answer::worse)
            .expect("every relation has a direction")
            .checked_against(Some(DEFAULT_TOLERANCE))
    }

    fn note(&self, folded: FoldedParts, bounds: Enclosure) -> String {
        format!(
            "{} distinct mechanisms of {} uses were folded into their moments on {} lines and are not listed any more; the interval is {:.1e} \
             of its upper end wide",
            folded.mechanisms,
            folded.uses,
            self.lines[0].lines(),
            bounds.width() / bounds.upper().max(f64::MIN_POSITIVE)
        )
    }
}

/// Why there is no better line.
const REASON: &str = "the account is bounded: mechanisms were folded into their moments on fixed lines";

fn budget(of_delta: Budget, bounds: Enclosure) -> Budget {
    let half = half_width(bounds);
    if half.is_finite() { of_delta.scaled_to(half) } else { Budget::default() }
}

fn pairs(parts: &[(Mechanism, u64)], direction: Direction) -> Result<Pairs, Error> {
    parts.iter().map(|(mechanism, count)| Ok((dominating_pair(mechanism, direction)?, *count))).collect()
}

fn unfoldable(parts: &[(Mechanism, u64)]) -> Error {
    let texts: Vec<String> = parts.iter().map(|(mechanism, _)| mechanism.to_string()).collect();
    Error::NotFoldable { mechanism: texts.join(" + ") }
}
