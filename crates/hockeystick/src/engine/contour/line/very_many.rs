//! A line with its end, of few pairs or of very many, which two threads share in pieces.

use super::{ComposedLine, Exactness, drawing::Drawing, values::log_at_height};
use crate::{
    engine::contour::{
        bound::{Envelope, Gathered},
        factors::Factors,
        line_plan::LinePlan,
        search::cumulants_of,
    },
    two_threads::mapped,
};
use std::ops::Range;

impl ComposedLine {
    /// Evaluates every factor along the line; `None` if a pair has no rule for it, or only one of too many nodes.
    pub(crate) fn new(
        factors: &Factors,
        mut envelope: Envelope,
        plan: LinePlan,
        exactness: Exactness,
    ) -> Option<Self> {
        if factors.are_many() {
            return drawn_of_many(factors, &envelope, plan, exactness);
        }
        let line = Self::of(factors, &mut envelope, plan, exactness)?;
        let log_tail = envelope.log_tail(plan.height());
        Some(line.ended(log_at_height(factors, envelope.log_unit(), plan.tilt, log_tail)))
    }
}

/// Into so many pieces very many pairs are cut, which two threads share.
pub(super) const PIECES: usize = 32;

/// A line of very many pairs with its end, of which an envelope of a few that stand for them says how it is best bounded.
pub(super) fn drawn_of_many(
    factors: &Factors,
    envelope: &Envelope,
    plan: LinePlan,
    exactness: Exactness,
) -> Option<ComposedLine> {
    let nothing = Gathered::like(envelope, factors, plan.tilt, plan.height());
    let exactness = exactness.of_parts(factors.others.len());
    let one = |range: &Range<usize>| {
        let mut drawing = Drawing::of_nothing(factors, plan, exactness);
        let mut gathered = nothing.clone();
        for index in range.clone() {
            let (factor, slice) = (factors.others[index].clone().listed(), factors.slice(index));
            // Left of 0 an estimate is wanted; without one, the rule is finer than it need be.
            let log_moment = || cumulants_of(&factor, [plan.tilt], 1.0).map_or(-LARGE, |[at]| at.value);
            let ceiling = drawing.add(&factor, slice, log_moment)?;
            gathered.add(&factor, slice, ceiling);
        }
        Some((drawing, gathered))
    };
    let together = |a: Option<(Drawing, Gathered)>, b: Option<(Drawing, Gathered)>| {
        let ((drawing, mut gathered), (more, beyond)) = (a?, b?);
        gathered.and(&beyond);
        Some((drawing.and(more), gathered))
    };
    let ranges = pieces(0..factors.others.len(), PIECES);
    let (drawing, gathered) = mapped(&ranges, 2, one).into_iter().reduce(together)??;
    let log_tail = gathered.log_tail(factors);
    let line = Drawing::new(factors, plan, exactness).and(drawing).finished();
    Some(line.ended(log_at_height(factors, gathered.unit(), plan.tilt, log_tail)))
}

/// A range in at most so many pieces.
pub(super) fn pieces(range: Range<usize>, most: usize) -> Vec<Range<usize>> {
    let length = range.len().div_ceil(most).max(1);
    let piece = |from: usize| from..(from + length).min(range.end);
    range.clone().step_by(length).map(piece).collect()
}

/// Where nothing is known of a moment left of 0.
const LARGE: f64 = 30.0;
