//! ε of a mechanism that is known to be μ-GDP for some μ, from two rates.

use super::Rates;
use crate::data::Counts;
use hockeystick::{Error, Query, mechanism::Gdp};
use hockeystick_numerics::{
    enclosure::Enclosure,
    rounding::UNIT_ROUNDOFF,
    special::{NORMAL_QUANTILE_ERROR_UNITS, normal_quantile},
};

/// μ is at least `Φ⁻¹(TPR) − Φ⁻¹(FPR)`; ε at δ follows by its closed form.
///
/// # Guarantee
/// Rounded down.
pub(crate) fn of_counts(counts: Counts, delta: f64, error: f64) -> Result<(f64, Rates), Error> {
    let rates = Rates::of(counts, None, 0.5 * error);
    // Of two ends of one rate the one below ½ has the digits.
    let power = if rates.true_positives < 0.5 {
        quantile(rates.true_positives)
    } else {
        -quantile(rates.false_negatives)
    };
    let level = if rates.false_positives < 0.5 {
        quantile(rates.false_positives)
    } else {
        -quantile(rates.true_negatives)
    };
    let mu = (power - level).lower();
    // Where nothing is known of a rate, its quantile is infinite.
    if !(mu > 0.0 && mu.is_finite()) {
        return Ok((0.0, rates));
    }
    let epsilon = Query::new(&Gdp::new(mu)?.into()).epsilon(delta)?.lower().unwrap_or(0.0);
    Ok((epsilon, rates))
}

fn quantile(probability: f64) -> Enclosure {
    Enclosure::relative(normal_quantile(probability), NORMAL_QUANTILE_ERROR_UNITS * UNIT_ROUNDOFF)
}
