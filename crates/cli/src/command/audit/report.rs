//! What an audit found, in every format.

use crate::report::{Fact, Page, Report, cell, csv, milliseconds, shortest, shown};
use hockeystick::{
    mechanism::{Mechanism, Relation},
    query::Guarantee,
};
use hockeystick_audit::{Comparison, Finding, Verdict};
use hockeystick_digits::{Notation, few_digits_down, few_digits_up};
use std::time::Duration;

/// Digits of ends that hold with a confidence: more would be noise.
const DIGITS: i32 = 6;

#[derive(serde::Serialize)]
pub(super) struct AuditReport {
    query: &'static str,
    relation: Relation,
    delta: f64,
    confidence: f64,
    /// ε is at least this.
    lower: f64,
    theorem: &'static str,
    assumes: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<Rates>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<Claim>,
    elapsed_ms: f64,
    /// In words.
    #[serde(skip)]
    says: &'static str,
}

#[derive(serde::Serialize)]
struct Rates {
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    tpr_at_least: f64,
    fpr_at_most: f64,
}

#[derive(serde::Serialize)]
struct Claim {
    expression: String,
    lower: Option<f64>,
    upper: f64,
    guarantee: Guarantee,
    verdict: &'static str,
    gap: f64,
}

impl AuditReport {
    pub(super) fn new(relation: Relation, finding: &Finding, elapsed: Duration) -> Self {
        Self {
            query: "audit",
            relation,
            delta: finding.delta,
            confidence: finding.confidence,
            lower: finding.epsilon,
            theorem: finding.theorem.name(),
            assumes: finding.theorem.assumes(),
            rates: finding.rates.map(|rates| Rates {
                threshold: rates.threshold,
                tpr_at_least: rates.true_positives,
                fpr_at_most: rates.false_positives,
            }),
            claim: None,
            elapsed_ms: milliseconds(elapsed),
            says: finding.theorem.says(),
        }
    }

    pub(super) fn of_claim(
        claim: &Mechanism,
        relation: Relation,
        comparison: &Comparison,
        elapsed: Duration,
    ) -> Self {
        let Comparison { finding, claimed, verdict, gap } = comparison;
        let claim = Claim {
            expression: claim.to_string(),
            lower: claimed.lower(),
            upper: claimed.upper(),
            guarantee: claimed.guarantee(),
            verdict: verdict.name(),
            gap: *gap,
        };
        Self { claim: Some(claim), ..Self::new(relation, finding, elapsed) }
    }

    /// Why the exit code is 1.
    pub(super) fn refutation(&self) -> Option<String> {
        let claim = self.claim.as_ref().filter(|claim| claim.verdict == Verdict::Refuted.name())?;
        Some(format!(
            "the claim is refuted with a confidence of {}: the attack shows ε ≥ {}, the claimed mechanisms spend at most {}",
            shortest(self.confidence),
            few_digits_down(self.lower, DIGITS, Notation::Plain),
            few_digits_up(claim.upper, DIGITS, Notation::Plain),
        ))
    }
}

impl Report for AuditReport {
    fn page(&self) -> Page {
        let down = |value: f64| few_digits_down(value, DIGITS, Notation::Plain);
        let up = |value: f64| few_digits_up(value, DIGITS, Notation::Plain);
        let mut facts = vec![Fact::value("confidence", shortest(self.confidence))];
        if let Some(rates) = &self.rates {
            facts.push(Fact::value(
                "rates",
                format!("TPR ≥ {}, FPR ≤ {}", down(rates.tpr_at_least), up(rates.fpr_at_most)),
            ));
            facts.extend(rates.threshold.map(|threshold| Fact::value("threshold", shortest(threshold))));
        }
        facts.push(Fact::words("theorem", self.says));
        facts.push(Fact::words("assumes", self.assumes));
        facts.push(Fact::value("relation", self.relation.to_string()));
        if let Some(claim) = &self.claim {
            let spent = cell(&shown(claim.guarantee, claim.lower, claim.upper, Notation::Plain));
            let verdict = if claim.verdict == Verdict::Refuted.name() {
                format!("refuted: the attack shows {} more than the claim allows", down(claim.gap))
            } else {
                format!("consistent; {} of ε are not explained by this attack", up(claim.gap))
            };
            facts.extend([
                Fact::value("claim", claim.expression.clone()),
                Fact::value("claimed ε", spent),
                Fact::words("verdict", verdict),
            ]);
        }
        Page {
            headline: format!("ε ≥ {} at δ = {}", down(self.lower), shortest(self.delta)),
            facts,
            ..Page::default()
        }
    }

    fn csv(&self) -> String {
        let number = |value: Option<f64>| csv::number(value);
        let rates = self.rates.as_ref();
        let mut fields = vec![
            ("query", self.query.to_owned()),
            ("relation", self.relation.to_string()),
            ("delta", number(Some(self.delta))),
            ("confidence", number(Some(self.confidence))),
            ("lower", number(Some(self.lower))),
            ("theorem", self.theorem.to_owned()),
            ("threshold", number(rates.and_then(|rates| rates.threshold))),
            ("tpr_at_least", number(rates.map(|rates| rates.tpr_at_least))),
            ("fpr_at_most", number(rates.map(|rates| rates.fpr_at_most))),
        ];
        if let Some(claim) = &self.claim {
            fields.extend([
                ("claim", claim.expression.clone()),
                ("claim_lower", number(claim.lower)),
                ("claim_upper", number(Some(claim.upper))),
                ("verdict", claim.verdict.to_owned()),
                ("gap", number(Some(claim.gap))),
            ]);
        }
        fields.push(("elapsed_ms", number(Some(self.elapsed_ms))));
        csv::row(fields)
    }
}
