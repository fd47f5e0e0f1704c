//! Where the loss of a panel lies above or below a level: certain parts, and what cannot be told between them.

use super::{Panel, log_ratio::LogRatio};
use hockeystick_numerics::{enclosure::Enclosure, rounding::UNIT_ROUNDOFF};
use std::cmp::Ordering;

/// Outcomes farther away than this are not looked at: no density that falls has any mass there.
const FARTHEST: f64 = 1e100;
/// Halvings between two neighbouring powers of two, and some.
const HALVINGS: usize = 200;

/// The certified `log r` of a panel as a function of its coordinate.
#[derive(Clone, Debug)]
pub(crate) struct Levels<'a> {
    panel: &'a Panel,
    ratio: LogRatio,
}

/// Where a monotone `log r` is certainly on one side of a level. What is between both parts may be on either.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Split {
    /// How `log r` compares to the level from the lower end of the panel up to this point.
    pub(crate) left: Option<(Ordering, f64)>,
    /// How it compares from this point up to the upper end.
    pub(crate) right: Option<(Ordering, f64)>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(panel: &'a Panel) -> Self {
        Self { panel, ratio: LogRatio::new(panel) }
    }

    /// `log r(x)`.
    pub(crate) fn at(&self, x: f64) -> Enclosure {
        let value = self.ratio.at(x, x.abs());
        let radius = value.error * UNIT_ROUNDOFF * (1.0 + 1e-9);
        let enclosure = Enclosure::point(value.log) + Enclosure::new(-radius, radius);
        // Far out, where terms overflow, nothing is known.
        if value.log.is_finite() && radius.is_finite() {
            enclosure
        } else {
            Enclosure::new(f64::NEG_INFINITY, f64::INFINITY)
        }
    }

    /// `log r(x)` against the level, if that is certain.
    fn side(&self, x: f64, level: f64) -> Option<Ordering> {
        let value = self.at(x);
        if value.upper() < level {
            Some(Ordering::Less)
        } else if value.lower() > level {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// Splits the panel at a level.
    pub(crate) fn split(&self, level: f64) -> Split {
        let Panel { from, to, .. } = *self.panel;
        let (mut left, mut right) = match (from.is_finite(), to.is_finite()) {
            (true, true) => (from, to),
            (true, false) => (from, from + 1.0),
            (false, true) => (to - 1.0, to),
            (false, false) => (-1.0, 1.0),
        };
        // Infinite ends move out until the level is passed, or as far as it is worth looking.
        let mut step = 1.0;
        let (mut low, mut high) = (self.side(left, level), self.side(right, level));
        while (low.is_none() || high.is_none() || low == high) && step < FARTHEST {
            step *= 2.0;
            if from.is_infinite() {
                left = right.min(0.0) - step;
                low = self.side(left, level);
            }
            if to.is_infinite() {
                right = left.max(0.0) + step;
                high = self.side(right, level);
            }
            if from.is_finite() && to.is_finite() {
                break;
            }
        }
        if low.is_some() && low == high {
            return Split { left: low.map(|side| (side, to)), right: None };
        }
        Split {
            left: low.map(|side| (side, self.last(left, right, level, side))),
            right: high.map(|side| (side, self.last(right, left, level, side))),
        }
    }

    /// A point as far as possible from `known` towards `other` that is certainly on the same `side` as `known`.
    fn last(&self, mut known: f64, mut other: f64, level: f64, side: Ordering) -> f64 {
        for _ in 0..HALVINGS {
            let middle = 0.5 * known + 0.5 * other;
            if middle == known || middle == other {
                break;
            }
            if self.side(middle, level) == Some(side) { known = middle } else { other = middle }
        }
        known
    }
}
