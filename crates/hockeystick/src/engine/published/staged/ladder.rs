//! The choice of groups, spacings and windows: a pure function of plain numbers.

use crate::engine::lattice::TUNING;
use std::fmt;

/// One composition by a transform: so many uses of the law before, on a grid of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// How many laws of the stage before are composed.
    pub uses: u64,
    /// The spacing that they are rounded to.
    pub spacing: f64,
    /// The points of the transform.
    pub points: usize,
}

/// The stages of a composition, the finest first. The last one composes all groups, and the uses that are left over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The spacing on which the law of one use is made: that of the first stage, or a part of it.
    pub first: f64,
    /// The stages.
    pub stages: Vec<Stage>,
    /// What is left between the law above and the law below, in `log M` at the saddle point.
    pub gap: f64,
}

impl fmt::Display for Ladder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stages.first().is_some_and(|stage| self.first < stage.spacing) {
            write!(f, "one use on spacing {:.2e}, ", self.first)?;
        }
        for (i, Stage { uses, spacing, points }) in self.stages.iter().enumerate() {
            let then = if i > 0 { ", then " } else { "" };
            write!(f, "{then}{uses} on spacing {spacing:.2e} in {points} points")?;
        }
        Ok(())
    }
}

/// What the choice depends on.
#[derive(Clone, Debug)]
pub(in crate::engine::published) struct Facts {
    pub(in crate::engine::published) uses: u64,
    /// The windows that hold `2^j` uses, and the one that holds all.
    pub(in crate::engine::published) lengths: Vec<f64>,
    pub(in crate::engine::published) period: f64,
    /// The range of the losses of one use.
    pub(in crate::engine::published) range: f64,
    /// What a spacing costs per use: for each rounding, and for the law of one use beside it. In `log M` at the saddle point.
    pub(in crate::engine::published) per_rounding: f64,
    pub(in crate::engine::published) per_first: f64,
    /// The gap that is wanted.
    pub(in crate::engine::published) wanted: f64,
    /// The coarsest spacing for which that is more than a guess.
    pub(in crate::engine::published) coarsest: f64,
    /// The points of all stages together, at most; and those of the law of one use.
    pub(in crate::engine::published) most_points: usize,
    pub(in crate::engine::published) most_cells: f64,
}

/// The ratio of the spacings of two stages, a power of two: then losses are as exact on both grids. Windows grow as the root of the uses, so
/// that a stage composes 16, and the error of its rounding is a quarter of that before.
const RATIO: f64 = 4.0;
/// The most stages before the last.
const MOST_DEPTH: usize = 12;
/// The fewest points of a transform.
const FEWEST_POINTS: usize = 1 << 8;
/// The law of one use is made finer until it costs less than this part of what is wanted.
const SMALL: f64 = 0.25;

/// The ladder with the least work among those that are as accurate as wanted; if none is, the most accurate. `None` if not even one
/// transform fits.
pub(in crate::engine::published) fn most_accurate(facts: &Facts) -> Option<Ladder> {
    let mut best: Option<Ladder> = None;
    let mut points = FEWEST_POINTS;
    while points <= facts.most_points {
        for depth in 0..=MOST_DEPTH {
            let Some(ladder) = facts.ladder(points, depth) else { continue };
            let is_better = best.as_ref().is_none_or(|best| {
                let (enough, enough_before) = (ladder.gap <= facts.wanted, best.gap <= facts.wanted);
                match (enough, enough_before) {
                    (true, true) => ladder.work() < best.work(),
                    (false, false) => ladder.gap < best.gap,
                    (enough, _) => enough,
                }
            });
            if is_better && ladder.work() <= facts.most_points {
                best = Some(ladder);
            }
        }
        points *= 2;
    }
    best
}

impl Ladder {
    /// The relative width of δ that the gap allows for: where it is wider than asked for, so may be what is left out.
    pub(in crate::engine::published) fn reachable(&self, asked: f64) -> f64 {
        (self.gap / TUNING.gap_share).min(0.5).max(asked)
    }

    /// The points of the last transform.
    pub(in crate::engine::published) fn points(&self) -> usize {
        self.stages.last().map_or(0, |stage| stage.points)
    }

    /// The points of all transforms.
    pub(in crate::engine::published) fn work(&self) -> usize {
        self.stages.iter().map(|stage| stage.points).sum()
    }
}

