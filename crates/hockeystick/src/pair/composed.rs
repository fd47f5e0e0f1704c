//! Pairs of compositions: products that stay pairs, which is what a sampler needs.

use super::{Direction, LossLaw, SharedPair, dominating_pair, gaussian::NormalPair, shape::ShiftedPair};
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
    let mut factors = normal.into_iter().chain(others);
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

fn multiply(a: SharedPair, b: SharedPair) -> Option<SharedPair> {
    let shifted = ShiftedPair::compose(Arc::clone(&a), &b).or_else(|| ShiftedPair::compose(b, &a))?;
    Some(Arc::new(shifted))
}
