//! How many trials an audit needs, before it is made. Plain estimates: nothing here is a guarantee.

use crate::{
    audit::{Audit, Evidence},
    data::Counts,
    error::{Error, check},
};
use hockeystick::Query;

/// The trials on either side, at most.
const MOST_TRIALS: u64 = 1 << 24;

/// What the best attack on a mechanism is expected to show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// Trials with the record, and as many without it.
    pub trials: u64,
    /// The false positive rate at which the attack shows most.
    pub false_positive_rate: f64,
    /// The ε that it shows if its counts are what is expected.
    pub epsilon: f64,
}

/// The ε that the best attack on the mechanism shows with so many trials on either side, where its counts are what is expected.
pub fn expected(claim: &Query<'_>, trials: u64, delta: f64, confidence: f64) -> Result<Expected, Error> {
    check((1..=MOST_TRIALS).contains(&trials), "trials", trials, "from 1 to 2²⁴", "say 1000")?;
    let curves = claim.curves()?;
    let mut best = Expected { trials, false_positive_rate: 0.5, epsilon: 0.0 };
    for halvings in 0..2 * trials.ilog2().max(1) {
        let rate = 0.5 * std::f64::consts::FRAC_1_SQRT_2.powi(halvings as i32);
        let power = curves.true_positive_rate(rate)?.value().midpoint();
        let of = |rate: f64| (rate * trials as f64).round() as u64;
        let counts = Counts::new(of(power).min(trials), trials, of(rate), trials)?;
        let finding = Audit::of(Evidence::Counts(counts)).delta(delta).confidence(confidence).finding()?;
        if finding.epsilon > best.epsilon {
            best = Expected { trials, false_positive_rate: rate, epsilon: finding.epsilon };
        }
    }
    Ok(best)
}

/// The fewest trials on either side, to a tenth, with which the best attack is expected to show this ε; none if 2²⁴ are too few.
pub fn trials_for(
    claim: &Query<'_>,
    epsilon: f64,
    delta: f64,
    confidence: f64,
) -> Result<Option<Expected>, Error> {
    check(epsilon > 0.0 && epsilon.is_finite(), "epsilon", epsilon, "a finite number above 0", "say 1")?;
    // No attack shows more than is spent.
    if epsilon >= claim.epsilon(delta)?.upper() {
        return Ok(None);
    }
    let shows = |trials: u64| -> Result<Option<Expected>, Error> {
        Ok(Some(expected(claim, trials, delta, confidence)?).filter(|expected| expected.epsilon >= epsilon))
    };
    let mut enough = 16;
    let mut found = loop {
        if let Some(found) = shows(enough)? {
            break found;
        }
        if enough >= MOST_TRIALS {
            return Ok(None);
        }
        enough *= 2;
    };
    let (mut few, mut many) = (enough / 2, enough);
    while many - few > (many / 10).max(1) {
        let middle = few + (many - few) / 2;
        match shows(middle)? {
            Some(fewer) => (many, found) = (middle, fewer),
            None => few = middle,
        }
    }
    Ok(Some(found))
}
