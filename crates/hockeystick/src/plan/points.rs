//! Where a curve is looked at, so that laws above and below it compose to a narrow answer.
//!
//! In: the pairs of a composition, some of which are known by their curve, and the question. Out: the same pairs, those between discrete ones.
//!
//! A draft of some hundred points gives the tilt `c` at which the question is answered. A cell of width `h` whose outcomes have the share `w` of the tilted law adds about `k·c(c + 1)·w·h²/8`
//! to the relative width of δ. The least sum for a number of points has them proportional to `(w·h²)^{1/3}` (`docs/design/curve-pairs.md`).
//!
//! # Guarantee
//! Any points give pairs above and below. Their choice is plain floating point.

use crate::{
    engine::{Goal, masses::largest_finite_loss},
    error::Error,
    pair::{LogMoment, PairMoments, SharedPair, between},
};
use hockeystick_numerics::{
    ball::Ball,
    minimize::minimize,
    roots::Tolerance,
    special::{exp, ln},
};

/// The relative width of δ that points are placed for.
const WIDTH: f64 = 3e-5;
/// The same where values of a curve are dear.
const DEAR_WIDTH: f64 = 2e-3;
const DEAR_SMALLEST: f64 = 1e-20;
/// No more points of one curve than those of a draft.
pub(super) const FEW: f64 = 0.0;
/// At most about so many more.
pub(super) const MANY: f64 = 3000.0;
/// The relative width of ε that engines are asked for where curves are known at points: well within what the points leave.
pub(super) const WIDTH_OF_ENGINES: f64 = 1e-6;
/// The tails that drafts leave out add this share of δ.
const NEGLIGIBLE: f64 = 1e-8;
/// As small a δ as drafts look for where the question names none.
const SMALLEST: f64 = 1e-40;
/// Steps of a draft, in units of the scale of the loss, and of the loss where that is larger.
const STEP: f64 = 0.1;
/// Losses are no rarer than this when points are counted.
const RAREST: f64 = 1e-3;
/// `e^ε` is a double up to here.
const LARGEST: f64 = 700.0;

/// The pairs, those known by their curve between discrete ones at points that suit the question.
pub(super) fn enclosed(
    pairs: Vec<(SharedPair, u64)>,
    goal: Goal,
    most: f64,
) -> Result<Vec<(SharedPair, u64)>, Error> {
    let count: u64 = pairs.iter().filter(|(pair, _)| pair.is_known_by_curve()).map(|(_, count)| count).sum();
    if count == 0 {
        return Ok(pairs);
    }
    let is_dear = pairs.iter().any(|(pair, _)| pair.at_many_points().is_some());
    let width = if is_dear { DEAR_WIDTH } else { WIDTH };
    let pairs: Vec<(SharedPair, u64)> =
        pairs.into_iter().map(|(pair, count)| (pair.at_many_points().unwrap_or(pair), count)).collect();
    // Beyond every loss there is nothing to see.
    let most = match goal {
        Goal::Delta { epsilon } if epsilon >= largest_finite_loss(&pairs).upper() => FEW,
        Goal::Delta { .. } | Goal::Epsilon { .. } => most,
    };
    let smallest = match goal {
        Goal::Epsilon { delta } => delta.max(SMALLEST),
        Goal::Delta { .. } if is_dear => DEAR_SMALLEST,
        Goal::Delta { .. } => SMALLEST,
    };
    let least = NEGLIGIBLE / count as f64;
    let draft = |(pair, count): &(SharedPair, u64)| -> Result<Part, Error> {
        if !pair.is_known_by_curve() {
            return Ok(Part {
                moments: PairMoments::new(SharedPair::clone(pair)),
                losses: Vec::new(),
                count: *count as f64,
            });
        }
        let left = outward(&pair.dual(), least).into_iter().rev().map(|point| -point);
        let points: Vec<f64> = left.chain([0.0]).chain(outward(pair, least * smallest)).collect();
        let between = between(pair, &points)?;
        let above = SharedPair::clone(&between.bounds().expect("it is between two").above);
        let atoms = above.all_outcomes().unwrap_or_default();
        let losses = atoms.iter().map(|atom| (atom.loss.approximate(), atom.p.midpoint())).collect();
        Ok(Part { moments: PairMoments::new(above), losses, count: *count as f64 })
    };
    let drafts = pairs.iter().map(draft).collect::<Result<Vec<Part>, Error>>()?;
    let tilt = tilt(&drafts, goal);
    let growth: f64 = drafts.iter().map(|draft| draft.log_moment(tilt)).sum();
    pairs
        .iter()
        .zip(&drafts)
        .map(|((pair, count), draft)| {
            let pair = if draft.losses.is_empty() {
                SharedPair::clone(pair)
            } else {
                between(pair, &draft.points(tilt, growth, most, width))?
            };
            Ok((pair, *count))
        })
        .collect()
}

