//! One line for everything, where `|M|` does not decay.

use super::{Outline, Piece};
use crate::engine::contour::{
    factors::Factors,
    line::{BandLimitedLine, Exactness, Integral},
    line_plan::LinePlan,
    target::Target,
    tuning::TUNING,
};

/// A composition on one vertical line, between band-limited functions above and below.
#[derive(Debug)]
pub(crate) struct BandLimited(BandLimitedLine);

impl BandLimited {
    /// With the number of points halved until every pair has a rule; `None` if there is none of few points either.
    pub(crate) fn new(factors: &Factors, mut line: LinePlan, target: Target) -> Option<Self> {
        while line.points >= TUNING.fewest_points {
            let exactness = Exactness::without_decay(target.needed_without_decay);
            if let Some(line) = BandLimitedLine::new(factors, line, exactness) {
                return Some(Self(line));
            }
            line.points /= 2;
        }
        None
    }
}

impl Piece for BandLimited {
    fn contribution(&self, epsilon: f64) -> Integral {
        self.0.integral(epsilon)
    }

    /// The distance of the two functions takes their sums.
    fn width_without_sum(&self, _epsilon: f64) -> f64 {
        0.0
    }

    fn summed(&self) -> f64 {
        self.0.summed
    }

    fn outline(&self) -> Outline {
        Outline::Line(self.0.plan())
    }
}
