//! A few pairs that stand for very many, in searches: what is looked for does not depend on every one of them.
//!
//! In: factors. Out: the same, with no more pairs to look at than a search has time for. Pairs are alike if the variances of their losses, and how fast
//! their moments grow beyond that of a normal law, are within some percent. One of them then stands for all, with a count that makes up for
//! the variance. Nothing is proven with it.

use super::sketch::{Cumulants, cumulants_of};
use crate::{
    engine::contour::factors::{Factor, Factors, MANY},
    two_threads::mapped,
};
use hockeystick_numerics::special::ln;
use std::collections::BTreeMap;

/// So many stand for all.
const FEW: usize = 48;
/// The first cells of pairs that are alike, as a difference of logarithms; they are widened by the factor until there are few enough.
const FINEST: f64 = 0.02;
const WIDER: f64 = 1.4;
/// Pairs from which the tilt is estimated at which moments are compared, the `log 1/δ` it belongs to, and the tilt near 0.
const SAMPLE: usize = 24;
const LOG_ORDINARY: f64 = 14.0;
const NEAR_ZERO: f64 = 1e-9;

/// What is compared of a pair.
struct Summary {
    variance: f64,
    /// `log K(c)/(variance c(c + 1)/2)`.
    growth: f64,
}

/// The same with a few that stand for all in searches, if there are very many.
pub(crate) fn searchable(all: Factors) -> Factors {
    match few_of(&all) {
        Some((few, strip_end)) => all.searched_by(few, strip_end),
        None => all,
    }
}

/// The few, and up to where `M` of all exists right of 0. `None` if a search can look at all of them, or if there is no sketch of one.
fn few_of(all: &Factors) -> Option<(Factors, f64)> {
    let factors = &all.others;
    if factors.len() < MANY {
        return None;
    }
    let ends = mapped(factors, MANY, Factor::strip_end);
    let strip_end = ends.into_iter().fold(f64::INFINITY, f64::min);
    let highest = 0.5 * strip_end;
    let near = |factor: &Factor| Some(cumulants_of(factor, [NEAR_ZERO; 2], highest.min(1.0))?[0].variance);
    let sample = factors.iter().step_by(factors.len() / SAMPLE);
    let (mut variance, mut seen) = (0.0, 0.0);
    for factor in sample {
        variance += factor.count * near(factor)?;
        seen += 1.0;
    }
    let whole = all.normal + variance * factors.len() as f64 / seen;
    let tilt = (2.0 * LOG_ORDINARY / whole.max(1e-300)).sqrt().min(highest).max(NEAR_ZERO);
    let summary = |factor: &Factor| {
        let [near, far] = cumulants_of(factor, [NEAR_ZERO, tilt], tilt)?;
        Some(Summary::of(near, far, tilt))
    };
    let summaries: Vec<Summary> = mapped(factors, MANY, summary).into_iter().collect::<Option<_>>()?;
    let mut width = FINEST;
    let cells = loop {
        let cells = cells(&summaries, width);
        if cells.len() <= FEW {
            break cells;
        }
        width *= WIDER;
    };
    let stands_for = |cell: &Vec<usize>| {
        let total: f64 = cell.iter().map(|at| factors[*at].count * summaries[*at].variance).sum();
        let count: f64 = cell.iter().map(|at| factors[*at].count).sum();
        let distance = |at: &usize| (summaries[*at].variance - total / count).abs();
        let middle = *cell.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        let known = summaries[middle].variance;
        let count = if known > 0.0 { total / known } else { count };
        Some(factors[middle].clone().listed().used(count))
    };
    let others = cells.values().filter_map(stands_for).collect();
    Some((all.with_others(others), strip_end))
}

impl Summary {
    fn of(near: Cumulants, far: Cumulants, tilt: f64) -> Self {
        let normal = 0.5 * near.variance * tilt * (tilt + 1.0);
        Self { variance: near.variance, growth: ln((far.value / normal).max(f64::MIN_POSITIVE)) }
    }

    fn cell(&self, width: f64) -> [i64; 2] {
        [ln(self.variance.max(f64::MIN_POSITIVE)), self.growth].map(|key| (key / width).round() as i64)
    }
}

/// The places of pairs that are alike.
fn cells(summaries: &[Summary], width: f64) -> BTreeMap<[i64; 2], Vec<usize>> {
    let mut cells: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (at, summary) in summaries.iter().enumerate() {
        cells.entry(summary.cell(width)).or_default().push(at);
    }
    cells
}
