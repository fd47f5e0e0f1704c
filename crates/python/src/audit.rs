//! What an attack proves.

use crate::{Expression, Failure, guarded, numbers::doubles, settings::Settings};
use hockeystick_audit::{Audit, Counts, Error, Evidence, Guesses, Scores};
use pyo3::{Bound, Python, pyfunction, types::PyBytes};

/// ε, theorem, what it assumes; threshold, TPR and FPR; lower and upper end of the claim, verdict and gap.
type Found = (
    f64,
    &'static str,
    &'static str,
    Option<(Option<f64>, f64, f64)>,
    Option<(Option<f64>, f64, &'static str, f64)>,
);

/// An audit of one kind of evidence, and of a claim beside it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of the function in Python")]
pub(crate) fn audit(
    py: Python<'_>,
    counts: Option<(u64, u64, u64, u64)>,
    is_gaussian: bool,
    scores: Option<(Bound<'_, PyBytes>, Bound<'_, PyBytes>)>,
    guesses: Option<(u64, u64, u64)>,
    delta: f64,
    confidence: f64,
    relation: &str,
    claim: Option<&Expression>,
) -> Result<Found, Failure> {
    let settings = Settings::read(relation, "auto", None)?;
    let evidence = match (counts, scores, guesses) {
        (Some((hits, positives, alarms, negatives)), None, None) => {
            let counts = Counts::new(hits, positives, alarms, negatives)?;
            if is_gaussian { Evidence::GaussianCounts(counts) } else { Evidence::Counts(counts) }
        }
        (None, Some((members, others)), None) => {
            Evidence::Scores(Scores::new(doubles(&members)?, doubles(&others)?)?)
        }
        (None, None, Some((canaries, guesses, correct))) => {
            Evidence::Guesses(Guesses::new(canaries, guesses, correct)?)
        }
        _ => {
            let text = "give one kind of evidence: counts of true and false positives, scores, or guesses";
            return Err(Failure::Value(text.to_owned()));
        }
    };
    let audit = Audit::of(evidence).delta(delta).confidence(confidence).relation(settings.relation);
    guarded(py, || {
        let (finding, claim) = match claim {
            Some(claim) => {
                let found = audit.against(&settings.query(&claim.0))?;
                let claim = (found.claimed.lower(), found.claimed.upper(), found.verdict.name(), found.gap);
                (found.finding, Some(claim))
            }
            None => (audit.finding()?, None),
        };
        let rates = finding.rates.map(|rates| (rates.threshold, rates.true_positives, rates.false_positives));
        Ok((finding.epsilon, finding.theorem.name(), finding.theorem.assumes(), rates, claim))
    })
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Account(error) => error.into(),
            other => Self::Value(other.to_string()),
        }
    }
}
