//! Discrete pairs above and below a curve that is enclosed at chosen points.

use super::below::{Corner, Known, corners};
use crate::{
    error::Error,
    pair::{
        Between, Bounds, DominatingPair, SharedPair, Slack,
        shape::{DiscretePair, PiecewisePair, profile::Vertex},
    },
};
use hockeystick_numerics::{ball::Ball, enclosure::Enclosure, limits::check};
use std::sync::Arc;

/// A pair that is known by its curve, between discrete ones whose losses are near these points.
///
/// **Above** is the hull of the upper ends: connect-the-dots ([Doroshenko22, Alg. 1]), a curve of a pair by [Zhu22, Cor. 26].
/// **Below** are the lines through neighbouring points, extended ([Doroshenko22, Alg. 2] with chords in place of tangents).
///
/// # Guarantee
/// The pair above dominates, and that below is dominated, at every ε. `docs/design/curve-pairs.md` proves it.
pub(crate) fn between(pair: &SharedPair, points: &[f64]) -> Result<SharedPair, Error> {
    let dual = pair.dual();
    let split = points.partition_point(|&point| point < 0.0);
    let negative: Vec<f64> = points[..split].iter().rev().map(|&point| -point).collect();
    let mut positive: Vec<f64> = points[split..].iter().copied().filter(|&point| point > 0.0).collect();
    positive.insert(0, 0.0);
    let both = pair.delta(Ball::ZERO).value().intersection(dual.delta(Ball::ZERO).value());
    let (right, left) = (side(pair, &positive, both), side(&dual, &negative, both));
    let known: Vec<Known> = left.into_iter().rev().map(Known::mirrored).chain(right).collect();
    let above = PiecewisePair::hull(known.iter().map(|known| known.upper).collect());
    let below = below(&known, pair.infinite_mass().value().lower(), pair.vanishing_mass().value().lower());
    let bounds = Bounds { above: discrete(&above)?, below: discrete(&below)?, slack: Slack::NONE };
    Ok(Arc::new(Between(bounds)))
}

/// A curve at ascending points from 0 on, or above 0, where it falls from `start`: what is known at one point holds for those beyond it, or before it.
fn side(pair: &SharedPair, points: &[f64], start: Enclosure) -> Vec<Known> {
    let mut most = start.upper();
    let mut ends: Vec<(f64, f64)> = Vec::with_capacity(points.len());
    for &point in points {
        check();
        let found = pair.delta(Ball::from(point)).value();
        most = most.min(found.upper());
        ends.push((found.lower(), most));
    }
    let mut least = pair.infinite_mass().value().lower();
    for (lower, upper) in ends.iter_mut().rev() {
        least = least.max(*lower).min(*upper);
        *lower = least;
    }
    let vertex = |(&point, (lower, upper)): (&f64, (f64, f64))| Known {
        upper: Vertex::new(point, upper),
        lower: Vertex::new(point, lower),
    };
    points.iter().zip(ends).map(vertex).collect()
}

/// The greatest convex function below all corners.
///
/// # Guarantee
/// A hull that is no higher than the piecewise linear function at any of its corners is nowhere higher, as it is convex. That is checked; round-off cannot raise it.
fn below(known: &[Known], infinite: f64, vanishing: f64) -> PiecewisePair {
    let right = corners(known, infinite);
    let mirrored: Vec<Known> = known.iter().rev().map(|known| known.mirrored()).collect();
    let left = corners(&mirrored, vanishing);
    let points = right.iter().map(|corner| corner.vertex());
    let hull =
        PiecewisePair::hull(points.chain(left.iter().map(|corner| corner.vertex().mirrored())).collect());
    let dual = hull.dual();
    let is_below = |pair: &dyn DominatingPair, corners: &[Corner]| {
        corners.iter().all(|corner| pair.delta(Ball::from(corner.loss)).value().upper() <= corner.height)
    };
    if is_below(&hull, &right) && is_below(&*dual, &left) {
        hull
    } else {
        // Nothing is known: P = Q.
        PiecewisePair::hull(vec![Vertex::new(0.0, 0.0)])
    }
}

/// The same pair with its outcomes listed.
fn discrete(pair: &PiecewisePair) -> Result<SharedPair, Error> {
    let (infinite, vanishing) = (pair.infinite_mass().value(), pair.vanishing_mass().value());
    Ok(Arc::new(DiscretePair::new(pair.ratio_law().atoms, infinite, vanishing)?))
}
