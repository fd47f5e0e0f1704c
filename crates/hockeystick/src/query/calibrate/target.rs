//! What a calibrated mechanism must meet, and how far from it another one is.

use crate::{
    error::Error,
    mechanism::Relation,
    pair::Direction,
    query::{Answer, Guarantee, Query, Unknown, arguments::check},
};
use hockeystick_numerics::{
    enclosure::Enclosure,
    limits::{Limits, within},
    special::{ln, normal_quantile},
};

/// What the mechanism must meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// (ε, δ)-DP.
    Guarantee {
        /// The ε.
        epsilon: f64,
        /// The δ.
        delta: f64,
    },
    /// No attack on membership has a larger advantage, `TPR − FPR`.
    Advantage {
        /// The largest advantage.
        at_most: f64,
    },
    /// No attack with this false positive rate has a larger true positive rate.
    TruePositives {
        /// The largest true positive rate.
        at_most: f64,
        /// The false positive rate.
        false_positives: f64,
    },
}

/// Whether a target is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Proven.
    Meets,
    /// Proven to be missed.
    Misses,
    /// Neither is proven.
    Undecided,
}

impl Verdict {
    /// Whether it is met, if that is proven either way.
    pub fn is_met(self) -> Option<bool> {
        match self {
            Self::Meets => Some(true),
            Self::Misses => Some(false),
            Self::Undecided => None,
        }
    }
}

impl Query<'_> {
    /// What the mechanism spends, in the terms of a target, and whether it meets it.
    ///
    /// # Guarantee
    /// `lower ≤ truth ≤ upper`, and both verdicts are proven.
    pub fn judge(&self, target: Target) -> Result<(Answer, Verdict), Error> {
        target.check()?;
        let answer = target.answer(self, false)?;
        match verdict(&answer, target.most()) {
            // δ at the ε of the target may tell what ε at its δ does not.
            Verdict::Undecided => Ok((answer, target.read(self)?.verdict)),
            decided @ (Verdict::Meets | Verdict::Misses) => Ok((answer, decided)),
        }
    }

    /// The largest true positive rate of an attack with this false positive rate.
    ///
    /// # Guarantee
    /// `lower ≤ truth ≤ upper`.
    pub fn true_positives(&self, false_positives: f64) -> Result<Answer, Error> {
        // Nothing that is cheaper bounds it.
        within(self.limits, || self.limits(Limits::NONE).true_positives_whatever_it_takes(false_positives))
            .unwrap_or_else(|why| Err(Error::Stopped { why }))
    }

    fn true_positives_whatever_it_takes(&self, false_positives: f64) -> Result<Answer, Error> {
        let known = self.delta(0.0)?;
        let curves = self.curves()?;
        Ok(Answer {
            unknown: Unknown::TruePositives { false_positives },
            bounds: curves.true_positive_rate(false_positives)?.value(),
            method: curves.method(),
            guarantee: Guarantee::Certified,
            notes: curves.notes_on_attacks(),
            ..known
        })
    }
}

/// A probability that must not exceed its bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) verdict: Verdict,
    /// How far the middle is above the bound: on the scale of normal quantiles, on which it is almost a straight line.
    pub(super) excess: f64,
    /// Half the width, on the same scale.
    pub(super) uncertainty: f64,
    /// The direction that spends most, as a relation.
    pub(super) binding: Relation,
}

impl Target {
    /// Refuses targets that are out of range.
    pub(super) fn check(self) -> Result<(), Error> {
        const SHARE: &str = "above 0 and below 1";
        match self {
            Self::Guarantee { epsilon, delta } => {
                check(
                    epsilon >= 0.0 && epsilon.is_finite(),
                    "epsilon",
                    epsilon,
                    "a finite number, 0 or above",
                    "give the ε that must be met, say 1",
                )?;
                check(
                    (0.0..1.0).contains(&delta),
                    "delta",
                    delta,
                    "0 or above and below 1",
                    "use a δ well below 1/n for n people",
                )
            }
            Self::Advantage { at_most } => {
                check(at_most > 0.0 && at_most < 1.0, "advantage", at_most, SHARE, "say 0.1")
            }
            Self::TruePositives { at_most, false_positives } => {
                check(
                    false_positives > 0.0 && false_positives < 1.0,
                    "fpr",
                    false_positives,
                    SHARE,
                    "say 0.01",
                )?;
                check(
                    at_most > false_positives && at_most < 1.0,
                    "tpr",
                    at_most,
                    "above the false positive rate and below 1",
                    "even an attack that guesses has a TPR equal to its FPR",
                )
            }
        }
    }

