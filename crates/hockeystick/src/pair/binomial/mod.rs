//! Binomial noise on the integers.
//!
//! In: the number of coins, their probability, a whole sensitivity. Out: the pair of the noise around both answers.
//!
//! # Guarantee
//! Masses are enclosed with relative accuracy, however far out. What is not listed counts as giving the input away for upper ends, and as
//! not there for lower ends.

mod coordinate;
mod fair;
mod likely;

use super::{
    NoPair, SharedPair,
    shape::{DiscretePair, Known, LazyPair},
};
use crate::{error::Error, mechanism::Binomial};
use coordinate::{NEGLIGIBLE, coordinate, likely_range, log_mass, mode, rough_log_mass};
use hockeystick_numerics::{enclosure::Enclosure, probability::Probability};
use likely::{Coins, LONGEST_SHIFT};
use std::sync::Arc;

/// More outcomes than this are refused.
const MOST_OUTCOMES: usize = 1_000_000;
/// At least what a million outcomes have together that are not listed.
const LEFT_OUT: f64 = 1e-314;

/// `Z + s` against `Z` with `Z ~ Binomial(n, p)`, in each of the coordinates ([Koskela21, 6.2, Thm 11]).
///
/// At the outcome `x` from `s` to `n`, `P` has the mass `C(n, x−s)p^{x−s}(1−p)^{n−x+s}` and `Q` has
/// `C(n, x)p^x(1−p)^{n−x}`; the printed loss has the opposite sign and the printed mass mixes the two. Outcomes above `n`
/// only `P` can produce, those below `s` only `Q`. For fair coins, `x ↦ n + s − x` swaps the directions.
pub(super) fn pair(binomial: &Binomial) -> Result<SharedPair, Error> {
    let (n, shift) = (binomial.n(), binomial.sensitivity());
    let is_fair = binomial.p() == 0.5;
    if shift > n {
        let pair = DiscretePair::new(Vec::new(), Enclosure::ONE, Enclosure::ONE)?;
        return Ok(Arc::new(pair.declared_self_dual()));
    }
    if n > MOST_OUTCOMES as u64 {
        return Err(NoPair::TooManyOutcomes { outcomes: n as f64, most: MOST_OUTCOMES }.into());
    }
    if binomial.dimension() == 1
        && let Some(known) = known(n, binomial.p(), shift)
    {
        let coins = Coins { n, chance: binomial.p(), shift };
        return Ok(Arc::new(LazyPair::new(Arc::new(coins), Known { self_dual: is_fair, ..known })));
    }
    let coordinate = coordinate(n, binomial.p(), shift)?;
    let coordinate = if is_fair { coordinate.declared_self_dual() } else { coordinate };
    Ok(Arc::new(power(coordinate, binomial.dimension())?))
}

/// What [`coordinate`] will say of the pair, if its ends are so unlikely that nothing needs to be added up for that.
fn known(n: u64, chance: f64, shift: u64) -> Option<Known> {
    let deviation = (n as f64 * chance * (1.0 - chance)).sqrt();
    let is_unlikely = |k: u64| log_mass(n, chance, k).enclosure().upper() < -(NEGLIGIBLE + 1.0);
    if shift as f64 > LONGEST_SHIFT * deviation
        || !(shift - 1..n - shift + 1).contains(&mode(n, chance))
        || rough_log_mass(n, chance, shift - 1) > -(NEGLIGIBLE + 2.0)
        || rough_log_mass(n, chance, n - shift + 1) > -(NEGLIGIBLE + 2.0)
        || !(is_unlikely(shift - 1) && is_unlikely(n - shift + 1))
    {
        return None;
    }
    let likely = likely_range(n, chance);
    let (first, last) = (*likely.start().max(&shift), (likely.end() + shift).min(n));
    // The logarithm of a ratio of masses that have the radius of three factorials each.
    let loss = |x: u64| (log_mass(n, chance, x - shift) - log_mass(n, chance, x)).enclosure();
    // Fewer than n ≤ 10⁶ numbers, each less likely than e^{−741}; and those beyond the likely ones, in geometric series.
    let beyond = Probability::from_value(Enclosure::new(0.0, LEFT_OUT));
    let losses = (loss(first), loss(last));
    let is_finite = |loss: Enclosure| loss.lower().is_finite() && loss.upper().is_finite();
    (is_finite(losses.0) && is_finite(losses.1)).then_some(Known {
        infinite: beyond,
        vanishing: beyond,
        losses,
        self_dual: false,
    })
}

/// `dimension` independent coordinates, by repeated squaring.
fn power(coordinate: DiscretePair, dimension: u64) -> Result<DiscretePair, NoPair> {
    let mut factor = coordinate;
    let mut product: Option<DiscretePair> = None;
    let mut left = dimension;
    loop {
        if left % 2 == 1 {
            product = Some(match product {
                None => factor.clone(),
                Some(known) => known.product(&factor, MOST_OUTCOMES)?,
            });
        }
        left /= 2;
        match product {
            Some(product) if left == 0 => return Ok(product),
            _ => factor = factor.product(&factor, MOST_OUTCOMES)?,
        }
    }
}
