//! Where a line is, and how many points it has.

use std::{f64::consts::TAU, fmt};

/// Which line, and which points of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinePlan {
    /// `c`.
    pub tilt: f64,
    /// `h`: the points are `c + inh`.
    pub step: f64,
    /// The number of points with `n ≥ 0`.
    pub points: usize,
    /// `λ`: `M(λ)` bounds the aliasing. Right of 0, `λ > c`; between the poles, `−1 ≤ λ < c`.
    pub beyond: f64,
    /// The relative width of δ expected from truncation, aliasing and cancellation between terms.
    pub expected_width: f64,
}

impl LinePlan {
    /// The height of the last point.
    pub(crate) fn height(&self) -> f64 {
        self.step * (self.points - 1) as f64
    }
}

impl fmt::Display for LinePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} points on Re z = {:.4}, {:.4} apart; the law wraps around after {:.4}; expected relative width of δ {:.0e}",
            self.points,
            self.tilt,
            self.step,
            TAU / self.step,
            self.expected_width
        )
    }
}