    fn bound(self) -> f64 {
        match self {
            Self::Guarantee { delta, .. } => delta,
            Self::Advantage { at_most } | Self::TruePositives { at_most, .. } => at_most,
        }
    }

    /// The probability that must not exceed the bound, for one mechanism.
    pub(super) fn read(self, query: &Query<'_>) -> Result<Reading, Error> {
        let answer = match self {
            // Of pure differential privacy ε tells how far away it is; δ is 0 or not.
            Self::Guarantee { delta: 0.0, .. } => query.epsilon(0.0)?,
            Self::Guarantee { epsilon, .. } => query.delta(epsilon)?,
            Self::Advantage { .. } => query.delta(0.0)?,
            Self::TruePositives { false_positives, .. } => query.true_positives(false_positives)?,
        };
        let (bound, scale): (f64, fn(f64) -> f64) = match self {
            Self::Guarantee { epsilon, delta: 0.0 } => (epsilon, log_size),
            Self::Guarantee { .. } | Self::Advantage { .. } | Self::TruePositives { .. } => {
                (self.bound(), score)
            }
        };
        let verdict = verdict(&answer, bound);
        // Without a lower end only the upper one is there to search with.
        let (lower, upper) = (answer.lower().unwrap_or(answer.upper()), answer.upper());
        let binding = match (query.relation, answer.direction()) {
            (Relation::AddRemove, Direction::Remove) => Relation::Remove,
            (Relation::AddRemove, Direction::Add) => Relation::Add,
            (relation, Direction::Remove | Direction::Add | Direction::Replace) => relation,
        };
        // Both directions make one trade-off curve; neither is enough for it.
        let binding = match self {
            Self::Guarantee { .. } | Self::Advantage { .. } => binding,
            Self::TruePositives { .. } => query.relation,
        };
        Ok(Reading {
            verdict,
            excess: scale(0.5 * (lower + upper)) - scale(bound),
            uncertainty: 0.5 * (scale(upper) - scale(lower)),
            binding,
        })
    }

    /// The most that may be answered in the terms of the target: ε of a guarantee, else the probability.
    fn most(self) -> f64 {
        match self {
            Self::Guarantee { epsilon, .. } => epsilon,
            Self::Advantage { .. } | Self::TruePositives { .. } => self.bound(),
        }
    }

    /// Does an answer in the terms of the target not exceed it?
    pub(super) fn is_within(self, answer: &Answer) -> bool {
        answer.upper() <= self.most()
    }

    /// What a mechanism spends, in the terms of the target; with the knowledge that it meets it, if it does.
    pub(super) fn answer(self, query: &Query<'_>, is_met: bool) -> Result<Answer, Error> {
        let answer = match self {
            Self::Guarantee { delta, .. } => query.epsilon(delta)?,
            Self::Advantage { .. } => query.delta(0.0)?,
            Self::TruePositives { false_positives, .. } => query.true_positives(false_positives)?,
        };
        let met = self.most();
        // δ(ε) ≤ δ is proven, so ε(δ) ≤ ε is: the inversion may have missed it by a rounding.
        if is_met && answer.upper() > met {
            let bounds = Enclosure::new(answer.bounds.lower().min(met), met);
            return Ok(Answer { bounds, shortfall: None, ..answer });
        }
        Ok(answer)
    }
}

/// What an answer proves about its bound. An estimate proves nothing: it is searched with, and never believed.
fn verdict(answer: &Answer, bound: f64) -> Verdict {
    if answer.guarantee() != Guarantee::Estimate && answer.upper() <= bound {
        Verdict::Meets
    } else if answer.lower().is_some_and(|lower| lower > bound) {
        Verdict::Misses
    } else {
        Verdict::Undecided
    }
}

/// The logarithm, cut off where doubles end.
fn log_size(epsilon: f64) -> f64 {
    ln(epsilon.clamp(f64::MIN_POSITIVE, f64::MAX))
}

/// The normal quantile, cut off where doubles end.
fn score(probability: f64) -> f64 {
    normal_quantile(probability.clamp(1e-300, 1.0 - f64::EPSILON))
}
