//! Pairs of compositions: products that stay pairs, which is what a sampler needs.

use super::{
    Between, Bounds, LossLaw, SharedPair, Sides,
    gaussian::NormalPair,
    noted::Noted,
    shape::{BEFORE_MERGING, DiscretePair, ShiftedPair},
};
use hockeystick_numerics::ball::Ball;
use std::sync::Arc;

/// The pair of a composition, `(P₁ × P₂ × …, Q₁ × Q₂ × …)` ([Zhu22, Thm 10]), where it has a form of its own: normal losses
/// with each other, and anything with losses that take finitely many values. Each factor with its number of uses.
pub(super) fn product(factors: &[(SharedPair, u64)]) -> Option<SharedPair> {
    if let [(pair, 1)] = factors {
        return Some(Arc::clone(pair));
    }
    if let Some(Sides { above, below, slack }) = Sides::of(factors) {
        let (above, below) = (product(&above)?, product(&below)?);
        return Some(Arc::new(Between(Bounds { above, below, slack })));
    }
    let mut normal: Option<Ball> = None;
    // Discrete pairs with each other: that leaves one sum, not sums of sums, and many of them are soon too much.
    let mut discrete: Option<SharedPair> = None;
    let mut others: Vec<SharedPair> = Vec::new();
    for (pair, count) in factors {
        if let Some(LossLaw::Normal { mu_squared }) = pair.loss_law() {
            let all = mu_squared * Ball::from(*count);
            normal = Some(normal.map_or(all, |sum| sum + all));
            continue;
        }
        let power = power(Arc::clone(pair), *count)?;
        if power.all_outcomes().is_none() {
            others.push(power);
        } else {
            discrete = Some(match discrete {
                Some(product) => multiply(product, power)?,
                None => power,
            });
        }
    }
    let normal = normal.map(|mu_squared| -> SharedPair { Arc::new(NormalPair::new(mu_squared)) });
    let mut factors = discrete.into_iter().chain(others).chain(normal);
    let first = factors.next()?;
    factors.try_fold(first, multiply)
}

/// The pair composed with itself, by repeated squaring.
fn power(pair: SharedPair, count: u64) -> Option<SharedPair> {
    if pair.all_outcomes().is_some_and(|outcomes| is_too_much(outcomes.len(), count)) {
        return None;
    }
    let mut square = pair;
    let mut product: Option<SharedPair> = None;
    let mut rest = count;
    while rest > 0 {
        if rest % 2 == 1 {
            product = Some(match product {
                Some(known) => multiply(known, Arc::clone(&square))?,
                None => Arc::clone(&square),
            });
        }
        rest /= 2;
        if rest > 0 {
            square = multiply(Arc::clone(&square), square)?;
        }
    }
    product
}

/// Two discrete pairs make one with at most this many outcomes; the rest is left to engines.
const MOST_OUTCOMES: usize = 20_000;

/// Will a product on the way to `count` uses of so many losses be refused? Sums of n of them take at least `n(losses − 1) + 1` values,
/// those of equally spaced losses, and it is better to know than to multiply until then.
fn is_too_much(losses: usize, count: u64) -> bool {
    let least = |uses: u64| uses.saturating_mul((losses as u64).saturating_sub(1)).saturating_add(1);
    let (most, at_once) = (MOST_OUTCOMES as u64, MOST_OUTCOMES as u64 * BEFORE_MERGING as u64);
    let mut known = 0;
    (0..u64::BITS - count.leading_zeros()).any(|bit| {
        let square = 1u64 << bit;
        // This power is the square of the one before.
        let is_refused = bit > 0 && least(square / 2).saturating_pow(2) > at_once;
        let is_taken = count & square != 0;
        let is_product_refused =
            is_taken && known > 0 && least(known).saturating_mul(least(square)) > at_once;
        known += if is_taken { square } else { 0 };
        is_refused || is_product_refused || least(known.max(square)) > most
    })
}

fn multiply(a: SharedPair, b: SharedPair) -> Option<SharedPair> {
    if let Some(product) = DiscretePair::product_of(&*a, &*b, MOST_OUTCOMES) {
        let product: SharedPair = Arc::new(product.ok()?);
        let notes = [a.notes(), b.notes()].concat();
        return Some(if notes.is_empty() {
            product
        } else {
            Arc::new(Noted { pair: product, note: notes.join("; ") })
        });
    }
    let shifted = ShiftedPair::compose(Arc::clone(&a), &b).or_else(|| ShiftedPair::compose(b, &a))?;
    Some(Arc::new(shifted))
}