/// Points from a step on until nothing is left of the curve, ever further apart.
fn outward(pair: &SharedPair, least: f64) -> Vec<f64> {
    let scale = pair.delta(Ball::ZERO).value().upper();
    let end = pair.finite_losses().end().upper().min(LARGEST);
    let least = least.max(pair.infinite_mass().value().upper() * (1.0 + NEGLIGIBLE));
    let mut points = Vec::new();
    let mut at = STEP * scale;
    while at > 0.0 && at < end {
        points.push(at);
        if pair.delta(Ball::from(at)).value().upper() <= least {
            return points;
        }
        at += STEP * at.max(2.0 * scale);
    }
    if end > 0.0 {
        points.push(end);
    }
    points
}

/// A part of the composition, roughly.
struct Part {
    moments: PairMoments,
    /// Losses and their probabilities, ascending, if it is known by its curve.
    losses: Vec<(f64, f64)>,
    count: f64,
}

impl Part {
    fn log_moment(&self, order: f64) -> f64 {
        if self.losses.is_empty() {
            return self.count * self.moments.log_moment(order).midpoint();
        }
        self.count * ln(self.losses.iter().map(|(loss, p)| p * exp(order * loss)).sum())
    }

    /// Ascending, 0 among them.
    fn points(&self, tilt: f64, growth: f64, most: f64, width: f64) -> Vec<f64> {
        let moment: f64 = self.losses.iter().map(|(loss, p)| p * exp(tilt * loss)).sum();
        let tilted = |(loss, p): (f64, f64)| p * exp(tilt * loss) / moment;
        let mean: f64 = self.losses.iter().map(|&(loss, p)| loss * tilted((loss, p))).sum();
        let variance: f64 =
            self.losses.iter().map(|&(loss, p)| (loss - mean).powi(2) * tilted((loss, p))).sum();
        // (Where the tilt is small, what counts is the standard deviation of the sum.)
        // Where large losses are rare, δ is proportional to M − 1, not to M.
        let curvature = (self.count * tilt * (tilt + 1.0)).max(1.0 / variance) / growth.clamp(RAREST, 1.0);
        let weight = |cell: &[(f64, f64)]| {
            let share = 0.5 * (tilted(cell[0]) + tilted(cell[1]));
            (share * (cell[1].0 - cell[0].0).powi(2)).cbrt()
        };
        let all: f64 = self.losses.windows(2).map(weight).sum();
        let number = (curvature / 4.0 * all.powi(3) / width).sqrt().min(most);
        let mut points = Vec::new();
        for cell in self.losses.windows(2) {
            let pieces = (number * weight(cell) / all).ceil().clamp(1.0, MANY) as usize;
            let step = (cell[1].0 - cell[0].0) / pieces as f64;
            points.extend((0..pieces).map(|piece| cell[0].0 + piece as f64 * step));
        }
        points.extend(self.losses.last().map(|last| last.0));
        points.push(0.0);
        points.sort_by(f64::total_cmp);
        points.dedup();
        points
    }
}

/// About where `K(c) − cε` is least, or the ε that Chernoff's bound gives for δ.
fn tilt(parts: &[Part], goal: Goal) -> f64 {
    let log_moment = |order: f64| parts.iter().map(|part| part.log_moment(order)).sum::<f64>();
    let bound = |log_order: f64| {
        let order = exp(log_order);
        // (1 − e^{ε−L})₊ ≤ κ e^{c(L−ε)}.
        let kappa = order * ln(order) - (1.0 + order) * (1.0 + order).ln();
        let value = match goal {
            Goal::Delta { epsilon } => log_moment(order) + kappa - order * epsilon,
            Goal::Epsilon { delta } => (log_moment(order) + kappa - ln(delta)) / order,
        };
        if value.is_nan() { f64::INFINITY } else { value }
    };
    let width = Tolerance { absolute: 0.02, relative: 0.0 };
    minimize(bound, ln(1e-4), ln(1e6), width).map_or(1.0, |minimum| exp(minimum.at))
}
