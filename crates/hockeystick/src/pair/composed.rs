//! Pairs of compositions: products that stay pairs, which is what a sampler needs.

use super::{
    Direction, LossLaw, SharedPair, dominating_pair, gaussian::NormalPair, noted::Noted, shape::ShiftedPair,
};
use crate::{
    composition::{self, Part},
    error::Error,
    mechanism::Mechanism,
};
use hockeystick_numerics::ball::Ball;
use std::sync::Arc;

/// The pair of a composition, `(P₁ × P₂ × …, Q₁ × Q₂ × …)` ([Zhu22, Thm 10]), where it has a form of its own: normal losses
/// with each other, and anything with losses that take finitely many values.
pub(crate) fn pair(mechanism: &Mechanism, direction: Direction) -> Result<SharedPair, Error> {
    let refused = || Error::NotSupportedYet {
        mechanism: mechanism.to_string(),
        reason: "this composition has no pair of its own",
        instead: "compose Gaussians with each other, or anything with discrete mechanisms",
    };
    let mut normal: Option<Ball> = None;
    let mut others: Vec<SharedPair> = Vec::new();
    for Part { mechanism, count } in composition::parts(mechanism)? {
        let pair = dominating_pair(mechanism, direction)?;
        match pair.loss_law() {
            Some(LossLaw::Normal { mu_squared }) => {
                let all = mu_squared * Ball::from(count);
                normal = Some(normal.map_or(all, |sum| sum + all));
            }
            _ => others.push(power(pair, count).ok_or_else(refused)?),
        }
    }
    let normal = normal.map(|mu_squared| -> SharedPair { Arc::new(NormalPair::new(mu_squared)) });
    // Discrete pairs with each other first: that leaves one sum, not sums of sums.
    others.sort_by_key(|pair| pair.as_discrete().is_none());
    let mut factors = others.into_iter().chain(normal);
    let first = factors.next().ok_or_else(refused)?;
    factors.try_fold(first, |product, factor| multiply(product, factor).ok_or_else(refused))
}

/// The pair composed with itself, by repeated squaring.
fn power(pair: SharedPair, count: u64) -> Option<SharedPair> {
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

fn multiply(a: SharedPair, b: SharedPair) -> Option<SharedPair> {
    if let (Some(first), Some(second)) = (a.as_discrete(), b.as_discrete()) {
        let product: SharedPair = Arc::new(first.product(second, MOST_OUTCOMES).ok()?);
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
