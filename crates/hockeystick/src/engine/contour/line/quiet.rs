//! A line of very many points, at most of which a few pairs already make the rest small enough.

use super::{
    ComposedLine, Exactness,
    drawing::Drawing,
    very_many::{PIECES, pieces},
};
use crate::{
    engine::contour::{factors::Factors, line_plan::LinePlan},
    two_threads::mapped,
};
use std::ops::Range;

/// A line of which points are left out as soon as the product of the pairs so far is below `e^{log_quiet} M(c)` from there on; and the share of
/// pairs and points that were summed.
///
/// # Guarantee
/// At a point that is left out, every further `|M|` is at most its `M(c)`: the value there is unknown, and its ceiling holds.
pub(super) fn drawn_while_loud(
    factors: &Factors,
    plan: LinePlan,
    exactness: Exactness,
    log_quiet: f64,
) -> Option<(ComposedLine, f64)> {
    let count = factors.others.len();
    let exactness = exactness.of_parts(count);
    let mut line = ComposedLine::of_normal(factors, plan);
    // Upper bounds of Σ k log M(c) of the pairs so far, and what that was when points were left out.
    let (mut at_tilt, mut left_out) = (0.0, Vec::new());
    let mut asked = 0.0;
    let (mut loud, mut from, mut length) = (plan.points, 0, 1);
    while from < count {
        loud = leave_out(&line, loud, at_tilt, log_quiet, &mut left_out);
        let to = (from + length).min(count);
        asked += (to - from) as f64 * loud as f64;
        let plan = LinePlan { points: loud, ..plan };
        let one = |range: &Range<usize>| {
            let mut drawing = Drawing::of_nothing(factors, plan, exactness);
            range.clone().try_for_each(|index| {
                drawing.add(&factors.others[index].clone().listed(), None, || 0.0).map(|_| ())
            })?;
            Some(drawing.line())
        };
        for some in mapped(&pieces(from..to, PIECES.min(MOST_KEPT / loud + 1)), MANY, one) {
            let some = some?;
            line.absorb(&some);
            at_tilt += some.ceilings[0];
            at_tilt += 1e-15 * (at_tilt + some.ceilings[0]).abs();
        }
        (from, length) = (to, (2 * length).min(count.div_ceil(BLOCKS)));
    }
    for (range, since) in left_out {
        line.only_bounded(range, at_tilt - since + 1e-15 * (at_tilt.abs() + since.abs()));
    }
    let share = if count > 0 { asked / (count as f64 * plan.points as f64) } else { 1.0 };
    Some((line, share))
}

/// Leaves out what is quiet at the end, and returns how many points are left.
fn leave_out(
    line: &ComposedLine,
    loud: usize,
    at_tilt: f64,
    log_quiet: f64,
    left_out: &mut Vec<(Range<usize>, f64)>,
) -> usize {
    let is_quiet = |n: &usize| line.ceilings[*n] - line.values[0].re < log_quiet;
    let left = (1..loud).rev().find(|n| !is_quiet(n)).unwrap_or(0) + 1;
    if left < loud {
        left_out.push((left..loud, at_tilt));
    }
    left
}

/// Blocks of pairs after which points are left out, at least.
const BLOCKS: usize = 16;
/// Points of all pieces that are summed at the same time, at most.
const MOST_KEPT: usize = 1 << 20;
/// From so many pieces on two threads share them.
const MANY: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{
            Goal,
            contour::{
                line::BandLimitedLine,
                search::{Aim, Saddle, best_line, saddle, searchable},
            },
        },
        mechanism::Mechanism,
        pair::{Direction, SharedPair, dominating_pair},
    };

    const NEEDED: f64 = 1e-9;

    /// Different pairs, so many of each kind.
    fn pairs(kinds: &[&str], many: usize) -> Vec<(SharedPair, u64)> {
        let pair = |i: usize| {
            let noise = 1.0 + i as f64 / many as f64;
            let step: Mechanism = kinds[i % kinds.len()].replace('S', &format!("{noise:?}")).parse().unwrap();
            (dominating_pair(&step, Direction::Remove).unwrap(), 1 + i as u64 % 2)
        };
        (0..many).map(pair).collect()
    }

    const CONTINUOUS: [&str; 3] = [
        "poisson(gaussian(sigma=S), rate=0.05)",
        "poisson(laplace(scale=S), rate=0.02)",
        "truncated_gaussian(sigma=20*S, bound=150)",
    ];
    const ATOMS: [&str; 3] = ["laplace(scale=30*S)", "discrete_gaussian(sigma=40*S)", "binomial(n=5000)"];

    /// The line of very many pairs, and the one that keeps all of them, enclose the same, and neither is wide.
    #[test]
    fn many_pairs_are_drawn_as_few_are() {
        let many = searchable(Factors::new(&pairs(&CONTINUOUS, 150)));
        let few = many.one_by_one();
        assert!(many.are_many() && !few.are_many());
        let saddle = saddle::find(&many, Goal::Epsilon { delta: 1e-6 }).unwrap();
        let exact = saddle::find(&few, Goal::Epsilon { delta: 1e-6 }).unwrap();
        assert!((saddle.epsilon - exact.epsilon).abs() < 0.01 * exact.epsilon);
        let line = |factors: &Factors, saddle: &Saddle| {
            let planned = best_line::plan(factors, saddle, Aim::whole(NEEDED));
            ComposedLine::new(factors, planned.envelope, planned.line, Exactness::of(NEEDED)).unwrap()
        };
        let (of_many, of_few) = (line(&many, &saddle), line(&few, &exact));
        for part in [0.3, 0.9, 1.0, 1.1, 1.5] {
            let epsilon = part * exact.epsilon;
            let [a, b] = [&of_many, &of_few].map(|line| line.integral(epsilon));
            assert!(a.bounds.overlaps(b.bounds), "{a:?} and {b:?} at {epsilon}");
            if (0.9..=1.1).contains(&part) {
                assert!(a.relative_width() < 1e-8 && b.relative_width() < 1e-8, "{a:?} {b:?}");
            }
        }
    }

    /// Points that are left out change nothing but the width, and hardly that.
    #[test]
    fn what_is_quiet_may_be_left_out() {
        let factors = searchable(Factors::new(&pairs(&ATOMS, 60)));
        let saddle = saddle::find(&factors, Goal::Epsilon { delta: 1e-6 }).unwrap();
        let plan = best_line::plan(&factors, &saddle, Aim::whole(NEEDED)).line;
        let plan = LinePlan { points: 4000, ..plan };
        let exactness = Exactness::without_decay(1e-6);
        let drawn = |log_quiet| drawn_while_loud(&factors, plan, exactness, log_quiet).unwrap().0;
        let (all, some) = (drawn(f64::NEG_INFINITY), drawn(exactness.log_quiet()));
        let left_out = some.errors.iter().filter(|error| error.is_infinite()).count();
        assert!(left_out > 1000, "{left_out}");
        for n in 0..plan.points {
            assert!(
                all.ceilings[n] <= some.ceilings[n] + 1e-6 || all.values[n].re <= some.ceilings[n],
                "{n}"
            );
        }
        let line = BandLimitedLine::new(&factors, plan, exactness).unwrap();
        assert!(line.integral(saddle.epsilon).relative_width() < 1e-3);
    }
}
