//! Two rates at one threshold: ε from `TPR ≤ e^ε·FPR + δ`.

use super::Sides;
use crate::{
    data::Counts,
    proportion::{at_least, at_most},
};
use hockeystick_numerics::enclosure::Enclosure;

/// What is known of the rates of an attack, with the confidence of the audit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// The threshold of its scores, if it has one: what is above it is called a member, and what is equal to it if it is a score of a member.
    pub threshold: Option<f64>,
    /// The true positive rate is at least this.
    pub true_positives: f64,
    /// And the false negative rate at most this.
    pub false_negatives: f64,
    /// The false positive rate is at most this.
    pub false_positives: f64,
    /// And the true negative rate at least this.
    pub true_negatives: f64,
}

impl Rates {
    /// From counts, either rate with this error.
    pub(crate) fn of(counts: Counts, threshold: Option<f64>, error: f64) -> Self {
        let Counts { true_positives, positives, false_positives, negatives } = counts;
        Self {
            threshold,
            true_positives: at_least(true_positives, positives, error),
            // The same end from the other side, with the digits that are next to 0.
            false_negatives: at_most(positives - true_positives, positives, error),
            false_positives: at_most(false_positives, negatives, error),
            true_negatives: at_least(negatives - false_positives, negatives, error),
        }
    }

    /// The smallest ε that allows them.
    ///
    /// # Guarantee
    /// Rounded down: `(TPR − δ)/FPR ≤ e^ε` where the record is removed, `(TNR − δ)/FNR ≤ e^ε` where it is added.
    pub(crate) fn epsilon(&self, delta: f64, sides: Sides) -> f64 {
        let of = |right: f64, wrong: f64| {
            let excess = Enclosure::point(right) - delta;
            if excess.lower() <= 0.0 { 0.0 } else { (excess / wrong).ln().lower().max(0.0) }
        };
        let removing = if sides.removing { of(self.true_positives, self.false_positives) } else { 0.0 };
        let adding = if sides.adding { of(self.true_negatives, self.false_negatives) } else { 0.0 };
        removing.max(adding)
    }
}

/// Two one-sided ends, half of the error for each.
pub(crate) fn of_counts(counts: Counts, delta: f64, error: f64, sides: Sides) -> (f64, Rates) {
    let rates = Rates::of(counts, None, 0.5 * error);
    (rates.epsilon(delta, sides), rates)
}
