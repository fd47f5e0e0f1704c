//! One line for everything, or for all that is left below a cut.

use super::{Outline, Piece};
use crate::engine::contour::{
    factors::Factors,
    line::{ComposedLine, Exactness, Integral},
    search::Planned,
};

/// A composition on one vertical line.
#[derive(Debug)]
pub(crate) struct Line(ComposedLine);

impl Line {
    /// `None` if a pair has no rule for the line, or only one of too many nodes.
    pub(crate) fn whole(factors: &Factors, planned: Planned, needed: f64) -> Option<Self> {
        Self::drawn(factors, planned, Exactness::of(needed))
    }

    pub(crate) fn drawn(factors: &Factors, planned: Planned, exactness: Exactness) -> Option<Self> {
        ComposedLine::new(factors, planned.envelope, planned.line, exactness).map(Self)
    }
}

impl Piece for Line {
    fn contribution(&self, epsilon: f64) -> Integral {
        self.0.integral(epsilon)
    }

    fn width_without_sum(&self, epsilon: f64) -> f64 {
        self.0.width_without_sum(epsilon)
    }

    fn outline(&self) -> Outline {
        Outline::Line(self.0.plan)
    }
}