impl Facts {
    /// With transforms of so many points, and at most so many stages before the last.
    fn ladder(&self, points: usize, depth: usize) -> Option<Ladder> {
        let last = (self.period / (points as f64 - 2.0)).min(self.coarsest);
        let mut groups = Vec::new();
        let mut spacing = last;
        for _ in 0..depth {
            spacing /= RATIO;
            let window = (points as f64 - 4.0) * spacing;
            let fits = |(j, length): (usize, &f64)| *length <= window && self.uses >> j >= 2;
            let size = self.lengths.iter().enumerate().rposition(fits).filter(|size| *size > 0);
            let Some(size) = size.filter(|_| self.range / spacing <= self.most_cells) else { break };
            groups.push((1u64 << size, spacing));
        }
        let mut stages: Vec<Stage> = Vec::new();
        let mut done = 1;
        for (size, spacing) in groups.into_iter().rev() {
            // (The same uses on a coarser grid gain nothing.)
            if size > done {
                stages.push(Stage { uses: size / done, spacing, points });
                done = size;
            }
        }
        stages.push(Stage { uses: self.uses / done, spacing: last, points });
        let mut first = stages[0].spacing;
        if self.range / first > self.most_cells {
            return None;
        }
        let costs = |first: f64| self.per_first * self.uses as f64 * first;
        while costs(first) > SMALL * self.wanted && 2.0 * self.range / first <= self.most_cells {
            first *= 0.5;
        }
        let mut ladder = Ladder { first, stages, gap: 0.0 };
        ladder.gap = costs(first) + self.per_rounding * ladder.rounded(self.uses);
        Some(ladder)
    }
}

impl Ladder {
    /// By how much all roundings together move a sum of so many uses, at most, up or down.
    fn rounded(&self, uses: u64) -> f64 {
        let (mut total, mut laws, mut before) = (0.0, uses, 0.0);
        let last = self.stages.last().map_or(0.0, |stage| stage.spacing);
        for (i, stage) in self.stages.iter().enumerate() {
            total += laws as f64 * (stage.spacing - before);
            let left = if i + 1 < self.stages.len() { laws % stage.uses } else { 0 };
            total += left as f64 * (last - stage.spacing);
            (laws, before) = ((laws - left) / stage.uses.max(1), stage.spacing);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(uses: u64, wanted: f64, most_points: usize) -> Facts {
        let length = |j: i32| 0.06 * 2f64.powf(0.5 * f64::from(j));
        Facts {
            uses,
            lengths: (0..=uses.ilog2() as i32).map(length).collect(),
            period: 0.06 * (uses as f64).sqrt(),
            range: 0.06,
            per_rounding: 1.0,
            per_first: 0.0,
            wanted,
            coarsest: 0.05,
            most_points,
            most_cells: 1e6,
        }
    }

    /// One use needs no stage, and no ladder takes more work than the shortest single transform that is as accurate as wanted.
    #[test]
    fn easy_compositions_have_few_points() {
        for (uses, wanted) in [(1, 1e-4), (100, 0.1)] {
            let facts = facts(uses, wanted, 1 << 20);
            let ladder = most_accurate(&facts).unwrap();
            let single = |points: &usize| facts.ladder(*points, 0).is_some_and(|ladder| ladder.gap <= wanted);
            let points = (8..21).map(|i| 1 << i).find(single).unwrap();
            assert!(ladder.gap <= wanted && ladder.work() <= points, "{ladder}");
            assert!(uses > 1 || ladder.stages.len() == 1, "{ladder}");
        }
    }

    /// All uses are composed, spacings divide each other, and every window holds its group.
    #[test]
    fn groups_make_up_all_uses() {
        for uses in [1000, 65_536, 1_000_003] {
            let facts = facts(uses, 1e-9, 1 << 20);
            let ladder = most_accurate(&facts).unwrap();
            let mut size = 1;
            for (stage, next) in ladder.stages.iter().zip(&ladder.stages[1..]) {
                size *= stage.uses;
                let length = facts.lengths[size.ilog2() as usize];
                assert!(size.is_power_of_two() && length <= stage.points as f64 * stage.spacing, "{ladder}");
                assert_eq!((next.spacing / stage.spacing).log2().fract(), 0.0);
            }
            assert_eq!(ladder.stages.last().unwrap().uses, uses / size);
            // One transform of all the points would be less accurate, the more so the more uses there are.
            assert!(ladder.work() <= 1 << 20 && ladder.stages.len() > 1, "{ladder}");
            let single = facts.ladder(1 << 20, 0).unwrap().gap;
            let gain = if uses > 60_000 { 6.0 } else { 1.0 };
            assert!(gain * ladder.gap < single, "{ladder}: {} {single}", ladder.gap);
        }
    }

    /// By hand: 1003 uses in groups of 4 on 1, 250 groups on 4 and three uses left over: 1003 + 250·3 + 3·3.
    #[test]
    fn roundings_add_up() {
        let stage = |uses, spacing| Stage { uses, spacing, points: 64 };
        let ladder = Ladder { first: 1.0, stages: vec![stage(4, 1.0), stage(250, 4.0)], gap: 0.0 };
        assert_eq!(ladder.rounded(1003), 1003.0 + 750.0 + 9.0);
    }

    /// The law of one use is finer than its stage where that is what costs.
    #[test]
    fn a_costly_first_law_is_finer() {
        let facts = Facts { per_first: 100.0, ..facts(65_536, 0.5, 1 << 20) };
        let ladder = most_accurate(&facts).unwrap();
        assert!(ladder.first < ladder.stages[0].spacing && facts.range / ladder.first <= facts.most_cells);
    }
}
