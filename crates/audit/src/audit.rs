//! An audit: evidence, a question, a finding, and a claim beside it.

use crate::{
    bound::{Rates, Sides, Theorem, gaussian_of_counts, of_counts, of_guesses, of_scores},
    data::{Counts, Guesses, Scores},
    error::{Error, check},
};
use hockeystick::{Answer, Query, mechanism::Relation};
use hockeystick_numerics::rounding::{sub_down, sub_up};

/// What an attack brought to light.
#[derive(Clone, Debug, PartialEq)]
pub enum Evidence {
    /// Right and wrong answers of one rule.
    Counts(Counts),
    /// The same, of a mechanism that is known to be μ-GDP.
    GaussianCounts(Counts),
    /// Scores; the threshold is chosen here.
    Scores(Scores),
    /// Guesses in one run.
    Guesses(Guesses),
}

/// A question about evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    evidence: Evidence,
    delta: f64,
    confidence: f64,
    relation: Relation,
}

/// What is proven about the program that was attacked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// It is not (ε′, δ)-DP for any ε′ below this, with the confidence.
    pub epsilon: f64,
    /// The δ.
    pub delta: f64,
    /// One minus the largest probability that ε is above the truth.
    pub confidence: f64,
    /// Why.
    pub theorem: Theorem,
    /// The rates that show it; none of guesses in one run.
    pub rates: Option<Rates>,
}

/// What the evidence says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The attack proves more than the claimed mechanism can spend.
    Refuted,
    /// It does not. How much of the claim the attack explains says the comparison.
    Consistent,
}

impl Verdict {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuted => "refuted",
            Self::Consistent => "consistent",
        }
    }
}

/// A finding beside what a claimed mechanism spends.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What the attack proves.
    pub finding: Finding,
    /// What the mechanism spends at the same δ.
    pub claimed: Answer,
    /// What follows.
    pub verdict: Verdict,
    /// How much of the claimed ε the attack leaves unexplained, rounded up: a better attack may be there, or the claim may be loose. If it is refuted, by
    /// how much the attack exceeds it, rounded down.
    pub gap: f64,
}

impl Audit {
    /// At δ = 0, with 95 % confidence, of neighbours that differ by one record added or removed.
    pub fn of(evidence: Evidence) -> Self {
        Self { evidence, delta: 0.0, confidence: 0.95, relation: Relation::AddRemove }
    }

    /// The δ.
    pub fn delta(self, delta: f64) -> Self {
        Self { delta, ..self }
    }

    /// How sure the finding is to be.
    pub fn confidence(self, confidence: f64) -> Self {
        Self { confidence, ..self }
    }

    /// Which datasets the trials were about: with the record and without it, or with another one in its place.
    pub fn relation(self, relation: Relation) -> Self {
        Self { relation, ..self }
    }

    /// What the evidence proves.
    ///
    /// # Guarantee
    /// If the program is (ε′, δ)-DP, `epsilon` is above ε′ with probability at most `1 − confidence`.
    pub fn finding(&self) -> Result<Finding, Error> {
        let (delta, confidence) = (self.delta, self.confidence);
        check(
            (0.0..1.0).contains(&delta),
            "delta",
            delta,
            "0 or above and below 1",
            "use the δ of the claim",
        )?;
        check(
            confidence > 0.0 && confidence < 1.0,
            "confidence",
            confidence,
            "above 0 and below 1",
            "say 0.95",
        )?;
        let error = sub_down(1.0, confidence);
        let sides = self.sides();
        let (epsilon, theorem, rates) = match &self.evidence {
            Evidence::Counts(counts) => {
                let (epsilon, rates) = of_counts(*counts, delta, error, sides);
                (epsilon, Theorem::Counts, Some(rates))
            }
            Evidence::GaussianCounts(counts) => {
                let (epsilon, rates) = gaussian_of_counts(*counts, delta, error)?;
                (epsilon, Theorem::GaussianCounts, Some(rates))
            }
            Evidence::Scores(scores) => {
                let (epsilon, rates) = of_scores(scores, delta, error, sides);
                (epsilon, Theorem::Ranks, Some(rates))
            }
            Evidence::Guesses(guesses) => {
                check(
                    sides.removing && sides.adding,
                    "relation",
                    self.relation,
                    "add-remove or replace for guesses in one run",
                    "the theorem needs both directions",
                )?;
                (of_guesses(*guesses, delta, error), Theorem::OneRun, None)
            }
        };
        Ok(Finding { epsilon, delta, confidence, theorem, rates })
    }

    /// The finding beside what a claimed mechanism spends at the same δ.
    ///
    /// # Guarantee
    /// A claim that is true is refuted with probability at most `1 − confidence`.
    pub fn against(&self, claim: &Query<'_>) -> Result<Comparison, Error> {
        let finding = self.finding()?;
        let claimed = claim.epsilon(self.delta)?;
        let verdict = if finding.epsilon > claimed.upper() { Verdict::Refuted } else { Verdict::Consistent };
        let gap = match verdict {
            Verdict::Refuted => sub_down(finding.epsilon, claimed.upper()),
            Verdict::Consistent => sub_up(claimed.upper(), finding.epsilon),
        };
        Ok(Comparison { finding, claimed, verdict, gap })
    }

    fn sides(&self) -> Sides {
        match self.relation {
            Relation::AddRemove | Relation::Replace => Sides { removing: true, adding: true },
            Relation::Remove => Sides { removing: true, adding: false },
            Relation::Add => Sides { removing: false, adding: true },
        }
    }
}
